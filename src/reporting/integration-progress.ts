import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { refusals } from '../db/schema/refusals.ts';
import { refusedOrigins } from '../db/schema/health.ts';
import { DAY_MS, HOUR_MS } from '../domain/calendar.ts';
import { EVENT_TYPES, type EventType } from '../domain/reporting/event-position.ts';
import { type DayOrInstantInQuery, startOf } from '../domain/moment.ts';
import { isOriginAllowed } from '../domain/origin.ts';
import { notFound } from '../domain/rejection.ts';
import { type StepVerdict, verdictOn } from '../domain/monitoring/integration-progress.ts';
import { sortedOrigins } from '../programs/program-of-link.ts';
import type { TrackedEvent } from './event.ts';
import { toEvent } from './list-events.ts';
import { newest } from './newest-events.ts';
import { selectClicks, selectLeads, selectRefunds, selectSales } from './select-events.ts';

/** How many of the newest clicks are searched for one that is not from a crawler. */
const CLICKS = 20;

export interface ProgressStep extends StepVerdict {
	readonly step: EventType;
	/** The newest event, real or test; null if there is none. */
	readonly event: TrackedEvent | null;
}

export interface IntegrationProgress {
	/** ms; ignores earlier events. */
	readonly since: number;
	/** The first link of an active partner. */
	readonly shortLink: string | null;
	/** A page of the program's site with that link. */
	readonly address: string | null;
	readonly refusedOrigins: readonly string[];
	readonly steps: readonly ProgressStep[];
}

/**
 * The newest click, lead, sale and refund since `from` (default: a day ago), or why they are missing. One round trip that reads a few rows.
 */
export async function readIntegrationProgress(
	ctx: Context,
	program: { readonly id: number; readonly timeZone: string; readonly active: boolean; readonly archivedAt: number | null },
	from: DayOrInstantInQuery | undefined,
): Promise<IntegrationProgress> {
	const since = from === undefined ? ctx.now - DAY_MS : startOf(from, program.timeZone);
	const range = { programId: program.id, isTest: undefined, from: undefined, until: undefined, cursor: undefined, limit: 1, values: {} };
	const found = await read(ctx.db, {
		clicks: selectClicks(ctx, newest({ ...range, limit: CLICKS }, 'click')),
		leads: selectLeads(ctx, newest(range, 'lead')),
		sales: selectSales(ctx, newest(range, 'sale')),
		refunds: selectRefunds(ctx, newest(range, 'refund')),
		facts: selectFacts(ctx, program.id),
		origins: selectOrigins(ctx, program.id, since),
		refused: selectRefused(ctx, program.id, since),
	});
	const [facts] = found.facts;
	if (!facts) throw notFound('Program');
	const { shortLink, domain, listed } = facts;
	const click = found.clicks.filter(({ isBot }) => !isBot).sort((a, b) => b.at - a.at || b.id - a.id)[0];
	const newestEvents: Partial<Record<EventType, TrackedEvent>> = {
		...(click && { click: toEvent('click', click) }),
		...(found.leads[0] && { lead: toEvent('lead', found.leads[0]) }),
		...(found.sales[0] && { sale: toEvent('sale', found.sales[0]) }),
		...(found.refunds[0] && { refund: toEvent('refund', found.refunds[0]) }),
	};
	const events = pickEvents(newestEvents, ({ at }) => at >= since);
	const earlier = Object.fromEntries(Object.entries(pickEvents(newestEvents, ({ at }) => at < since)).map(([type, { at }]) => [type, at]));
	const address = shortLink === null ? null : `${domain === null ? 'a page of your site with ' : `https://${domain}/`}?aff=${shortLink}`;
	const origins = found.origins.map(({ origin }) => origin).filter((origin) => !isOriginAllowed(origin, listed));
	const known = {
		isActive: program.active,
		isArchived: program.archivedAt !== null,
		address,
		refusedOrigins: origins,
		isCrawledOnly: !events.click && found.clicks.some(({ at }) => at >= since),
		earlier: { ...(facts.lastClickAt !== null && facts.lastClickAt < since && { click: facts.lastClickAt }), ...earlier },
		events: Object.fromEntries(Object.entries(events).map(([type, event]) => [type, { isCredited: isCredited(event) }])),
		refusals: Object.fromEntries(found.refused.map(({ operation, message }) => [operation, message])),
	};
	const steps = EVENT_TYPES.map((step) => ({ step, event: events[step] ?? null, ...verdictOn(step, known) }));
	return { since, shortLink, address, refusedOrigins: origins, steps };
}

function pickEvents(
	events: Partial<Record<EventType, TrackedEvent>>,
	isPicked: (event: TrackedEvent) => boolean,
): Partial<Record<EventType, TrackedEvent>> {
	return Object.fromEntries(Object.entries(events).filter(([, event]) => isPicked(event)));
}

/** Test events have no customer: a test lead counts as credited if it has a click, test sales and refunds always do. */
function isCredited({ type, isTest, partner, clickId }: TrackedEvent): boolean {
	if (!isTest || type === 'click') return partner !== null;
	return type !== 'lead' || clickId !== null;
}

function selectFacts(ctx: Context, programId: number) {
	const link = ctx.db
		.select({ shortLink: referralLinks.shortLink })
		.from(referralLinks)
		.innerJoin(partnerPrograms, and(eq(partnerPrograms.id, referralLinks.partnerProgramId), eq(partnerPrograms.status, 'active')))
		.where(and(eq(referralLinks.programId, programId), isNull(referralLinks.archivedAt)))
		.orderBy(asc(referralLinks.id))
		.limit(1);
	return ctx.db
		.select({
			domain: programs.domain,
			listed: sortedOrigins,
			shortLink: sql<string | null>`(${link})`,
			// The newest clicks may all be from crawlers. The status selects the same way.
			lastClickAt: sql<number | null>`(
				SELECT clicked_at FROM affiliate_click_events WHERE program_id = ${programId} AND is_test = 0 AND is_bot = 0 ORDER BY 1 DESC LIMIT 1
			)`,
		})
		.from(programs)
		.where(eq(programs.id, programId));
}

function selectOrigins(ctx: Context, programId: number, since: number) {
	return ctx.db
		.select({ origin: refusedOrigins.origin })
		.from(refusedOrigins)
		.where(and(eq(refusedOrigins.programId, programId), sql`${refusedOrigins.refusedAt} >= ${since}`))
		.orderBy(refusedOrigins.origin);
}

/** The last refusal of each operation, through the index by hour. */
function selectRefused(ctx: Context, programId: number, since: number) {
	return ctx.db
		.select({ operation: refusals.operation, message: refusals.message, lastAt: sql<number>`max(${refusals.lastAt})` })
		.from(refusals)
		.where(
			and(eq(refusals.programId, programId), sql`${refusals.hour} >= ${Math.floor(since / HOUR_MS)}`, sql`${refusals.lastAt} >= ${since}`),
		)
		.groupBy(refusals.operation);
}
