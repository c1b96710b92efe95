import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/sales.ts';
import { chargedIn, isConvertible, isUndone } from '../domain/refunds/refunded-amount.ts';
import type { ReversalFact } from '../domain/processors/processor-event.ts';
import type { ForeignReversal, ReversalReceipt } from '../domain/processors/processor-outcome.ts';
import { type ProgramScope, type FoundPayment, foundPaymentOf, readsByIds, saleIdsBy, selectUnsold } from './find-payment.ts';
import { insertAliases } from '../ledger/sale-id.ts';
import { knownWith, planSettlement } from './plan-settlement.ts';
import { type Plan, planNothing } from '../sales/plan.ts';
import { insertRefundEvent } from '../refunds/write-movement.ts';

/**
 * Plans the refund that all reported refunds and disputes of the payment add up to, in any order (decisions 14, 16 and 19). `unsold` if the
 * payment has no sale; undefined if none is known yet. The same `opId` returns the same receipt. A currency that is neither the sale's nor
 * the charge's plans nothing (decision 60).
 */
export async function planReversal(
	ctx: Context,
	scope: ProgramScope,
	fact: ReversalFact,
	opId: string,
): Promise<Plan<ReversalReceipt> | ForeignReversal | 'unsold' | undefined> {
	const { paymentIds, reversal } = fact;
	const rows = await read(ctx.db, {
		...readsByIds(ctx, scope, paymentIds),
		own: selectOwnReceipt(ctx, opId),
		unsold: selectUnsold(ctx, scope, paymentIds),
		tested: scope.isTest ? selectTestRefund(ctx, scope, paymentIds, reversal.id) : undefined,
	});
	const [own] = rows.own;
	if (own) return planNothing(receiptOf(own));
	const found = foundPaymentOf(fact, rows);
	if (!found) return rows.unsold.length > 0 ? 'unsold' : undefined;
	if (!scope.isTest) return planRealReversal(ctx, found, fact, opId);
	const isKnown = rows.tested.some(({ saleId }) => saleId === found.sale.id);
	return planTestReversal(ctx, found, fact, { isKnown, opId });
}

function planRealReversal(ctx: Context, found: FoundPayment, fact: ReversalFact, opId: string): Plan<ReversalReceipt> | ForeignReversal {
	const { currency, reason } = fact;
	const { id: reversalId, undoneAt = null, stoodAt = null, chargeId = null, chargeCents = null, ...rest } = fact.reversal;
	const reversal = { ...rest, reversalId, undoneAt, stoodAt, chargeId, chargeCents, currency };
	const news = { charged: undefined, reason, reversal };
	const known = knownWith(found, news);
	const { reported } = known;
	const payment = { ...found.sale, ...known };
	// A failed refund or a won dispute counts in no currency, but is stored in case it counts again.
	const isOver = reported.some((one) => one.kind === reversal.kind && one.reversalId === reversalId && isUndone(one));
	if (!isOver && !isConvertible(payment, reported, currency)) {
		const { id: saleId, transactionId } = found.sale;
		return { saleId, transactionId, chargedIn: chargedIn(payment, reported) };
	}
	const { movement, ...planned } = planSettlement(ctx, found, news, { known, opId });
	const receipt = {
		saleId: found.sale.id,
		commissionId: found.sale.commission?.id ?? null,
		outcome: movement?.outcome ?? 'unchanged',
		amountCents: movement?.amountCents ?? 0,
		deductionCents: movement?.change?.deductionCents ?? 0,
		currency: found.sale.currency,
	} as const;
	return { outcome: receipt, ...planned };
}

/** Records a test refund once, unless it failed. Money does not change. */
function planTestReversal(
	ctx: Context,
	{ sale, newIds }: FoundPayment,
	{ reversal, reason }: ReversalFact,
	{ isKnown, opId }: { readonly isKnown: boolean; readonly opId: string },
): Plan<ReversalReceipt> {
	const isNew = reversal.undoneAt === undefined && !isKnown;
	const amountCents = isNew ? Math.min(reversal.amountCents, sale.amountCents) : 0;
	const source = { source: 'processor', refundId: reversal.id, reason, opId } as const;
	const writes = [
		...(newIds.length > 0 ? [insertAliases(ctx, sale.id, true, newIds)] : []),
		...(isNew ? [insertRefundEvent(ctx, sale, { outcome: 'test', amountCents }, source)] : []),
	];
	const outcome = isNew ? 'test' : 'unchanged';
	const receipt = { saleId: sale.id, commissionId: null, outcome, amountCents, deductionCents: 0, currency: sale.currency } as const;
	return { outcome: receipt, writes, effects: [] };
}

function selectTestRefund(ctx: Context, scope: ProgramScope, paymentIds: readonly string[], refundId: string) {
	return ctx.db
		.select({ saleId: refundEvents.saleId })
		.from(refundEvents)
		.where(and(sql`${refundEvents.saleId} IN (${saleIdsBy(scope, paymentIds)})`, eq(refundEvents.refundId, refundId)));
}

/** This operation's receipt, if it was committed but its response was lost. */
function selectOwnReceipt(ctx: Context, opId: string) {
	return (
		ctx.db
			.select({
				saleId: affiliateSaleEvents.id,
				commissionId: commissions.id,
				outcome: refundEvents.outcome,
				amountCents: refundEvents.amountCents,
				deductionCents: refundEvents.deductionCents,
				currency: affiliateSaleEvents.currency,
			})
			.from(refundEvents)
			.innerJoin(affiliateSaleEvents, eq(affiliateSaleEvents.id, refundEvents.saleId))
			.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
			// SQLite uses the partial index only if the condition is spelled like it.
			.where(and(eq(refundEvents.opId, opId), sql`(${refundEvents.isTest} = 1 OR ${refundEvents.source} = 'processor')`))
	);
}

function receiptOf({ outcome, deductionCents, ...own }: Awaited<ReturnType<typeof selectOwnReceipt>>[number]): ReversalReceipt {
	return { ...own, outcome: outcome === 'skipped' ? 'unchanged' : outcome, deductionCents: deductionCents ?? 0 };
}
