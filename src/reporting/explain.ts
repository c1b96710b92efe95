import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { mayBeRetired } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import { type Found, read } from '../db/client.ts';
import { affiliateClickEvents, retiredClickDays } from '../db/schema/clicks.ts';
import { coupons } from '../db/schema/coupons.ts';
import { customers } from '../db/schema/customers.ts';
import { unindexed } from '../db/unindexed.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { programs } from '../db/schema/programs.ts';
import { refusals } from '../db/schema/refusals.ts';
import { affiliateSaleEvents as sales } from '../db/schema/sales.ts';
import { type Click, parseClickId } from '../domain/attribution/click-id.ts';
import { dayOf } from '../domain/calendar.ts';
import { type Explanation, explainSale, type SaleTimeline } from '../domain/commissions/explanation.ts';
import { type IdQuery, explainId, type TimelineClick } from '../domain/commissions/explanation-of-id.ts';
import { notFound } from '../domain/rejection.ts';
import { ofProcessors, selectEvents } from '../processor/list-processor-events.ts';
import { selectRefusals } from '../programs/list-refusals.ts';
import { saleIdsBy } from './sale-ids.ts';
import { selectTimelines, TIMELINES } from './select-timelines.ts';

export interface QueriedProgram {
	readonly id: number;
	readonly timeZone: string;
	readonly cookieWindowDays: number;
}

export type FoundSale = Found<{ stories: ReturnType<typeof selectTimelines> }>['stories'][number];
export type ExplainedSale = FoundSale & Explanation;

/** The most listed entries, and the most inbox events searched. */
const LISTED = 10;
const EVENTS_LOOKED_THROUGH = 500;

/** Explains the steps from click to payout. One round trip. Rejects with 404. */
export async function explainCommission(ctx: Context, program: QueriedProgram, commissionId: number): Promise<ExplainedSale> {
	const ofCommission = sql`${sales.id} = (SELECT sale_id FROM commissions WHERE id = ${commissionId} AND program_id = ${program.id})`;
	const [sale] = await selectTimelines(ctx, program.id, ofCommission);
	if (!sale) throw notFound('Commission');
	return explained(sale, ctx, program);
}

export type IdExplanation = Awaited<ReturnType<typeof explain>>;

/** Explains what was recorded for an id, or why nothing was. One round trip. */
export async function explain(ctx: Context, program: QueriedProgram, query: IdQuery) {
	const claim = query.kind === 'click_id' ? await ctx.secrets.verifyClickId(query.value) : undefined;
	const found = await read(ctx.db, {
		sales: selectTimelines(ctx, program.id, salesOf(program.id, query)),
		refusals: selectRefusals(ctx)
			.where(and(eq(refusals.programId, program.id), refusalsOf(query)))
			.orderBy(desc(refusals.id))
			.limit(LISTED),
		events: selectEvents(ctx).where(eventsOf(program.id, query.value)).orderBy(desc(processorEvents.id)).limit(LISTED),
		customers: selectCustomers(ctx, program.id, query),
		link: query.kind === 'click_id' ? selectLink(ctx, query.value, claim) : undefined,
		retired: query.kind === 'click_id' ? selectRetirement(ctx, program, query.value) : undefined,
		elsewhere: selectElsewhere(ctx, program.id, query),
	});
	const click = query.kind === 'click_id' ? clickOf(program, claim, found.link[0], found.retired[0]) : undefined;
	const known = { ...found, sales: found.sales.map(timelineOf), click, isElsewhere: found.elsewhere.length > 0 };
	const explanation = explainId(query, known, { now: ctx.now, timeZone: program.timeZone, windowDays: program.cookieWindowDays });
	return {
		...explanation,
		click,
		customers: found.customers,
		sales: found.sales.map((sale) => explained(sale, ctx, program)),
		refusals: found.refusals,
		events: found.events,
	};
}

export function explained(sale: FoundSale, ctx: Context, program: Pick<QueriedProgram, 'timeZone'>): ExplainedSale {
	return { ...sale, ...explainSale(timelineOf(sale), { now: ctx.now, timeZone: program.timeZone }) };
}

function timelineOf(sale: FoundSale): SaleTimeline {
	const { customer, shortLink, customerCoupon, partner, payout } = sale;
	const commission = sale.commission && { ...sale.commission, isPayoutFailed: payout !== null && payout.failedAt !== null };
	return {
		...sale,
		commission,
		facts: sale.facts ?? undefined,
		customer: customer && { ...customer, shortLink, couponCode: customerCoupon },
		partnerName: partner?.name ?? null,
	};
}

/** A payment id may also be a subscription's. */
function salesOf(programId: number, { kind, value }: IdQuery): SQL {
	if (kind === 'customer_key')
		return sql`${sales.customerId} IN (SELECT id FROM customers WHERE program_id = ${programId} AND customer_key = ${value})`;
	if (kind === 'click_id')
		return sql`${sales.customerId} IN (SELECT id FROM customers WHERE +program_id = ${programId} AND click_id = ${value} LIMIT ${TIMELINES})`;
	const ofSubscription = sql`UNION ALL SELECT id FROM affiliate_sale_events WHERE program_id = ${programId} AND subscription_id = ${value}`;
	return sql`${sales.id} IN (${saleIdsBy(value, programId)} ${kind === 'payment_id' ? ofSubscription : sql``})`;
}

function refusalsOf({ kind, value }: IdQuery): SQL {
	switch (kind) {
		case 'click_id':
			return eq(refusals.clickId, value);
		case 'customer_key':
			return eq(refusals.customerKey, value);
		case 'transaction_id':
		case 'payment_id':
			return eq(refusals.transactionId, value);
	}
}

/** Inbox events that wait for the id, have it, or mention it in one of the newest stored bodies. */
function eventsOf(programId: number, id: string): SQL {
	return sql`${processorEvents.id} IN (
		SELECT processor_event_id FROM processor_event_waits WHERE program_id = ${programId} AND processor_id = ${id}
		UNION SELECT id FROM processor_events WHERE program_id = ${programId} AND ${ofProcessors()} AND event_id = ${id}
		UNION SELECT id FROM (
			SELECT id, payload FROM processor_events WHERE program_id = ${programId} ORDER BY id DESC LIMIT ${EVENTS_LOOKED_THROUGH}
		) WHERE instr(payload, ${JSON.stringify(id)}) > 0)`;
}

function selectCustomers(ctx: Context, programId: number, { kind, value }: IdQuery) {
	if (kind !== 'customer_key' && kind !== 'click_id') return undefined;
	return ctx.db
		.select({
			id: customers.id,
			status: customers.status,
			customerKey: customers.customerKey,
			clickId: customers.clickId,
			clickedAt: customers.clickedAt,
			signupDay: customers.signupDate,
			createdAt: customers.createdAt,
			shortLink: sql<string | null>`${referralLinks.shortLink}`,
			partnerName: sql<string | null>`${partners.name}`,
			couponCode: sql<string | null>`${coupons.code}`,
		})
		.from(customers)
		.leftJoin(coupons, eq(coupons.id, customers.couponId))
		.leftJoin(referralLinks, eq(referralLinks.id, customers.referralLinkId))
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, customers.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(
			kind === 'click_id'
				? and(unindexed(customers.programId, programId), eq(customers.clickId, value))
				: and(eq(customers.programId, programId), eq(customers.customerKey, value)),
		)
		.orderBy(desc(customers.id))
		.limit(LISTED);
}

/** The link of a click in any program: from the verified id or, if an earlier secret signed it, from the stored row. */
function selectLink(ctx: Context, clickId: string, claim: Click | undefined) {
	const row = sql`SELECT referral_link_id FROM affiliate_click_events WHERE click_id = ${clickId}`;
	return ctx.db
		.select({
			programId: referralLinks.programId,
			shortLink: referralLinks.shortLink,
			partnerName: sql<string | null>`${partners.name}`,
			clickedAt: sql<number | null>`${affiliateClickEvents.clickedAt}`,
			isStored: sql`${affiliateClickEvents.clickId} IS NOT NULL`.mapWith(Boolean),
			isBot: sql`coalesce(${affiliateClickEvents.isBot}, 0)`.mapWith(Boolean),
			isTest: sql`coalesce(${affiliateClickEvents.isTest}, 0)`.mapWith(Boolean),
			couponCode: sql<string | null>`(SELECT ${coupons.code} FROM ${customers} JOIN ${coupons} ON ${coupons.id} = ${customers.couponId}
				WHERE ${customers.clickId} = ${clickId} AND ${customers.clickSequence} = 0)`,
		})
		.from(referralLinks)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(affiliateClickEvents, eq(affiliateClickEvents.clickId, clickId))
		.where(sql`${referralLinks.id} = coalesce(${claim?.referralLinkId ?? null}, (${row}))`);
}

/** Undefined if the click is too young. */
function selectRetirement(ctx: Context, { id, timeZone }: QueriedProgram, clickId: string) {
	const click = parseClickId(clickId);
	if (!click || !mayBeRetired(ctx, clickId)) return undefined;
	return ctx.db
		.select({ isInFiles: sql`${retiredClickDays.deleted} = 0`.mapWith(Boolean), at: retiredClickDays.retiredAt })
		.from(retiredClickDays)
		.where(and(eq(retiredClickDays.programId, id), eq(retiredClickDays.day, dayOf(click.clickedAt, timeZone))));
}

type FoundLink = Found<{ link: ReturnType<typeof selectLink> }>['link'][number];

/** Hides another program's link. */
function clickOf(
	program: QueriedProgram,
	claim: Click | undefined,
	link: FoundLink | undefined,
	retirement: TimelineClick['retirement'] = null,
): TimelineClick {
	const nothing = {
		clickedAt: null,
		shortLink: null,
		partnerName: null,
		isStored: false,
		retirement: null,
		isBot: false,
		couponCode: null,
	};
	if (!link) return { ...nothing, verdict: claim ? 'elsewhere' : 'forged' };
	if (link.programId !== program.id) return { ...nothing, verdict: 'elsewhere' };
	const { shortLink, partnerName, isStored, isBot, couponCode } = link;
	const verdict = (claim?.isTest ?? link.isTest) ? 'test' : 'own';
	return { verdict, clickedAt: claim?.clickedAt ?? link.clickedAt, shortLink, partnerName, isStored, retirement, isBot, couponCode };
}

/** Whether another program's sale has the id. Its backend learns the same (contract, section 7). */
function selectElsewhere(ctx: Context, programId: number, { kind, value }: IdQuery) {
	if (kind !== 'transaction_id' && kind !== 'payment_id') return undefined;
	return ctx.db
		.select({ id: programs.id })
		.from(programs)
		.where(
			sql`${programs.id} IN (SELECT program_id FROM affiliate_sale_events WHERE program_id <> ${programId} AND is_test = 0 AND id IN (${saleIdsBy(value, programId)}))`,
		)
		.limit(1);
}
