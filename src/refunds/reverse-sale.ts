import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { retryOnConflict, read, type Statement, write } from '../db/client.ts';
import { type StatementContext, type Placeholders, type Params, prepare } from '../db/prepare.ts';
import { commissions } from '../db/schema/money.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/sales.ts';
import { Rejection } from '../domain/rejection.ts';
import { ALREADY_REJECTED, planRefund, type RefundPlan } from '../domain/refunds/reversal.ts';
import type { Refund } from '../domain/commissions/sale.ts';
import { ASKING_PROGRAM, askingKey, noteKeyUse, selectProgramByKey } from '../programs/program-key.ts';
import { pseudonymsFor } from '../customers/erased-ids.ts';
import { refundableSale, SALE_AND_DUPLICATES } from './find-refundable.ts';
import { countingSaleId, saleIdBy } from '../ledger/sale-id.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { refundOutboxKey } from './refund-outbox.ts';
import { insertRefundEvent, type RefundSource, updateSale, writeMovement } from './write-movement.ts';

export type RefundReceipt =
	| { readonly outcome: 'reversed' | 'refunded'; readonly commissionId: number; readonly deductionCents: number; readonly currency: string }
	| { readonly outcome: 'skipped'; readonly commissionId: number; readonly reason: string }
	/** `isOwed`: creating the commission has failed so far; it will be created for what is left. */
	| { readonly outcome: 'no_commission'; readonly isOwed: boolean; readonly isRecorded: boolean };

/**
 * Refunds a sale and reverses its commission in proportion (contract, section 3; decisions 14 to 17). One read and one write batch. The
 * processor's reports about the same sale are reconciled, never added up: domain/refunds/refunded-amount.ts. Rejects with 404 if the
 * program has no such sale.
 */
export async function reverseSale(ctx: Context, keyHash: string, refund: Refund): Promise<RefundReceipt> {
	const opId = crypto.randomUUID();
	const pseudonyms = refund.refundId === undefined ? [] : await pseudonymsFor(ctx, refund.refundId);
	return retryOnConflict(async () => {
		const { program, sale } = await readRefundable(ctx, keyHash, { ...refund, pseudonyms }, opId);
		if (sale.own) return receiptOf(sale, sale.own);

		const plan = planRefund(sale, sale.commission ?? undefined, refund);
		const { refundId, reason } = sale.isOfErased ? { refundId: pseudonyms[0], reason: undefined } : refund;
		const reportedCents = Math.min(refund.amountCents ?? sale.amountCents, sale.amountCents);
		const writes = writeRefund(ctx, sale, plan, { source: 'endpoint', refundId, reason, reportedCents, opId });
		if (writes.length > 0) await write(ctx.db, [...writes, ...noteKeyUse(ctx, program)]);
		if (movementOf(plan)) sendEffects(ctx, [refundOutboxKey(program.id, opId)]);
		if (plan.outcome === 'skipped') return { outcome: 'skipped', commissionId: plan.commission.id, reason: plan.reason };
		if (plan.outcome === 'known') return { outcome: 'no_commission', isOwed: sale.isOwed, isRecorded: false };
		return receiptOf(sale, { outcome: plan.outcome, deductionCents: plan.change?.deductionCents ?? null, reason: null });
	});
}

type Refundable = Awaited<ReturnType<typeof readRefundable>>['sale'];
type Plan = RefundPlan<NonNullable<Refundable['commission']>>;

async function readRefundable(ctx: Context, keyHash: string, refund: Refund & { readonly pseudonyms: readonly string[] }, opId: string) {
	const { transactionId, refundId = null } = refund;
	const pseudonyms = JSON.stringify(refund.pseudonyms);
	const found = await read(ctx.db, readForRefund(ctx, { keyHash, transactionId, refundId, pseudonyms, opId }));
	const [program] = found.program;
	if (!program) throw new Rejection('program_key_unknown');
	const [sale] = found.sale;
	if (!sale) throw new Rejection('sale_not_found');
	return { program, sale };
}

interface RefundQuery {
	readonly keyHash: string;
	readonly transactionId: string;
	readonly refundId: string | null;
	/** The refund_id's pseudonyms as JSON, in case its customer was erased. */
	readonly pseudonyms: string;
	readonly opId: string;
}

const readForRefund = prepare(
	(ctx, params: Placeholders<RefundQuery>) => ({
		program: selectProgramByKey(ctx, params.keyHash),
		sale: selectRefundable(ctx, params),
	}),
	askingKey,
);

function selectRefundable(ctx: StatementContext, { transactionId, refundId, pseudonyms, opId }: Params<RefundQuery>) {
	return ctx.db
		.select({
			...refundableSale,
			/**
			 * If so, the refund's reason and id are not stored, because they may identify the customer. Reads nothing if nobody was ever erased.
			 */
			isOfErased: sql`(EXISTS (SELECT 1 FROM erasures WHERE program_id = ${ASKING_PROGRAM}) AND EXISTS (
				SELECT 1 FROM customers c WHERE c.id = ${affiliateSaleEvents.customerId} AND c.erased_at IS NOT NULL
			))`.mapWith(Boolean),
			hasRefundWithoutId: hasReported(sql`r.refund_id IS NULL`),
			hasRefundWithId: hasReported(sql`r.refund_id IS NOT NULL`),
			hasThisRefundId: hasReported(sql`(r.refund_id = ${refundId} OR r.refund_id IN (SELECT value FROM json_each(${pseudonyms})))`),
			/** This request's own refund, if the response to its commit was lost. */
			own: { outcome: refundEvents.outcome, deductionCents: refundEvents.deductionCents, reason: refundEvents.reason },
		})
		.from(affiliateSaleEvents)
		.innerJoin(programs, eq(programs.id, affiliateSaleEvents.programId))
		.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
		.leftJoin(refundEvents, and(sql`${refundEvents.saleId} IN ${SALE_AND_DUPLICATES}`, eq(refundEvents.opId, opId)))
		.where(
			and(
				sql`${affiliateSaleEvents.id} = (${countingSaleId(saleIdBy(transactionId, ASKING_PROGRAM, false))})`,
				eq(affiliateSaleEvents.programId, ASKING_PROGRAM),
			),
		);
}

/** The condition is about a refund `r`. */
function hasReported(condition: SQL): SQL<boolean> {
	return sql`EXISTS (
		SELECT 1 FROM refund_events r WHERE r.is_test = 0 AND r.source = 'endpoint' AND ${condition} AND r.sale_id IN ${SALE_AND_DUPLICATES}
	)`.mapWith(Boolean);
}

function writeRefund(ctx: Context, sale: Refundable, plan: Plan, source: RefundSource): Statement[] {
	const movement = movementOf(plan);
	if (movement) {
		const { refundedCents, reportedRefundCents } = movement;
		return [updateSale(ctx, sale, { refundedCents, reportedRefundCents }), ...writeMovement(ctx, sale, movement, source)];
	}
	if (plan.outcome !== 'skipped' || plan.reportedRefundCents === undefined) return [];
	return [
		updateSale(ctx, sale, { reportedRefundCents: plan.reportedRefundCents }),
		insertRefundEvent(ctx, sale, { outcome: 'skipped', amountCents: 0, deductionCents: 0 }, { ...source, reason: plan.reason }),
	];
}

/** Undefined if the refund does not change the sale. */
function movementOf(plan: Plan) {
	if (plan.outcome === 'known') return undefined;
	return plan.outcome === 'skipped' ? plan.movement : plan;
}

function receiptOf(
	sale: Refundable,
	event: Pick<typeof refundEvents.$inferSelect, 'outcome' | 'deductionCents' | 'reason'>,
): RefundReceipt {
	const { outcome, deductionCents, reason } = event;
	const commissionId = sale.commission?.id;
	if (commissionId !== undefined && (outcome === 'reversed' || outcome === 'refunded')) {
		return { outcome, commissionId, deductionCents: deductionCents ?? 0, currency: sale.currency };
	}
	if (commissionId !== undefined && outcome === 'skipped') return { outcome, commissionId, reason: reason ?? '' };
	if (sale.commission?.status === 'rejected') return { outcome: 'skipped', commissionId: sale.commission.id, reason: ALREADY_REJECTED };
	return { outcome: 'no_commission', isOwed: sale.isOwed, isRecorded: true };
}
