import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { dayOf } from '../domain/calendar.ts';
import type { Earning, NoCommissionReason } from '../domain/commissions/commission.ts';
import { type DecisionFacts, factsText } from '../domain/commissions/decision-facts.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { isRenewable } from './find-sale.ts';
import { nameOf, type SaleName, saleIdOf } from '../ledger/sale-id.ts';
import { customerIdOf, type CustomerReference } from '../customers/write-customer.ts';

export type Earned = Extract<Earning, { kind: 'earned' }>;

/** What a sale means for its commission. */
export type SaleOutcome =
	| { readonly state: 'made'; readonly earning: Earned }
	| { readonly state: 'none'; readonly reason: NoCommissionReason }
	| { readonly state: 'failed'; readonly owed: Earned };

export interface SaleRow extends Omit<Sale, 'currency' | 'couponCode'> {
	readonly programId: number;
	readonly customer: CustomerReference;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly saleDay: string;
	readonly insideWindow: boolean;
	readonly facts: DecisionFacts;
	/** The customer whose first sale of a subscription this is. The batch fails if another sale was first. */
	readonly startsSubscriptionOf?: number | undefined;
	/** The coupon that attributed the customer. */
	readonly couponId: number | undefined;
	readonly outcome: SaleOutcome;
	/** Null without a processor. */
	readonly chargedCents: number | null;
	readonly invoiceId: string | null;
	readonly opId: string;
}

export function insertSale(ctx: Context, row: SaleRow) {
	return insertRow(ctx, columnsOf(row));
}

function columnsOf({ customer, outcome, ...row }: SaleRow) {
	return {
		...soldColumns(row),
		...customer,
		programId: row.programId,
		partnerProgramId: row.partnerProgramId,
		insideWindow: row.insideWindow,
		decisionFacts: factsText(row.facts),
		startsSubscriptionOf: row.startsSubscriptionOf,
		couponId: row.couponId ?? null,
		commissionState: outcome.state,
		noCommissionReason: outcome.state === 'none' ? outcome.reason : null,
		owedCommission: outcome.state === 'failed' ? JSON.stringify(outcome.owed) : null,
		chargedCurrency: row.chargedCents === null ? null : row.currency,
		saleDay: row.saleDay,
		opId: row.opId,
	};
}

type Sold = Omit<Sale, 'customerKey' | 'clickId' | 'couponCode' | 'currency'> & Pick<SaleRow, 'currency' | 'chargedCents' | 'invoiceId'>;

/** Missing values are null, so that the text of the prepared statement is constant. */
function soldColumns(sale: Sold) {
	return {
		...nameOf(sale),
		amountCents: sale.amountCents,
		currency: sale.currency,
		saleType: sale.saleType,
		isRecurring: sale.isRecurring,
		subscriptionId: sale.subscriptionId ?? null,
		subscriptionInterval: sale.subscriptionInterval ?? null,
		productId: sale.productId ?? null,
		lineItems: sale.lineItems ?? null,
		chargedCents: sale.chargedCents,
		invoiceId: sale.invoiceId,
	};
}

type NewSale = ReturnType<typeof columnsOf>;

const insertRow = prepare(({ db, now }, { startsSubscriptionOf, ...columns }: Placeholders<NewSale>) =>
	db.insert(affiliateSaleEvents).values({
		...columns,
		isTest: false,
		customerId: customerIdOf(columns.programId, columns),
		createdAt: now,
		opId: startsSubscriptionOf ? unlessRenewal(columns, startsSubscriptionOf) : columns.opId,
	}),
);

/** NULL, which fails the batch, if the subscription already has a first sale: see isRaced. */
function unlessRenewal(
	{ programId, subscriptionId, opId }: Placeholders<Pick<NewSale, 'programId' | 'subscriptionId' | 'opId'>>,
	customerId: SQL,
): SQL<string> {
	return sql`iif(EXISTS (SELECT 1 FROM ${affiliateSaleEvents} WHERE ${isRenewable(programId, subscriptionId, customerId)}), NULL, ${opId})`;
}

export function insertTestSale(
	ctx: Context,
	program: { readonly id: number; readonly currency: string; readonly timeZone: string },
	sale: Omit<Sold, 'currency'> & Pick<Sale, 'currency'>,
	opId: string,
) {
	return ctx.db.insert(affiliateSaleEvents).values({
		...soldColumns({ ...sale, currency: sale.currency ?? program.currency }),
		programId: program.id,
		isTest: true,
		insideWindow: false,
		commissionState: 'none',
		noCommissionReason: 'test_mode',
		createdAt: ctx.now,
		saleDay: dayOf(ctx.now, program.timeZone),
		opId,
	});
}

interface NewCommission extends Omit<Earned, 'kind'>, SaleName {
	readonly programId: number;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly day: string;
}

/** creditCommission adds its ledger entry. */
export function insertCommission(
	ctx: Context,
	{ transactionId, idScope, programId, partnerProgramId, currency, day }: Omit<NewCommission, keyof Earned>,
	{ ruleVersionId, amountCents, status, holdUntil }: Earned,
) {
	const of = { transactionId, idScope, programId, partnerProgramId, currency, day };
	return insertCommissionRow(ctx, { ...of, ruleVersionId, amountCents, status, holdUntil });
}

const insertCommissionRow = prepare(({ db, now }, { transactionId, idScope, day, ...columns }: Placeholders<NewCommission>) =>
	db.insert(commissions).values({ ...columns, saleId: saleIdOf({ transactionId, idScope }, false), createdAt: now, createdDay: day }),
);
