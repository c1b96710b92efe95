import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { PaymentIds } from '../domain/processor-event.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { type RefundableRow, selectRefundable } from '../refunds/find-refundable.ts';
import { countingSaleId } from '../sales/sale-id.ts';

/** The payments of a program, real or test. */
export interface Books {
	readonly programId: number;
	readonly isTest: boolean;
}

/** An id of a payment that leads to a sale, of whatever program: as its transaction_id or as an alias. */
export interface KnownId {
	readonly paymentId: string;
	readonly saleId: number;
	readonly programId: number;
	/** Of the sale. */
	readonly opId: string;
}

/** What is known of a payment by its ids. */
export function readsByIds(ctx: Context, books: Books, paymentIds: readonly string[]) {
	return { known: selectKnownIds(ctx, paymentIds, books.isTest), sales: selectPaymentSales(ctx, books, paymentIds) };
}

/** Which of the ids lead to a sale already. */
function selectKnownIds(ctx: Context, paymentIds: readonly string[], isTest: boolean) {
	const named = sql`json_each(${JSON.stringify([...new Set(paymentIds)])}) AS named`;
	const test = isTest ? 1 : 0;
	const columns = {
		paymentId: sql<string>`paymentId`,
		saleId: sql<number>`saleId`,
		programId: sql<number>`programId`,
		opId: sql<string>`opId`,
	};
	return ctx.db.select(columns).from(sql`(
		SELECT s.processor_event_id AS paymentId, s.id AS saleId, s.program_id AS programId, s.op_id AS opId
		FROM ${named} CROSS JOIN affiliate_sale_events s ON s.processor_event_id = named.value AND s.is_test = ${test}
		UNION ALL
		SELECT a.alias, s.id, s.program_id, s.op_id FROM ${named} CROSS JOIN sale_aliases a ON a.alias = named.value AND a.is_test = ${test}
		JOIN affiliate_sale_events s ON s.id = a.sale_id)`);
}

/** The sales of the program that any of the ids leads to, the earliest first; of duplicates the one that counts. */
function selectPaymentSales(ctx: Context, { programId, isTest }: Books, paymentIds: readonly string[]) {
	const chosen = sql`${affiliateSaleEvents.id} IN (${countingSaleId(saleIdsBy(paymentIds, isTest))})`;
	return selectRefundable(ctx, programId, chosen).orderBy(affiliateSaleEvents.id);
}

/** A sale of the subscription, whoever reported it. */
export function selectSaleOfSubscription(ctx: Context, programId: number, subscriptionId: string) {
	return ctx.db
		.select({ id: affiliateSaleEvents.id })
		.from(affiliateSaleEvents)
		.where(
			and(
				eq(affiliateSaleEvents.programId, programId),
				eq(affiliateSaleEvents.subscriptionId, subscriptionId),
				eq(affiliateSaleEvents.isTest, false),
			),
		)
		.limit(1);
}

/** The sales that the ids lead to, as a subquery. */
export function saleIdsBy(paymentIds: readonly string[], isTest: boolean): SQL {
	const named = sql`json_each(${JSON.stringify(paymentIds)}) AS named`;
	const test = isTest ? 1 : 0;
	return sql`
		SELECT s.id FROM ${named} CROSS JOIN affiliate_sale_events s ON s.processor_event_id = named.value AND s.is_test = ${test}
		UNION ALL SELECT sale_id FROM ${named} CROSS JOIN sale_aliases ON alias = named.value AND is_test = ${test}`;
}

/** The sale of a payment, and what else is known of its ids. */
export interface FoundPayment {
	readonly sale: RefundableRow;
	/** Later sales of the same payment that nobody knew to be such. */
	readonly duplicates: readonly RefundableRow[];
	/** Ids that lead nowhere yet. */
	readonly newIds: readonly string[];
	/** The invoice that the sale stands for, where one is known. */
	readonly invoiceId: string | null;
}

interface KnownPayment {
	readonly known: readonly KnownId[];
	readonly sales: readonly RefundableRow[];
}

/**
 * Undefined where no sale of the program is known by any of the ids. A sale that stands for another invoice than the one told of
 * is of another payment: an id that both have stays with it.
 */
export function foundPaymentOf(ids: PaymentIds, found: KnownPayment): FoundPayment | undefined {
	const [sale, ...later] = found.sales.filter((candidate) => isOfInvoice(candidate, ids.invoiceId ?? null));
	if (!sale) return undefined;
	let invoiceId = ids.invoiceId ?? sale.invoiceId;
	const duplicates = later.filter((candidate) => {
		if (!isOfInvoice(candidate, invoiceId)) return false;
		invoiceId ??= candidate.invoiceId;
		return true;
	});
	return { sale, duplicates, newIds: newIdsOf(ids, found), invoiceId };
}

/** Ids that lead nowhere yet. Where others lead to what was paid for another invoice, only the invoice's own: the rest is of both. */
export function newIdsOf({ paymentIds, invoiceId }: PaymentIds, { known, sales }: KnownPayment): string[] {
	const taken = new Set(known.map((id) => id.paymentId));
	const isShared = sales.some((sale) => !isOfInvoice(sale, invoiceId ?? null));
	return [...new Set(paymentIds)].filter((id) => !taken.has(id) && (!isShared || id === invoiceId));
}

function isOfInvoice(sale: RefundableRow, invoiceId: string | null): boolean {
	return sale.invoiceId === null || invoiceId === null || sale.invoiceId === invoiceId;
}
