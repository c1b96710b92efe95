import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/sales.ts';
import { chargedIn, isConvertible, isUndone } from '../domain/refunds/refunded-amount.ts';
import type { ReversalFact } from '../domain/processors/processor-event.ts';
import type { ForeignReversal, ReversalReceipt } from '../domain/processors/processor-outcome.ts';
import { selectUnsold } from './find-payer.ts';
import { type Books, type FoundPayment, foundPaymentOf, readsByIds, saleIdsBy } from './find-payment.ts';
import { insertAliases } from '../ledger/sale-id.ts';
import { chargedFor, planSettlement, reportedReversalsOf } from './plan-settlement.ts';
import { type Plan, planNothing } from '../sales/plan.ts';
import { insertRefundEvent } from '../refunds/write-movement.ts';

/**
 * Plans the refunds and disputes of a sale from all that the processor has reported, in any order and however often (decisions 14, 16 and
 * 19). One read. `unsold` or undefined if the program has no sale for the payment: there is nothing to reverse yet. `opId` is the
 * caller's, one per fact: a retry gets the same receipt. Nothing is planned for a currency that is neither the sale's nor the charge's
 * (decision 60).
 */
export async function planReversal(
	ctx: Context,
	books: Books,
	fact: ReversalFact,
	opId: string,
): Promise<Plan<ReversalReceipt> | ForeignReversal | 'unsold' | undefined> {
	const { paymentIds, reversal } = fact;
	const rows = await read(ctx.db, {
		...readsByIds(ctx, books, paymentIds),
		own: selectOwnReceipt(ctx, opId),
		unsold: selectUnsold(ctx, books, paymentIds),
		tested: books.isTest ? selectTestRefund(ctx, books, paymentIds, reversal.id) : undefined,
	});
	const [own] = rows.own;
	if (own) return planNothing(receiptOf(own));
	const found = foundPaymentOf(fact, rows);
	if (!found) return rows.unsold.length > 0 ? 'unsold' : undefined;
	if (!books.isTest) return planRealReversal(ctx, found, fact, opId);
	const isKnown = rows.tested.some(({ saleId }) => saleId === found.sale.id);
	return planTestReversal(ctx, found, fact, { isKnown, opId });
}

function planRealReversal(ctx: Context, found: FoundPayment, fact: ReversalFact, opId: string): Plan<ReversalReceipt> | ForeignReversal {
	const { currency, reason } = fact;
	const { id: reversalId, undoneAt = null, stoodAt = null, chargeId = null, chargeCents = null, ...rest } = fact.reversal;
	const reversal = { ...rest, reversalId, undoneAt, stoodAt, chargeId, chargeCents, currency };
	const news = { charged: undefined, reason, reversal };
	const payment = { ...found.sale, ...chargedFor(found, news) };
	const told = reportedReversalsOf(found, reversal);
	// A failed refund or a won dispute reverses nothing in any currency, whichever event comes first; it is stored in case it counts
	// later.
	const isOver = told.some((known) => known.kind === reversal.kind && known.reversalId === reversalId && isUndone(known));
	if (!isOver && !isConvertible(payment, told, currency)) return { saleId: found.sale.id, chargedIn: chargedIn(payment, told) };
	const { movement, ...planned } = planSettlement(ctx, found, news, opId);
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

/** A flagged refund event, one per refund; undoing it changes nothing either. */
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

function selectTestRefund(ctx: Context, books: Books, paymentIds: readonly string[], refundId: string) {
	return ctx.db
		.select({ saleId: refundEvents.saleId })
		.from(refundEvents)
		.where(and(sql`${refundEvents.saleId} IN (${saleIdsBy(books, paymentIds)})`, eq(refundEvents.refundId, refundId)));
}

/** This operation's receipt, if the answer of its commit was lost. */
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
			// Written like the index.
			.where(and(eq(refundEvents.opId, opId), sql`(${refundEvents.isTest} = 1 OR ${refundEvents.source} = 'processor')`))
	);
}

function receiptOf({ outcome, deductionCents, ...own }: Awaited<ReturnType<typeof selectOwnReceipt>>[number]): ReversalReceipt {
	return { ...own, outcome: outcome === 'skipped' ? 'unchanged' : outcome, deductionCents: deductionCents ?? 0 };
}
