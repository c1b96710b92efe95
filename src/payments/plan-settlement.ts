import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { refundedOf, reportedOf, type ReportedReversal, reportedWith } from '../domain/refunds/refunded-amount.ts';
import { deltasOfDuplicate } from '../domain/reporting/metric-deltas.ts';
import { planMovement } from '../domain/refunds/reversal.ts';
import type { ProgramScope, FoundPayment } from './find-payment.ts';
import type { RefundableRow } from '../refunds/find-refundable.ts';
import { insertAliases } from '../ledger/sale-id.ts';
import { insertDuplicateOutbox, refundOutboxKey } from '../refunds/refund-outbox.ts';
import { type SaleMovement, updateSale, writeMovement } from '../refunds/write-movement.ts';

/** What one event adds to a payment. */
export interface PaymentNews {
	/** The whole charge. */
	readonly charged: { readonly cents: number; readonly currency: string } | undefined;
	readonly reversal: ReportedReversal | undefined;
	/** Why money was refunded, or why a refund no longer counts. */
	readonly reason: string | undefined;
}

/** Includes this event's. */
export interface KnownReversals extends Pick<RefundableRow, 'chargedCents' | 'chargedCurrency'> {
	readonly reported: readonly ReportedReversal[];
}

/** A test sale only gets the ids, because its money never changes. */
export function planNews(
	ctx: Context,
	{ isTest }: ProgramScope,
	found: FoundPayment,
	{ opId, ...news }: PaymentNews & { readonly opId: string },
) {
	if (!isTest) {
		const { writes, effects } = planSettlement(ctx, found, news, { known: knownWith(found, news), opId });
		return { writes, effects };
	}
	const { sale, newIds, invoiceId } = found;
	const writes = [
		...(invoiceId === sale.invoiceId ? [] : [updateSale(ctx, sale, { invoiceId })]),
		...(newIds.length > 0 ? [insertAliases(ctx, sale.id, true, newIds)] : []),
	];
	return { writes, effects: [] };
}

/** The first reported charge counts, unless it is 0. */
export function knownWith({ sale, duplicates }: FoundPayment, { charged, reversal }: PaymentNews): KnownReversals {
	const first = [sale, ...duplicates].find((row) => row.chargedCents !== null);
	const news = charged && charged.cents > 0 ? charged : undefined;
	return {
		chargedCents: first ? first.chargedCents : (news?.cents ?? null),
		chargedCurrency: first ? first.chargedCurrency : (news?.currency ?? null),
		reported: reportedWith(sale.reportedReversals, [
			...duplicates.flatMap(({ reportedReversals }) => reportedReversals),
			...(reversal ? [reversal] : []),
		]),
	};
}

/**
 * Plans a sale's ids, charge and refunded amount from everything reported about its payment. If two sales are one payment, the later one is
 * reversed and the earlier one gets its reports. Writes nothing if nothing changed.
 */
export function planSettlement(
	ctx: Context,
	found: FoundPayment,
	news: PaymentNews,
	{ known, opId }: { readonly known: KnownReversals; readonly opId: string },
) {
	const { sale, duplicates, newIds, invoiceId } = found;
	const { reported, chargedCents, chargedCurrency } = known;
	const changed = reported.filter(
		(reversal) => !sale.reportedReversals.some((stored) => REPORTED.every((field) => stored[field] === reversal[field])),
	);
	const reportedRefundCents = Math.min(reportedOf([sale, ...duplicates]), sale.amountCents);

	const refundedCents = refundedOf({ ...sale, chargedCents, chargedCurrency, reportedRefundCents }, reported);
	const movement = planMovement(sale, sale.commission ?? undefined, refundedCents);
	const isAttached = chargedCents !== sale.chargedCents || invoiceId !== sale.invoiceId;
	if (!isAttached && newIds.length + duplicates.length + changed.length === 0) return { movement: undefined, writes: [], effects: [] };

	const source = { source: 'processor', refundId: news.reversal?.reversalId, reason: reasonOf(news, movement), opId } as const;
	const reversed = duplicates.map((duplicate) => reverseDuplicate(ctx, duplicate, sale, `${opId}/${duplicate.id}`));
	return {
		movement,
		writes: [
			updateSale(ctx, sale, { refundedCents, reportedRefundCents, chargedCents, chargedCurrency, invoiceId }),
			...(newIds.length > 0 ? [insertAliases(ctx, sale.id, false, newIds)] : []),
			...(changed.length > 0 ? [keepReported(ctx, sale.id, changed)] : []),
			...(movement ? writeMovement(ctx, sale, movement, source) : []),
			...reversed.flatMap(({ writes }) => writes),
		],
		effects: [...(movement ? [refundOutboxKey(sale.programId, opId)] : []), ...reversed.flatMap(({ effects }) => effects)],
	};
}

const REPORTED = ['kind', 'reversalId', 'amountCents', 'happenedAt', 'undoneAt', 'stoodAt', 'chargeId', 'chargeCents'] as const;

/** A reason for people. A sale may also be reinstated because the event reports the charge of which its refunds are shares. */
function reasonOf({ reversal, reason }: PaymentNews, movement: SaleMovement | undefined): string | undefined {
	const isDispute = reversal?.kind === 'dispute';
	if (movement?.outcome !== 'reinstated') return isDispute ? `Disputed${reason === undefined ? '' : `: ${reason}`}` : reason;
	if (reversal?.undoneAt === undefined || reversal.undoneAt === null) return 'The payment processor has reported the charge of the refund';
	return isDispute ? 'The dispute was won' : 'The refund failed at the payment processor';
}

/** Removes the later sale of a payment from the metrics. Its duplicates become duplicates of the earlier sale. */
function reverseDuplicate(ctx: Context, duplicate: RefundableRow, earlier: RefundableRow, opId: string) {
	const { commission } = duplicate;
	const movement = planMovement(duplicate, commission ?? undefined, duplicate.amountCents);
	const moves = deltasOfDuplicate(duplicate, commission ?? undefined);
	const reason = `This is the same payment as sale ${earlier.id}, which was recorded first`;
	const source = { source: 'processor', refundId: undefined, reason, opId } as const;
	return {
		writes: [
			ctx.db.run(sql`
				UPDATE affiliate_sale_events SET duplicate_of_sale_id = ${earlier.id}, revision = revision + 1
				WHERE duplicate_of_sale_id = ${duplicate.id}`),
			updateSale(ctx, duplicate, { refundedCents: duplicate.amountCents, duplicateOfSaleId: earlier.id }),
			...(movement
				? writeMovement(ctx, duplicate, { ...movement, moves }, source)
				: [insertDuplicateOutbox(ctx, duplicate.id, opId, moves)]),
		],
		effects: movement ? [refundOutboxKey(duplicate.programId, opId)] : [],
	};
}

/** Stores merged values from `reportedWith`, so the order of reports makes no difference. */
function keepReported(ctx: Context, saleId: number, reported: readonly ReportedReversal[]): Statement {
	return ctx.db.run(sql`
		INSERT INTO payment_reversals
			(sale_id, kind, reversal_id, amount_cents, currency, happened_at, undone_at, stood_at, charge_id, charge_cents)
		SELECT ${saleId}, value ->> 'kind', value ->> 'reversalId', value ->> 'amountCents', value ->> 'currency',
			value ->> 'happenedAt', value ->> 'undoneAt', value ->> 'stoodAt', value ->> 'chargeId', value ->> 'chargeCents'
		FROM json_each(${JSON.stringify(reported)}) WHERE true
		ON CONFLICT (sale_id, kind, reversal_id) DO UPDATE
		SET amount_cents = excluded.amount_cents, happened_at = excluded.happened_at, undone_at = excluded.undone_at,
			stood_at = excluded.stood_at, charge_id = excluded.charge_id, charge_cents = excluded.charge_cents`);
}
