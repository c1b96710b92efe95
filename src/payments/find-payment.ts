import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { PaymentIds } from '../domain/processors/processor-event.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { type PaymentSale, selectRefundable } from '../refunds/find-refundable.ts';
import { countingSaleId, saleIdBy } from '../ledger/sale-id.ts';

/** The payments of a program, real or test. */
export interface ProgramScope {
	readonly programId: number;
	readonly isTest: boolean;
	/** The program, if the payments have ids of its own; else 0 (decision 55). */
	readonly idScope: number;
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
export function readsByIds(ctx: Context, scope: ProgramScope, paymentIds: readonly string[]) {
	return { known: selectKnownIds(ctx, scope, paymentIds), sales: selectPaymentSales(ctx, scope, paymentIds) };
}

/** Which of the ids lead to a sale already. The program's own ids never lead to another program's. */
function selectKnownIds(ctx: Context, { programId, isTest, idScope }: ProgramScope, paymentIds: readonly string[]) {
	const ids = JSON.stringify([...new Set(paymentIds)]);
	const found = sql`s.id = ${saleIdBy(sql`named.value`, programId, isTest)}`;
	const ofProgram = idScope === 0 ? sql`` : sql`WHERE s.program_id = ${programId}`;
	const columns = {
		paymentId: sql<string>`paymentId`,
		saleId: sql<number>`saleId`,
		programId: sql<number>`programId`,
		opId: sql<string>`opId`,
	};
	return ctx.db.select(columns).from(sql`(
		SELECT named.value AS paymentId, s.id AS saleId, s.program_id AS programId, s.op_id AS opId
		FROM json_each(${ids}) AS named CROSS JOIN affiliate_sale_events s ON ${found} ${ofProgram})`);
}

/** The sales of the program that any of the ids leads to, the earliest first; of duplicates the one that counts. */
function selectPaymentSales(ctx: Context, scope: ProgramScope, paymentIds: readonly string[]) {
	const condition = sql`${affiliateSaleEvents.id} IN (${countingSaleId(saleIdsBy(scope, paymentIds))})`;
	return selectRefundable(ctx, scope.programId, condition).orderBy(affiliateSaleEvents.id);
}

/** The sales that the ids lead to, as a subquery. */
export function saleIdsBy({ programId, isTest }: ProgramScope, paymentIds: readonly string[]): SQL {
	return sql`SELECT ${saleIdBy(sql`named.value`, programId, isTest)} FROM json_each(${JSON.stringify(paymentIds)}) AS named`;
}

/** The ids of a payment that was reported but has no sale. */
export function selectUnsold(ctx: Context, scope: ProgramScope, paymentIds: readonly string[]) {
	return ctx.db
		.select({ processorId: processorReferences.processorId })
		.from(processorReferences)
		.where(and(isOfIds(scope, paymentIds), eq(processorReferences.isUnsold, true)));
}

export function isOfIds({ programId, isTest }: ProgramScope, processorIds: readonly string[]) {
	return and(
		eq(processorReferences.programId, programId),
		eq(processorReferences.isTest, isTest),
		sql`${processorReferences.processorId} IN (SELECT value FROM json_each(${JSON.stringify(processorIds)}))`,
	);
}

/** The sale of a payment, and what else is known of its ids. */
export interface FoundPayment {
	readonly sale: PaymentSale;
	/** Later sales of the same payment that nobody knew to be such. */
	readonly duplicates: readonly PaymentSale[];
	/** Ids that lead nowhere yet. */
	readonly newIds: readonly string[];
	/** The invoice that the sale stands for, where one is known. */
	readonly invoiceId: string | null;
}

interface KnownPayment {
	readonly known: readonly KnownId[];
	readonly sales: readonly PaymentSale[];
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

function isOfInvoice(sale: PaymentSale, invoiceId: string | null): boolean {
	return sale.invoiceId === null || invoiceId === null || sale.invoiceId === invoiceId;
}
