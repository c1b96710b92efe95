import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { affiliateLeadEvents as leads, customers } from '../db/schema/customers.ts';
import { affiliateSaleEvents as sales, refundEvents as refunds } from '../db/schema/sales.ts';
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

// One statement per type: its newest ids along an index, no further than the limit, and then those rows.

/** Whose event it is, and the link that the customer came by. */
const credited = { partner: { id: partners.id, name: partners.name }, shortLink: referralLinks.shortLink } as const;

/** What a sale and its refunds have in common. */
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

export function selectClicks(ctx: Context, range: EventRange) {
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
		.where(inArray(clicks.clickId, newest(range, 'click')));
}

export function selectLeads(ctx: Context, range: EventRange) {
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
		.where(inArray(leads.id, newest(range, 'lead')));
}

export function selectSales(ctx: Context, range: EventRange) {
	return ctx.db
		.select({
			id: sales.id,
			at: sales.createdAt,
			isTest: sales.isTest,
			amountCents: sales.amountCents,
			...ofSale,
		})
		.from(sales)
		.leftJoin(customers, eq(customers.id, sales.customerId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(commissions, eq(commissions.saleId, sales.id))
		.where(inArray(sales.id, newest(range, 'sale')));
}

export function selectRefunds(ctx: Context, range: EventRange) {
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
		.where(inArray(refunds.id, newest(range, 'refund')));
}

/** How many there are, of each type as far as the limit. */
export function countEvents(ctx: Context, range: EventRange, types: readonly EventType[]) {
	const counts = types.map((type) => sql`(SELECT count(*) FROM ${newest(range, type)})`);
	return ctx.db.select({ total: sql<number>`${sql.join(counts, sql` + `)}` }).from(sql`(SELECT 1)`);
}

/** So that the refunds of a sale add up to what is refunded of it. */
function signed(cents: typeof refunds.amountCents | typeof refunds.deductionCents): SQL<number | null> {
	return sql`iif(${refunds.outcome} = 'reinstated', -${cents}, ${cents})`;
}

const TABLES = {
	click: { table: 'affiliate_click_events', key: 'click_id', time: 'clicked_at' },
	lead: { table: 'affiliate_lead_events', key: 'id', time: 'created_at' },
	sale: { table: 'affiliate_sale_events', key: 'id', time: 'created_at' },
	refund: { table: 'refund_events', key: 'id', time: 'created_at' },
} as const satisfies Record<EventType, Readonly<Record<'table' | 'key' | 'time', string>>>;

/**
 * The keys of the newest events of a type. The index is named, as the planner takes the one for the other where a range has
 * both ends, and would read all real events on its way to the few that are tests.
 */
function newest(range: EventRange, type: EventType): SQL {
	const table = sql.raw(TABLES[type].table);
	const [key, at] = [sql.raw(TABLES[type].key), sql.raw(TABLES[type].time)];
	const index = sql.raw(`${TABLES[type].table}_${range.isTest === true ? 'tests' : 'by_program'}`);
	const behind = range.behind && rangeBehind(range.behind, type);
	// One bound, the tighter: of two the index would use either.
	const beyond = behind && (behind.belowId === undefined ? behind.before : behind.before + 1);
	const until = range.until === undefined || beyond === undefined ? (range.until ?? beyond) : Math.min(range.until, beyond);
	const within = and(
		sql`program_id = ${range.programId}`,
		range.isTest === undefined ? undefined : sql.raw(`is_test = ${range.isTest ? 1 : 0}`),
		range.from === undefined ? undefined : sql`${at} >= ${range.from}`,
		until === undefined ? undefined : sql`${at} < ${until}`,
		behind?.belowId === undefined ? undefined : sql`(${at} < ${behind.before} OR id < ${behind.belowId})`,
	);
	return sql`(SELECT ${key} FROM ${table} INDEXED BY ${index} WHERE ${within} ORDER BY ${at} DESC, id DESC LIMIT ${range.limit})`;
}
