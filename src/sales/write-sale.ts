import { eq, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Given, prepare } from '../db/prepare.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { dayOf } from '../domain/calendar.ts';
import type { Earning, NoCommissionReason } from '../domain/commission.ts';
import type { Sale } from '../domain/sale.ts';
import { isRenewable } from './find-sale.ts';
import { saleIdOf } from './sale-id.ts';
import { customerIdOf, type CustomerReference } from '../customers/write-customer.ts';

export type Earned = Extract<Earning, { kind: 'earned' }>;

/** What became of the commission of a sale. */
export type SaleOutcome =
	| { readonly state: 'made'; readonly earning: Earned }
	| { readonly state: 'none'; readonly reason: NoCommissionReason }
	| { readonly state: 'failed'; readonly owed: Earned };

export interface SaleRow extends Omit<Sale, 'currency'> {
	readonly programId: number;
	readonly customer: CustomerReference;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly saleDay: string;
	readonly insideWindow: boolean;
	/** The known customer of whose subscription this is the first sale: the batch is refused where another one came between. */
	readonly startsSubscriptionOf?: number | undefined;
	readonly outcome: SaleOutcome;
	/** Null where no processor told. */
	readonly chargedCents: number | null;
	readonly invoiceId: string | null;
	readonly opId: string;
}

export function insertSale(ctx: Context, { customer, outcome, ...row }: SaleRow) {
	return insertRow(ctx, {
		programId: row.programId,
		transactionId: row.transactionId,
		...customer,
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
		startsSubscriptionOf: row.startsSubscriptionOf,
		state: outcome.state,
		reason: outcome.state === 'none' ? outcome.reason : null,
		owed: outcome.state === 'failed' ? JSON.stringify(outcome.owed) : null,
		chargedCents: row.chargedCents,
		chargedCurrency: row.chargedCents === null ? null : row.currency,
		invoiceId: row.invoiceId,
		saleDay: row.saleDay,
		opId: row.opId,
	});
}

type Nullable<Values> = { readonly [Name in keyof Values]-?: Exclude<Values[Name], undefined> | null };

interface NewSale
	extends
		Omit<
			SaleRow,
			'customer' | 'outcome' | 'subscriptionId' | 'subscriptionInterval' | 'productId' | 'lineItems' | 'customerKey' | 'clickId'
		>,
		Nullable<Pick<Sale, 'subscriptionId' | 'subscriptionInterval' | 'productId' | 'lineItems'>>,
		CustomerReference {
	readonly chargedCurrency: string | null;
	readonly state: SaleOutcome['state'];
	readonly reason: NoCommissionReason | null;
	readonly owed: string | null;
}

const insertRow = prepare(({ db, now }, given: Given<NewSale>) =>
	db.insert(affiliateSaleEvents).values({
		programId: given.programId,
		processorEventId: given.transactionId,
		isTest: false,
		customerId: customerIdOf(given.programId, given),
		partnerProgramId: given.partnerProgramId,
		amountCents: given.amountCents,
		currency: given.currency,
		saleType: given.saleType,
		isRecurring: given.isRecurring,
		subscriptionId: given.subscriptionId,
		subscriptionInterval: given.subscriptionInterval,
		productId: given.productId,
		lineItems: given.lineItems,
		insideWindow: given.insideWindow,
		commissionState: given.state,
		noCommissionReason: given.reason,
		owedCommission: given.owed,
		chargedCents: given.chargedCents,
		chargedCurrency: given.chargedCurrency,
		invoiceId: given.invoiceId,
		createdAt: now,
		saleDay: given.saleDay,
		opId: given.startsSubscriptionOf ? unlessRenewal(given, given.startsSubscriptionOf) : given.opId,
	}),
);

/** Null, which the column refuses, where the subscription has a first sale by now: see isRaced. */
function unlessRenewal({ programId, subscriptionId, opId }: Given<NewSale>, customerId: SQL): SQL<string> {
	return sql`iif(EXISTS (SELECT 1 FROM ${affiliateSaleEvents} WHERE ${isRenewable(programId, subscriptionId, customerId)}), NULL, ${opId})`;
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

/** The commission of the sale that has this transaction_id, made on the calendar day `day`. Its credit is an entry of its own: creditCommission. */
export function insertCommission(
	ctx: Context,
	of: { transactionId: string; programId: number; partnerProgramId: number; currency: string; day: string },
	{ ruleVersionId, amountCents, status, holdUntil }: Earned,
) {
	return insertCommissionRow(ctx, { ...of, ruleVersionId, amountCents, status, holdUntil });
}

interface NewCommission extends Omit<Earned, 'kind'> {
	readonly transactionId: string;
	readonly programId: number;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly day: string;
}

const insertCommissionRow = prepare(({ db, now }, given: Given<NewCommission>) =>
	db.insert(commissions).values({
		programId: given.programId,
		partnerProgramId: given.partnerProgramId,
		saleId: saleIdOf(given.transactionId, false),
		ruleVersionId: given.ruleVersionId,
		amountCents: given.amountCents,
		currency: given.currency,
		status: given.status,
		holdUntil: given.holdUntil,
		createdAt: now,
		createdDay: given.day,
	}),
);

/** What the batch has recorded. */
export function selectReceipt(ctx: Context, transactionId: string, isTest: boolean) {
	return ctx.db
		.select({
			saleId: affiliateSaleEvents.id,
			commissionId: commissions.id,
			reason: sql<NoCommissionReason | null>`${affiliateSaleEvents.noCommissionReason}`,
		})
		.from(affiliateSaleEvents)
		.leftJoin(commissions, eq(commissions.saleId, affiliateSaleEvents.id))
		.where(eq(affiliateSaleEvents.id, saleIdOf(transactionId, isTest)));
}
