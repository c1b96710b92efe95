import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents } from '../db/schema/tracking.ts';
import { dayOf } from '../domain/calendar.ts';
import type { Earning, NoCommissionReason } from '../domain/commission.ts';
import type { Sale } from '../domain/sale.ts';

export type Earned = Extract<Earning, { kind: 'earned' }>;

/** What became of the commission of a sale. */
export type SaleOutcome =
	| { readonly state: 'made'; readonly earning: Earned }
	| { readonly state: 'none'; readonly reason: NoCommissionReason }
	| { readonly state: 'failed'; readonly owed: Earned };

export interface SaleRow extends Omit<Sale, 'currency'> {
	readonly programId: number;
	readonly customerId: SQL<number>;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly saleDay: string;
	readonly insideWindow: boolean;
	readonly outcome: SaleOutcome;
	/** Null where no processor told. */
	readonly chargedCents: number | null;
	readonly invoiceId: string | null;
	readonly opId: string;
}

export function insertSale(ctx: Context, row: SaleRow): Statement {
	return ctx.db.insert(affiliateSaleEvents).values({
		programId: row.programId,
		processorEventId: row.transactionId,
		isTest: false,
		customerId: row.customerId,
		partnerProgramId: row.partnerProgramId,
		amountCents: row.amountCents,
		currency: row.currency,
		saleType: row.saleType,
		isRecurring: row.isRecurring,
		subscriptionId: row.subscriptionId ?? null,
		subscriptionInterval: row.subscriptionInterval ?? null,
		productId: row.productId ?? null,
		lineItems: row.lineItems ?? null,
		insideWindow: row.insideWindow,
		commissionState: row.outcome.state,
		noCommissionReason: row.outcome.state === 'none' ? row.outcome.reason : null,
		owedCommission: row.outcome.state === 'failed' ? JSON.stringify(row.outcome.owed) : null,
		chargedCents: row.chargedCents,
		invoiceId: row.invoiceId,
		createdAt: ctx.now,
		saleDay: row.saleDay,
		opId: row.opId,
	});
}

/** A flagged sale of nobody, which earns nothing. */
export function insertTestSale(
	ctx: Context,
	program: { readonly id: number; readonly currency: string; readonly timeZone: string },
	sale: Omit<Sale, 'customerKey' | 'clickId'> & { readonly chargedCents: number | null; readonly invoiceId: string | null },
	opId: string,
) {
	return ctx.db.insert(affiliateSaleEvents).values({
		programId: program.id,
		processorEventId: sale.transactionId,
		isTest: true,
		amountCents: sale.amountCents,
		currency: sale.currency ?? program.currency,
		saleType: sale.saleType,
		isRecurring: sale.isRecurring,
		subscriptionId: sale.subscriptionId ?? null,
		subscriptionInterval: sale.subscriptionInterval ?? null,
		productId: sale.productId ?? null,
		lineItems: sale.lineItems ?? null,
		insideWindow: false,
		commissionState: 'none',
		noCommissionReason: 'test_mode',
		chargedCents: sale.chargedCents,
		invoiceId: sale.invoiceId,
		createdAt: ctx.now,
		saleDay: dayOf(ctx.now, program.timeZone),
		opId,
	});
}

/** The id of the sale that this operation inserts, for the later statements of its batch. */
export function saleIdOf(opId: string): SQL<number> {
	return sql`(SELECT ${affiliateSaleEvents.id} FROM ${affiliateSaleEvents} WHERE ${affiliateSaleEvents.opId} = ${opId})`;
}

/** A new commission, `day` being its calendar day. Its credit is an entry of its own: creditCommission. */
export function insertCommission(
	ctx: Context,
	of: { saleId: SQL<number> | number; programId: number; partnerProgramId: number; currency: string; day: string },
	earning: Earned,
): Statement {
	return ctx.db.insert(commissions).values({
		programId: of.programId,
		partnerProgramId: of.partnerProgramId,
		saleId: sql`${of.saleId}`,
		ruleVersionId: earning.ruleVersionId,
		amountCents: earning.amountCents,
		currency: of.currency,
		status: earning.status,
		holdUntil: earning.holdUntil,
		createdAt: ctx.now,
		createdDay: of.day,
	});
}

/** What this operation recorded. */
export function selectReceipt(ctx: Context, opId: string) {
	return ctx.db
		.select({
			saleId: affiliateSaleEvents.id,
			commissionId: commissions.id,
			reason: sql<NoCommissionReason | null>`${affiliateSaleEvents.noCommissionReason}`,
		})
		.from(affiliateSaleEvents)
		.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
		.where(eq(affiliateSaleEvents.opId, opId));
}
