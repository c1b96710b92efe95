import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Found, read } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { affiliateLeadEvents as leads, customers } from '../db/schema/customers.ts';
import { commissions } from '../db/schema/money.ts';
import { affiliateSaleEvents as sales, refundEvents as refunds } from '../db/schema/sales.ts';
import { type EventPosition, pageOf, rangeBehind } from '../domain/reporting/event-position.ts';
import { notFound } from '../domain/rejection.ts';
import { selectCustomers } from './customer.ts';

export interface JourneyRequest {
	/** The last step that the reader has seen. */
	readonly cursor?: EventPosition | undefined;
	readonly limit: number;
}

export type Journey = Awaited<ReturnType<typeof readJourney>>;
export type JourneyStep = Journey['steps'][number];

/** No index finds a customer's leads, so this many of the program's are searched. */
const LEADS_LOOKED_THROUGH = 2_000;

/**
 * A customer with totals by currency and steps, newest first. One round trip. Rejects with 404 if the customer belongs to another program.
 */
export async function readJourney(ctx: Context, program: { readonly id: number }, customerId: number, request: JourneyRequest) {
	const found = await read(ctx.db, {
		customer: selectCustomers(ctx, and(eq(customers.id, customerId), eq(customers.programId, program.id))),
		totals: selectTotals(ctx, customerId),
		...selectSteps(ctx, customerId, request),
	});
	const [customer] = found.customer;
	if (!customer) throw notFound('Customer');
	return { customer, totals: found.totals, ...stepsOf(found, request.limit) };
}

/** Statements for any batch. */
export function selectSteps(ctx: Context, customerId: SQL | number, { cursor, limit }: JourneyRequest) {
	const within: Range = { cursor, limit: limit + 1 };
	return {
		clicked: selectClicked(ctx, customerId, within),
		signedUp: selectSignups(ctx, customerId, within),
		bought: selectBought(ctx, customerId, within),
		refunded: selectRefunded(ctx, customerId, within),
	};
}

/** One page, newest first. */
export function stepsOf(found: Found<ReturnType<typeof selectSteps>>, limit: number) {
	const steps = [
		...found.clicked.map((row) => ({ ...NOTHING, ...row, type: 'click' as const })),
		...found.signedUp.map((row) => ({ ...NOTHING, ...row, type: 'lead' as const })),
		...found.bought.map((row) => ({ ...NOTHING, ...row, type: 'sale' as const })),
		...found.refunded.map((row) => ({ ...NOTHING, ...row, type: 'refund' as const })),
	];
	const { events, nextCursor } = pageOf(steps, [], { skip: 0, limit });
	return { steps: events, nextCursor };
}

interface Commission {
	readonly id: number;
	readonly status: typeof commissions.$inferSelect.status;
	readonly amountCents: number;
	readonly deductedCents: number;
}

interface Details {
	readonly clickId: string | null;
	readonly pageUrl: string | null;
	readonly referrerUrl: string | null;
	readonly customerKey: string | null;
	readonly saleId: number | null;
	readonly transactionId: string | null;
	readonly productId: string | null;
	readonly amountCents: number | null;
	readonly refundedCents: number | null;
	readonly currency: string | null;
	readonly commission: Commission | null;
	readonly noCommissionReason: string | null;
	readonly duplicateOfSaleId: number | null;
	readonly refundId: string | null;
	readonly deductionCents: number | null;
	readonly outcome: string | null;
	readonly reason: string | null;
}

const NOTHING: Details = {
	clickId: null,
	pageUrl: null,
	referrerUrl: null,
	customerKey: null,
	saleId: null,
	transactionId: null,
	productId: null,
	amountCents: null,
	refundedCents: null,
	currency: null,
	commission: null,
	noCommissionReason: null,
	duplicateOfSaleId: null,
	refundId: null,
	deductionCents: null,
	outcome: null,
	reason: null,
};

interface Range {
	readonly cursor: EventPosition | undefined;
	readonly limit: number;
}

function behind({ cursor }: Range, type: EventPosition['type'], at: SQL, id: SQL): SQL | undefined {
	if (!cursor) return undefined;
	const { before, belowId } = rangeBehind(cursor, type);
	return belowId === undefined ? sql`${at} < ${before}` : sql`(${at} < ${before} OR (${at} = ${before} AND ${id} < ${belowId}))`;
}

function sum(of: SQL): SQL<number> {
	return sql<number>`coalesce(sum(${of}), 0)`;
}

/** Excludes duplicate sales. */
function selectTotals(ctx: Context, customerId: number) {
	return ctx.db
		.select({
			currency: sales.currency,
			sales: sql<number>`count(*)`,
			revenueCents: sum(sql`${sales.amountCents}`),
			refundedCents: sum(sql`${sales.refundedCents}`),
			commissionCents: sum(sql`${commissions.amountCents}`),
			deductedCents: sum(sql`iif(${commissions.status} = 'rejected', ${commissions.amountCents}, ${commissions.deductedCents})`),
		})
		.from(sales)
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(and(eq(sales.customerId, customerId), isNull(sales.duplicateOfSaleId)))
		.groupBy(sales.currency)
		.orderBy(sales.currency);
}

/** If the click's row is not stored yet, the values come from the customer. */
function selectClicked(ctx: Context, customerId: SQL | number, within: Range) {
	const number = sql<number>`coalesce(${clicks.id}, 1)`;
	return ctx.db
		.select({
			id: number,
			at: sql<number>`${customers.clickedAt}`,
			clickId: customers.clickId,
			pageUrl: clicks.pageUrl,
			referrerUrl: clicks.referrerUrl,
		})
		.from(customers)
		.leftJoin(clicks, eq(clicks.clickId, customers.clickId))
		.where(
			and(
				eq(customers.id, customerId),
				sql`${customers.clickedAt} IS NOT NULL`,
				behind(within, 'click', sql`${customers.clickedAt}`, number),
			),
		);
}

/** The lead that created the customer, and those soon after it or its click. */
export function leadsNear(customerId: SQL | number): SQL {
	const of = sql`(SELECT max(created_at, coalesce(clicked_at, 0)) FROM customers WHERE id = ${customerId})`;
	return sql`
		SELECT id, customer_id FROM (
			SELECT id, customer_id FROM affiliate_lead_events INDEXED BY affiliate_lead_events_by_program
			WHERE program_id = (SELECT program_id FROM customers WHERE id = ${customerId}) AND created_at >= ${of}
			ORDER BY created_at LIMIT ${LEADS_LOOKED_THROUGH})
		UNION ALL
		SELECT id, customer_id FROM affiliate_lead_events INDEXED BY affiliate_lead_events_by_program
		WHERE (program_id, created_at) = (SELECT program_id, created_at FROM customers WHERE id = ${customerId})`;
}

function selectSignups(ctx: Context, customerId: SQL | number, within: Range) {
	return ctx.db
		.select({ id: leads.id, at: leads.createdAt, clickId: leads.clickId, customerKey: leads.customerKey })
		.from(leads)
		.where(
			and(
				sql`${leads.id} IN (SELECT id FROM (${leadsNear(customerId)}) WHERE customer_id = ${customerId})`,
				behind(within, 'lead', sql`${leads.createdAt}`, sql`${leads.id}`),
			),
		)
		.orderBy(desc(leads.createdAt), desc(leads.id))
		.limit(within.limit);
}

function selectBought(ctx: Context, customerId: SQL | number, within: Range) {
	return ctx.db
		.select({
			id: sales.id,
			at: sales.createdAt,
			saleId: sales.id,
			transactionId: sales.transactionId,
			productId: sales.productId,
			amountCents: sales.amountCents,
			refundedCents: sales.refundedCents,
			currency: sales.currency,
			commission: {
				id: commissions.id,
				status: commissions.status,
				amountCents: commissions.amountCents,
				deductedCents: commissions.deductedCents,
			},
			noCommissionReason: sales.noCommissionReason,
			duplicateOfSaleId: sales.duplicateOfSaleId,
		})
		.from(sales)
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(and(eq(sales.customerId, customerId), behind(within, 'sale', sql`${sales.createdAt}`, sql`${sales.id}`)))
		.orderBy(desc(sales.createdAt), desc(sales.id))
		.limit(within.limit);
}

/** Reinstated amounts are negative, so that a sale's refunds can be added up. */
export function signed(cents: SQL | typeof refunds.amountCents | typeof refunds.deductionCents): SQL<number | null> {
	return sql<number | null>`iif(${refunds.outcome} = 'reinstated', -${cents}, ${cents})`;
}

function selectRefunded(ctx: Context, customerId: SQL | number, within: Range) {
	return ctx.db
		.select({
			id: refunds.id,
			at: refunds.createdAt,
			saleId: refunds.saleId,
			transactionId: sales.transactionId,
			amountCents: signed(refunds.amountCents),
			currency: sales.currency,
			refundId: refunds.refundId,
			deductionCents: signed(refunds.deductionCents),
			outcome: refunds.outcome,
			reason: refunds.reason,
		})
		.from(sales)
		.innerJoin(refunds, eq(refunds.saleId, sales.id))
		.where(and(eq(sales.customerId, customerId), behind(within, 'refund', sql`${refunds.createdAt}`, sql`${refunds.id}`)))
		.orderBy(desc(refunds.createdAt), desc(refunds.id))
		.limit(within.limit);
}
