import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { PaymentIds } from '../domain/processors/processor-event.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { type PaymentSale, selectRefundable } from '../refunds/find-refundable.ts';
import { countingSaleId, saleIdBy } from '../ledger/sale-id.ts';

export interface ProgramScope {
	readonly programId: number;
	readonly isTest: boolean;
	/** The program's id if payment ids belong to the program, otherwise 0 (decision 55). */
	readonly idScope: number;
}

/** A payment id that leads to a sale in any program, as its transaction_id or alias. */
export interface KnownId {
	readonly paymentId: string;
	readonly saleId: number;
	readonly programId: number;
	/** The sale's operation id. */
	readonly opId: string;
}

export function readsByIds(ctx: Context, scope: ProgramScope, paymentIds: readonly string[]) {
	return { known: selectKnownIds(ctx, scope, paymentIds), sales: selectPaymentSales(ctx, scope, paymentIds) };
}

/** Ids that already lead to a sale. A program's own ids never lead to another program's sales. */
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

/** The program's sales of any of the ids, earliest first. For duplicates, the sale that counts. */
function selectPaymentSales(ctx: Context, scope: ProgramScope, paymentIds: readonly string[]) {
	const condition = sql`${affiliateSaleEvents.id} IN (${countingSaleId(saleIdsBy(scope, paymentIds))})`;
	return selectRefundable(ctx, scope.programId, condition).orderBy(affiliateSaleEvents.id);
}

/** A subquery. */
export function saleIdsBy({ programId, isTest }: ProgramScope, paymentIds: readonly string[]): SQL {
	return sql`SELECT ${saleIdBy(sql`named.value`, programId, isTest)} FROM json_each(${JSON.stringify(paymentIds)}) AS named`;
}

/** Ids of payments that were reported without a sale. */
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

export interface FoundPayment {
	readonly sale: PaymentSale;
	/** Later sales that proved to be the same payment. */
	readonly duplicates: readonly PaymentSale[];
	/** Ids without a sale yet. */
	readonly newIds: readonly string[];
	readonly invoiceId: string | null;
}

interface KnownPayment {
	readonly known: readonly KnownId[];
	readonly sales: readonly PaymentSale[];
}

/** Undefined if no id leads to a sale of the program. A sale of another invoice is another payment, and keeps the ids that both share. */
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

/** Ids without a sale yet. If one leads to another invoice's sale, only this invoice's id is new, because the rest belong to both. */
export function newIdsOf({ paymentIds, invoiceId }: PaymentIds, { known, sales }: KnownPayment): string[] {
	const taken = new Set(known.map((id) => id.paymentId));
	const isShared = sales.some((sale) => !isOfInvoice(sale, invoiceId ?? null));
	return [...new Set(paymentIds)].filter((id) => !taken.has(id) && (!isShared || id === invoiceId));
}

function isOfInvoice(sale: PaymentSale, invoiceId: string | null): boolean {
	return sale.invoiceId === null || invoiceId === null || sale.invoiceId === invoiceId;
}
