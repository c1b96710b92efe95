import { and, eq, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { StatementContext, Param } from '../db/prepare.ts';
import { commissions } from '../db/schema/money.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import type { NoCommissionReason } from '../domain/commissions/commission.ts';
import type { RefundReport, ReportedReversal } from '../domain/refunds/refunded-amount.ts';
import { once } from '../once.ts';

// A sale with everything that decides about its refunds.

const StoredReversals = once(() =>
	z.array(
		z.object({
			kind: z.enum(['refund', 'dispute', 'total']),
			reversalId: z.string(),
			amountCents: z.number(),
			currency: z.string(),
			happenedAt: z.number(),
			undoneAt: z.nullable(z.number()),
			stoodAt: z.nullable(z.number()),
			chargeId: z.nullable(z.string()),
			chargeCents: z.nullable(z.number()),
		}),
	),
);

const reportedReversals = sql<ReportedReversal[]>`(
	SELECT json_group_array(json_object('kind', kind, 'reversalId', reversal_id, 'amountCents', amount_cents, 'currency', currency,
		'happenedAt', happened_at, 'undoneAt', undone_at, 'stoodAt', stood_at, 'chargeId', charge_id,
		'chargeCents', charge_cents))
	FROM payment_reversals WHERE sale_id = ${affiliateSaleEvents.id}
)`.mapWith((json: string) => StoredReversals().parse(JSON.parse(json)));

/** The selected sale and its duplicates, which are the same payment. */
export const SALE_AND_DUPLICATES = sql`(
	SELECT ${affiliateSaleEvents.id} UNION ALL SELECT d.id FROM affiliate_sale_events d WHERE d.duplicate_of_sale_id = ${affiliateSaleEvents.id}
)`;

const Reports = once(() => z.array(z.object({ refundId: z.nullable(z.string()), cents: z.nullable(z.number()) })));

/** Refunds skipped before `reported_cents` existed have no amount. */
const reports = sql<RefundReport[]>`(
	SELECT json_group_array(json_object('refundId', refund_id, 'cents', coalesce(reported_cents, nullif(amount_cents, 0))))
	FROM refund_events WHERE sale_id IN ${SALE_AND_DUPLICATES} AND is_test = 0 AND source = 'endpoint'
)`.mapWith((json: string) => Reports().parse(JSON.parse(json)));

export const refundableSale = {
	id: affiliateSaleEvents.id,
	transactionId: affiliateSaleEvents.transactionId,
	programId: affiliateSaleEvents.programId,
	timeZone: programs.timeZone,
	revision: affiliateSaleEvents.revision,
	amountCents: affiliateSaleEvents.amountCents,
	currency: affiliateSaleEvents.currency,
	saleDay: affiliateSaleEvents.saleDay,
	chargedCents: affiliateSaleEvents.chargedCents,
	chargedCurrency: affiliateSaleEvents.chargedCurrency,
	invoiceId: affiliateSaleEvents.invoiceId,
	refundedCents: affiliateSaleEvents.refundedCents,
	reportedRefundCents: affiliateSaleEvents.reportedRefundCents,
	/** Creating its commission failed and will be retried. */
	isOwed: sql`${affiliateSaleEvents.commissionState} = 'failed'`.mapWith(Boolean),
	noCommissionReason: sql<NoCommissionReason | null>`${affiliateSaleEvents.noCommissionReason}`,
	reportedReversals,
	commission: {
		id: commissions.id,
		partnerProgramId: commissions.partnerProgramId,
		revision: commissions.revision,
		amountCents: commissions.amountCents,
		deductedCents: commissions.deductedCents,
		status: commissions.status,
		statusBeforeRefund: commissions.statusBeforeRefund,
		paidAt: commissions.paidAt,
		createdDay: commissions.createdDay,
	},
} as const;

export type PaymentSale = Awaited<ReturnType<typeof selectRefundable>>[number];
export type RefundableRow = Omit<PaymentSale, 'reports'>;

export function selectRefundable(ctx: StatementContext, programId: Param<number>, condition: SQL) {
	return (
		ctx.db
			.select({ ...refundableSale, reports })
			.from(affiliateSaleEvents)
			.innerJoin(programs, eq(programs.id, affiliateSaleEvents.programId))
			.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
			// The plus keeps SQLite from preferring the index of the program's sales to the one for the condition.
			.where(and(condition, sql`+${affiliateSaleEvents.programId} = ${programId}`))
	);
}
