import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { decideUntilSettled, readTogether, runBatch, type Statement } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/tracking.ts';
import { dayOf } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Refund } from '../domain/sale.ts';
import { planRefund, type RefundPlan } from '../domain/reversal.ts';
import { noteKeyUse, programIdOfKey, selectProgramByKey, type TrackedProgram } from '../programs/program-key.ts';
import { deductFromCommission } from './ledger.ts';
import { insertOutbox, outboxId, sendEffects } from './outbox.ts';

export type RefundReceipt =
	| { readonly outcome: 'reversed' | 'refunded'; readonly commissionId: number; readonly deductionCents: number; readonly currency: string }
	| { readonly outcome: 'skipped'; readonly commissionId: number; readonly reason: string }
	/** `isOwed`: the commission has failed so far; it will be made for what is left. */
	| { readonly outcome: 'no_commission'; readonly isOwed: boolean; readonly isRecorded: boolean };

/**
 * Refunds a sale and reverses its commission in proportion (contract, section 3; decisions 14 to 17): one read and one
 * write batch. Rejects with 404 where the program has no such sale.
 */
export async function reverseSale(ctx: Context, keyHash: string, refund: Refund): Promise<RefundReceipt> {
	const opId = crypto.randomUUID();
	return decideUntilSettled(async () => {
		const { program, sale } = await readRefundable(ctx, keyHash, refund, opId);
		if (sale.own) return receiptOf(sale, { ...sale.own, commission: sale.commission });

		const plan = planRefund(sale, sale.commission ?? undefined, refund);
		if (plan.outcome === 'skipped') return { outcome: 'skipped', commissionId: plan.commission.id, reason: plan.reason };
		if (plan.amountCents === undefined) return { outcome: 'no_commission', isOwed: sale.isOwed, isRecorded: false };
		await runBatch(ctx.db, [...writeRefund(ctx, program, sale, refund, plan, opId), ...noteKeyUse(ctx, program)]);
		sendEffects(ctx, [outboxId(opId, 'sale_refunded')]);
		return receiptOf(sale, plan.outcome === 'no_commission' ? { ...plan, deductionCents: null, commission: null } : plan);
	});
}

type Refundable = Awaited<ReturnType<typeof readRefundable>>['sale'];

async function readRefundable(ctx: Context, keyHash: string, refund: Refund, opId: string) {
	const found = await readTogether(ctx.db, {
		program: selectProgramByKey(ctx, keyHash),
		sale: selectRefundable(ctx, keyHash, refund, opId),
	});
	const [program] = found.program;
	if (!program) throw new Rejection('program_key_unknown');
	const [sale] = found.sale;
	if (!sale) throw new Rejection('sale_not_found');
	return { program, sale };
}

function selectRefundable(ctx: Context, keyHash: string, refund: Refund, opId: string) {
	return ctx.db
		.select({
			id: affiliateSaleEvents.id,
			revision: affiliateSaleEvents.revision,
			amountCents: affiliateSaleEvents.amountCents,
			refundedCents: affiliateSaleEvents.refundedCents,
			currency: affiliateSaleEvents.currency,
			isOwed: sql`${affiliateSaleEvents.commissionState} = 'failed'`.mapWith(Boolean),
			hasRefundWithoutId: hasRefund(sql`r.refund_id IS NULL`),
			hasRefundWithId: hasRefund(sql`r.refund_id IS NOT NULL`),
			hasThisRefundId: hasRefund(sql`r.refund_id = ${refund.refundId ?? null}`),
			/** This request's own refund, where the answer of its commit was lost. */
			own: { outcome: refundEvents.outcome, deductionCents: refundEvents.deductionCents },
			commission: {
				id: commissions.id,
				revision: commissions.revision,
				amountCents: commissions.amountCents,
				deductedCents: commissions.deductedCents,
				status: commissions.status,
				statusBeforeRefund: commissions.statusBeforeRefund,
			},
		})
		.from(affiliateSaleEvents)
		.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
		.leftJoin(refundEvents, eq(refundEvents.opId, opId))
		.where(
			and(
				eq(affiliateSaleEvents.processorEventId, refund.transactionId),
				eq(affiliateSaleEvents.isTest, false),
				eq(affiliateSaleEvents.programId, programIdOfKey(keyHash)),
			),
		);
}

/** Whether the sale that is selected has a real refund of which the condition on `r` holds. */
function hasRefund(condition: SQL): SQL<boolean> {
	return sql`EXISTS (SELECT 1 FROM refund_events r WHERE r.sale_id = ${affiliateSaleEvents.id} AND r.is_test = 0 AND ${condition})`.mapWith(
		Boolean,
	);
}

type EffectivePlan = Exclude<RefundPlan<NonNullable<Refundable['commission']>>, { outcome: 'skipped' }>;

function writeRefund(
	ctx: Context,
	program: TrackedProgram,
	sale: Refundable,
	refund: Refund,
	plan: EffectivePlan,
	opId: string,
): Statement[] {
	const { amountCents = 0 } = plan;
	return [
		ctx.db
			.update(affiliateSaleEvents)
			.set({ refundedCents: sale.refundedCents + amountCents, revision: sale.revision + 1 })
			.where(eq(affiliateSaleEvents.id, sale.id)),
		ctx.db.insert(refundEvents).values({
			programId: program.id,
			saleId: sale.id,
			refundId: refund.refundId ?? null,
			isTest: false,
			amountCents,
			deductionCents: plan.outcome === 'no_commission' ? null : plan.deductionCents,
			outcome: plan.outcome,
			reason: refund.reason ?? null,
			createdAt: ctx.now,
			refundDay: dayOf(ctx.now, program.timeZone),
			opId,
		}),
		...(plan.outcome === 'no_commission' ? [] : reverseCommission(ctx, sale.id, plan, refund.reason, opId)),
		insertOutbox(ctx, opId, 'sale_refunded', program.id, sql`(SELECT id FROM refund_events WHERE op_id = ${opId})`),
	];
}

/** The commission's new state and the ledger entry of the deduction. */
function reverseCommission(
	ctx: Context,
	saleId: number,
	plan: Exclude<EffectivePlan, { outcome: 'no_commission' }>,
	reason: string | undefined,
	opId: string,
): Statement[] {
	const { commission, deductionCents } = plan;
	return [
		ctx.db
			.update(commissions)
			.set({
				status: plan.outcome,
				statusBeforeRefund: plan.statusBeforeRefund,
				deductedCents: commission.deductedCents + deductionCents,
				revision: commission.revision + 1,
				...(reason === undefined ? {} : { refundReason: reason }),
			})
			.where(eq(commissions.id, commission.id)),
		deductFromCommission(ctx, saleId, deductionCents, opId),
	];
}

function receiptOf(
	sale: Refundable,
	refund: { outcome: (typeof refundEvents.$inferSelect)['outcome']; deductionCents: number | null; commission: { id: number } | null },
): RefundReceipt {
	const { outcome, deductionCents, commission } = refund;
	if ((outcome !== 'reversed' && outcome !== 'refunded') || !commission)
		return { outcome: 'no_commission', isOwed: sale.isOwed, isRecorded: true };
	return { outcome, commissionId: commission.id, deductionCents: deductionCents ?? 0, currency: sale.currency };
}
