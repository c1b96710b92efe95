import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { refundedOf, reportedOf, type ReportedReversal, reportedWith } from '../domain/refunds/refunded-amount.ts';
import { deltasOfDuplicate } from '../domain/reporting/metric-deltas.ts';
import { planMovement } from '../domain/refunds/reversal.ts';
import type { Books, FoundPayment } from './find-payment.ts';
import type { RefundableRow } from '../refunds/find-refundable.ts';
import { insertAliases } from '../ledger/sale-id.ts';
import { insertDuplicateOutbox, refundOutboxKey } from '../refunds/refund-outbox.ts';
import { type SaleMovement, updateSale, writeMovement } from '../refunds/write-movement.ts';

/** New facts about a payment from an event. */
export interface PaymentNews {
	/** The total charge. */
	readonly charged: { readonly cents: number; readonly currency: string } | undefined;
	readonly reversal: ReportedReversal | undefined;
	/** Why money was refunded, or no longer is. */
	readonly reason: string | undefined;
}

/** Plans the new facts about a payment whose sale is known. For a test sale only its ids. */
export function planNews(ctx: Context, { isTest }: Books, found: FoundPayment, { opId, ...news }: PaymentNews & { readonly opId: string }) {
	if (!isTest) {
		const { writes, effects } = planSettlement(ctx, found, news, opId);
		return { writes, effects };
	}
	const { sale, newIds, invoiceId } = found;
	const writes = [
		...(invoiceId === sale.invoiceId ? [] : [updateSale(ctx, sale, { invoiceId })]),
		...(newIds.length > 0 ? [insertAliases(ctx, sale.id, true, newIds)] : []),
	];
	return { writes, effects: [] };
}

/**
 * Plans how a payment's sale takes in all that was reported: its ids, charge, refunds and disputes. If two sales turn out to be one
 * payment, the earlier stays and takes over the reversals of the later, which is reversed whole. Nothing is written if nothing is new;
 * `movement` belongs to the sale that counts.
 */
export function planSettlement(ctx: Context, found: FoundPayment, news: PaymentNews, opId: string) {
	const { sale, duplicates, newIds, invoiceId } = found;
	const told = reportedReversalsOf(found, news.reversal);
	const changed = told.filter((reversal) => !sale.told.some((known) => TOLD.every((field) => known[field] === reversal[field])));
	const { chargedCents, chargedCurrency } = chargedFor(found, news);
	const reportedRefundCents = Math.min(reportedOf([sale, ...duplicates]), sale.amountCents);

	const refundedCents = refundedOf({ ...sale, chargedCents, chargedCurrency, reportedRefundCents }, told);
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

/** All reported refunds and disputes of the payment, with the new one. */
export function reportedReversalsOf(
	{ sale, duplicates }: Pick<FoundPayment, 'sale' | 'duplicates'>,
	reversal: ReportedReversal | undefined,
): ReportedReversal[] {
	return reportedWith(sale.told, [...duplicates.flatMap(({ told }) => told), ...(reversal ? [reversal] : [])]);
}

/** The first reported charge of the payment; a charge of 0 says nothing. */
export function chargedFor(
	{ sale, duplicates }: Pick<FoundPayment, 'sale' | 'duplicates'>,
	{ charged }: PaymentNews,
): Pick<RefundableRow, 'chargedCents' | 'chargedCurrency'> {
	const known = [sale, ...duplicates].find((row) => row.chargedCents !== null);
	if (known) return { chargedCents: known.chargedCents, chargedCurrency: known.chargedCurrency };
	return charged && charged.cents > 0
		? { chargedCents: charged.cents, chargedCurrency: charged.currency }
		: { chargedCents: null, chargedCurrency: null };
}

/** A sale may also change because other facts became known with the reversal. */
function reasonOf({ reversal, reason }: PaymentNews, movement: SaleMovement | undefined): string | undefined {
	const isDispute = reversal?.kind === 'dispute';
	if (movement?.outcome !== 'reinstated') return isDispute ? `Disputed${reason === undefined ? '' : `: ${reason}`}` : reason;
	if (reversal?.undoneAt === undefined || reversal.undoneAt === null) return 'The payment processor told what the refund is a share of';
	return isDispute ? 'The dispute was won' : 'The refund failed at the payment processor';
}

/** The later sale of a payment no longer counts; its own duplicates become the earlier one's. */
function reverseDuplicate(ctx: Context, duplicate: RefundableRow, earlier: RefundableRow, opId: string) {
	const { commission } = duplicate;
	const movement = planMovement(duplicate, commission ?? undefined, duplicate.amountCents);
	const moves = deltasOfDuplicate(duplicate, commission ?? undefined);
	const reason = `The same payment as sale ${earlier.id}, which was recorded first`;
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

const TOLD = ['kind', 'reversalId', 'amountCents', 'happenedAt', 'undoneAt', 'stoodAt', 'chargeId', 'chargeCents'] as const;

/** Stores reported reversals in any order: see toldWith. */
function keepReported(ctx: Context, saleId: number, told: readonly ReportedReversal[]): Statement {
	return ctx.db.run(sql`
		INSERT INTO payment_reversals
			(sale_id, kind, reversal_id, amount_cents, currency, happened_at, undone_at, stood_at, charge_id, charge_cents)
		SELECT ${saleId}, value ->> 'kind', value ->> 'reversalId', value ->> 'amountCents', value ->> 'currency',
			value ->> 'happenedAt', value ->> 'undoneAt', value ->> 'stoodAt', value ->> 'chargeId', value ->> 'chargeCents'
		FROM json_each(${JSON.stringify(told)}) WHERE true
		ON CONFLICT (sale_id, kind, reversal_id) DO UPDATE
		SET amount_cents = excluded.amount_cents, happened_at = excluded.happened_at, undone_at = excluded.undone_at,
			stood_at = excluded.stood_at, charge_id = excluded.charge_id, charge_cents = excluded.charge_cents`);
}
