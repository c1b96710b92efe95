import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { signed } from '../customers/read-journey.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { affiliateLeadEvents as leads, customers } from '../db/schema/customers.ts';
import { affiliateSaleEvents as sales, refundEvents as refunds } from '../db/schema/sales.ts';
import type { EventType } from '../domain/reporting/event-position.ts';
import { type EventRange, newest } from './newest-events.ts';

/** The credited partner, and the customer's link. */
const credited = { partner: { id: partners.id, name: partners.name }, shortLink: referralLinks.shortLink } as const;

const ofSale = {
	clickId: customers.clickId,
	customerKey: customers.customerKey,
	saleId: sales.id,
	transactionId: sales.transactionId,
	productId: sales.productId,
	currency: sales.currency,
	commissionId: commissions.id,
	...credited,
} as const;

export function selectClicks(ctx: Context, keys: SQL) {
	return ctx.db
		.select({
			id: clicks.id,
			at: clicks.clickedAt,
			isTest: clicks.isTest,
			isBot: clicks.isBot,
			country: clicks.country,
			clickId: clicks.clickId,
			...credited,
		})
		.from(clicks)
		.innerJoin(referralLinks, eq(referralLinks.id, clicks.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(inArray(clicks.clickId, keys));
}

export function selectLeads(ctx: Context, keys: SQL) {
	return ctx.db
		.select({
			id: leads.id,
			at: leads.createdAt,
			isTest: leads.isTest,
			clickId: sql<string | null>`coalesce(${leads.clickId}, ${customers.clickId})`,
			customerKey: sql<string | null>`coalesce(${leads.customerKey}, ${customers.customerKey})`,
			...credited,
		})
		.from(leads)
		.leftJoin(customers, eq(customers.id, leads.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, customers.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(inArray(leads.id, keys));
}

export function selectSales(ctx: Context, keys: SQL) {
	return ctx.db
		.select({
			id: sales.id,
			at: sales.createdAt,
			isTest: sales.isTest,
			amountCents: sales.amountCents,
			saleType: sales.saleType,
			isRecurring: sales.isRecurring,
			subscriptionId: sales.subscriptionId,
			subscriptionInterval: sales.subscriptionInterval,
			...ofSale,
		})
		.from(sales)
		.leftJoin(customers, eq(customers.id, sales.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(inArray(sales.id, keys));
}

export function selectRefunds(ctx: Context, keys: SQL) {
	return ctx.db
		.select({
			id: refunds.id,
			at: refunds.createdAt,
			isTest: refunds.isTest,
			amountCents: signed(refunds.amountCents),
			deductionCents: signed(refunds.deductionCents),
			refundId: refunds.refundId,
			outcome: refunds.outcome,
			source: refunds.source,
			reason: refunds.reason,
			...ofSale,
		})
		.from(refunds)
		.innerJoin(sales, eq(sales.id, refunds.saleId))
		.leftJoin(customers, eq(customers.id, sales.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(inArray(refunds.id, keys));
}

/** Counts each type up to the limit. */
export function countEvents(ctx: Context, range: EventRange, types: readonly EventType[]) {
	const counts = types.map((type) => sql`(SELECT count(*) FROM ${newest(range, type)})`);
	return ctx.db.select({ total: sql<number>`${sql.join(counts, sql` + `)}` }).from(sql`(SELECT 1)`);
}
