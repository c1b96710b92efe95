import { and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import {
	affiliateClickEvents as clicks,
	affiliateLeadEvents as leads,
	affiliateSaleEvents as sales,
	customers,
	refundEvents as refunds,
} from '../db/schema/tracking.ts';
import { type EventPosition, type EventType, rangeBehind } from '../domain/event-position.ts';

/** Which events of one program to read; of each type the newest `limit`. */
export interface EventRange {
	readonly programId: number;
	readonly isTest: boolean | undefined;
	/** ms; included. */
	readonly from: number | undefined;
	/** ms; not included. */
	readonly until: number | undefined;
	/** The last event that the reader has. */
	readonly behind: EventPosition | undefined;
	readonly limit: number;
}

// One statement per type, each along its index by program and time (or, for test events, the partial one) and no further
// than its limit.

const partner = { id: partners.id, name: partners.name } as const;

export function selectClicks(ctx: Context, range: EventRange) {
	return ctx.db
		.select({
			id: clicks.id,
			at: clicks.clickedAt,
			isTest: clicks.isTest,
			isBot: clicks.isBot,
			country: clicks.country,
			clickId: clicks.clickId,
			partner,
			shortLink: referralLinks.shortLink,
		})
		.from(clicks)
		.innerJoin(referralLinks, eq(referralLinks.id, clicks.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(within(range, 'click', clicks, clicks.clickedAt))
		.orderBy(desc(clicks.clickedAt), desc(clicks.id))
		.limit(range.limit);
}

export function selectLeads(ctx: Context, range: EventRange) {
	return ctx.db
		.select({
			id: leads.id,
			at: leads.createdAt,
			isTest: leads.isTest,
			clickId: sql<string | null>`coalesce(${leads.clickId}, ${customers.clickId})`,
			customerKey: sql<string | null>`coalesce(${leads.customerKey}, ${customers.customerKey})`,
			partner,
			shortLink: referralLinks.shortLink,
		})
		.from(leads)
		.leftJoin(customers, eq(customers.id, leads.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, customers.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(within(range, 'lead', leads, leads.createdAt))
		.orderBy(desc(leads.createdAt), desc(leads.id))
		.limit(range.limit);
}

export function selectSales(ctx: Context, range: EventRange) {
	return ctx.db
		.select({
			id: sales.id,
			at: sales.createdAt,
			isTest: sales.isTest,
			clickId: customers.clickId,
			customerKey: customers.customerKey,
			saleId: sales.id,
			transactionId: sales.processorEventId,
			productId: sales.productId,
			amountCents: sales.amountCents,
			currency: sales.currency,
			commissionId: commissions.id,
			partner,
			shortLink: referralLinks.shortLink,
		})
		.from(sales)
		.leftJoin(customers, eq(customers.id, sales.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(within(range, 'sale', sales, sales.createdAt))
		.orderBy(desc(sales.createdAt), desc(sales.id))
		.limit(range.limit);
}

export function selectRefunds(ctx: Context, range: EventRange) {
	return ctx.db
		.select({
			id: refunds.id,
			at: refunds.createdAt,
			isTest: refunds.isTest,
			clickId: customers.clickId,
			customerKey: customers.customerKey,
			saleId: refunds.saleId,
			transactionId: sales.processorEventId,
			productId: sales.productId,
			amountCents: refunds.amountCents,
			currency: sales.currency,
			commissionId: commissions.id,
			deductionCents: refunds.deductionCents,
			refundId: refunds.refundId,
			reason: refunds.reason,
			partner,
			shortLink: referralLinks.shortLink,
		})
		.from(refunds)
		.innerJoin(sales, eq(sales.id, refunds.saleId))
		.leftJoin(customers, eq(customers.id, sales.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(within(range, 'refund', refunds, refunds.createdAt))
		.orderBy(desc(refunds.createdAt), desc(refunds.id))
		.limit(range.limit);
}

interface EventColumns {
	readonly id: SQLiteColumn;
	readonly programId: SQLiteColumn;
	readonly isTest: SQLiteColumn;
}

function within(range: EventRange, type: EventType, { id, programId, isTest }: EventColumns, at: SQLiteColumn): SQL | undefined {
	const behind = range.behind && rangeBehind(range.behind, type);
	return and(
		eq(programId, range.programId),
		// A literal: the partial index of the test events is not found by a parameter.
		range.isTest === undefined ? undefined : sql`${isTest} = ${sql.raw(range.isTest ? '1' : '0')}`,
		range.from === undefined ? undefined : gte(at, range.from),
		range.until === undefined ? undefined : lt(at, range.until),
		behind && lt(at, behind.belowId === undefined ? behind.before : behind.before + 1),
		behind?.belowId === undefined ? undefined : or(lt(at, behind.before), lt(id, behind.belowId)),
	);
}
