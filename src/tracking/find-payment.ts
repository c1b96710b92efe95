import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { affiliateSaleEvents } from '../db/schema/tracking.ts';
import { countingSaleId, type RefundableRow, selectRefundable } from './find-refundable.ts';

/** An id of a payment that leads to a sale, of whatever program: as its transaction_id or as an alias. */
export interface KnownId {
	readonly paymentId: string;
	readonly saleId: number;
	readonly programId: number;
	/** Of the sale. */
	readonly opId: string;
}

/** Which of the ids lead to a sale already. */
export function selectKnownIds(ctx: Context, paymentIds: readonly string[], isTest: boolean) {
	const ids = JSON.stringify(paymentIds);
	const test = isTest ? 1 : 0;
	return ctx.db.all<KnownId>(sql`
		SELECT processor_event_id AS paymentId, id AS saleId, program_id AS programId, op_id AS opId
		FROM affiliate_sale_events WHERE processor_event_id IN (SELECT value FROM json_each(${ids})) AND is_test = ${test}
		UNION ALL
		SELECT a.alias, s.id, s.program_id, s.op_id FROM sale_aliases a JOIN affiliate_sale_events s ON s.id = a.sale_id
		WHERE a.alias IN (SELECT value FROM json_each(${ids})) AND a.is_test = ${test}`);
}

/** The sales of the program that any of the ids leads to, the earliest first; of duplicates the one that counts. */
export function selectPaymentSales(ctx: Context, programId: number, paymentIds: readonly string[], isTest: boolean) {
	const chosen = sql`${affiliateSaleEvents.id} IN (${countingSaleId(saleIdsBy(paymentIds, isTest))})`;
	return selectRefundable(ctx, programId, chosen).orderBy(affiliateSaleEvents.id);
}

/** The sales that the ids lead to, as a subquery. */
export function saleIdsBy(paymentIds: readonly string[], isTest: boolean): SQL {
	const ids = sql`SELECT value FROM json_each(${JSON.stringify(paymentIds)})`;
	const test = isTest ? 1 : 0;
	return sql`
		SELECT id FROM affiliate_sale_events WHERE processor_event_id IN (${ids}) AND is_test = ${test}
		UNION ALL SELECT sale_id FROM sale_aliases WHERE alias IN (${ids}) AND is_test = ${test}`;
}

/** The sale of a payment, and what else is known of its ids. */
export interface FoundPayment {
	readonly sale: RefundableRow;
	/** Later sales of the same payment that nobody knew to be such. */
	readonly duplicates: readonly RefundableRow[];
	/** Ids that lead nowhere yet. */
	readonly newIds: readonly string[];
}

/** Undefined where no sale of the program is known by any of the ids. */
export function foundPaymentOf(
	paymentIds: readonly string[],
	found: { readonly known: readonly KnownId[]; readonly sales: readonly RefundableRow[] },
): FoundPayment | undefined {
	const [sale, ...duplicates] = found.sales;
	if (!sale) return undefined;
	const known = new Set(found.known.map(({ paymentId }) => paymentId));
	return { sale, duplicates, newIds: [...new Set(paymentIds)].filter((id) => !known.has(id)) };
}
