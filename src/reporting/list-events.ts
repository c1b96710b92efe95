import { desc, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { retiredClickDays } from '../db/schema/clicks.ts';
import { type EventPosition, type EventType, pageOf } from '../domain/reporting/event-position.ts';
import { type DayOrInstantInQuery, endOf, startOf } from '../domain/moment.ts';
import { type Cursor, MOST_COUNTED, type Page } from '../domain/page.ts';
import { invalid } from '../domain/rejection.ts';
import type { TrackedEvent } from './event.ts';
import { type EventRange, type EventValues, isLookedThrough, newest, selectReached } from './newest-events.ts';
import { countEvents, selectClicks, selectLeads, selectRefunds, selectSales } from './select-events.ts';

export interface EventFilter {
	readonly types: readonly EventType[];
	/** Undefined for both. */
	readonly isTest: boolean | undefined;
	/** Inclusive, both ends. */
	readonly from: DayOrInstantInQuery | undefined;
	readonly to: DayOrInstantInQuery | undefined;
	readonly values?: EventValues | undefined;
	/** The edge of the page, or the last event that was searched. */
	readonly cursor: Cursor<EventPosition> | undefined;
	readonly limit: number;
	/** How many of the newest events to skip. */
	readonly skip: number;
	/** Counts up to this limit; undefined counts nothing. */
	readonly countUpTo: number | undefined;
}

export interface EventPage extends Omit<Page<TrackedEvent, EventPosition>, 'rows'> {
	readonly events: readonly TrackedEvent[];
	/** Up to `countUpTo`. */
	readonly counted: number;
	/** The last day, in the program's time zone, whose clicks are retired and not listed; null if there is none, or without clicks. */
	readonly clicksRetiredUntil: string | null;
}

/**
 * Newest first, in one round trip (contract, 4.6). The cursor returns each event stored before the first page exactly once. Clicks are
 * stored some seconds late, so pollers read again from before their newest event and drop duplicates by type and id. With a filter, a page
 * may be short although more follow.
 */
export async function listEvents(
	ctx: Context,
	program: { readonly id: number; readonly timeZone: string },
	filter: EventFilter,
): Promise<EventPage> {
	return readEvents(ctx, program, filter);
}

async function readEvents(
	ctx: Context,
	program: { readonly id: number; readonly timeZone: string },
	filter: EventFilter,
): Promise<EventPage> {
	const { types, countUpTo, cursor } = filter;
	const range = rangeOf(program, filter);
	const all = { ...range, cursor: undefined, limit: countUpTo ?? 0 };
	// No index covers these filters, so nothing is counted.
	const isCounted = countUpTo !== undefined && !isLookedThrough(range);
	const found = await read(ctx.db, {
		...eventsOf(ctx, range, types),
		reached: selectReached(ctx, range, types),
		retired: types.includes('click') ? selectLastRetiredDay(ctx, program.id) : undefined,
		counted: isCounted ? countEvents(ctx, all, types) : undefined,
		ahead: isCounted && cursor ? countEvents(ctx, { ...all, cursor: { ...cursor, isBack: true } }, types) : undefined,
	});
	const events = [
		...found.clicks.map((row) => toEvent('click', row)),
		...found.leads.map((row) => toEvent('lead', row)),
		...found.sales.map((row) => toEvent('sale', row)),
		...found.refunds.map((row) => toEvent('refund', row)),
	];
	const page = pageOf(events, found.reached, filter);
	const [counted] = found.counted;
	// The event at the cursor also precedes the page.
	const ahead = (found.ahead[0]?.total ?? 0) + (cursor && !cursor.isBack ? 1 : 0);
	const offset = ahead > MOST_COUNTED ? null : ahead - (cursor?.isBack ? page.events.length : 0);
	return {
		...page,
		counted: Math.min(counted?.total ?? 0, countUpTo ?? 0),
		clicksRetiredUntil: found.retired[0]?.day ?? null,
		total: counted && { count: Math.min(counted.total, MOST_COUNTED), isMore: counted.total > MOST_COUNTED, offset },
	};
}

function selectLastRetiredDay(ctx: Context, programId: number) {
	return ctx.db
		.select({ day: retiredClickDays.day })
		.from(retiredClickDays)
		.where(eq(retiredClickDays.programId, programId))
		.orderBy(desc(retiredClickDays.day))
		.limit(1);
}

/** Whether the range has more than `most` events. Ignores partner, link and country, which no index covers. */
export async function hasMoreEvents(
	ctx: Context,
	program: { readonly id: number; readonly timeZone: string },
	filter: EventFilter,
	most: number,
): Promise<boolean> {
	const values = { ...filter.values, partnerId: undefined, linkId: undefined, country: undefined };
	const range = rangeOf(program, { ...filter, cursor: undefined, values, limit: most });
	const [counted] = await countEvents(ctx, range, filter.types);
	return (counted?.total ?? 0) > most;
}

function eventsOf(ctx: Context, range: EventRange, types: readonly EventType[]) {
	return {
		clicks: types.includes('click') ? selectClicks(ctx, newest(range, 'click')) : undefined,
		leads: types.includes('lead') ? selectLeads(ctx, newest(range, 'lead')) : undefined,
		sales: types.includes('sale') ? selectSales(ctx, newest(range, 'sale')) : undefined,
		refunds: types.includes('refund') ? selectRefunds(ctx, newest(range, 'refund')) : undefined,
	};
}

/** One more row per type shows whether there is a next page. */
function rangeOf(
	program: { readonly id: number; readonly timeZone: string },
	{ from, to, isTest, values = {}, cursor, skip, limit }: EventFilter,
): EventRange {
	const since = from && startOf(from, program.timeZone);
	const until = to && endOf(to, program.timeZone);
	if (since !== undefined && until !== undefined && since >= until) throw invalid('from must not be after to');
	return { programId: program.id, isTest, from: since, until, values, cursor, limit: skip + limit + 1 };
}

const NOTHING = {
	isBot: null,
	country: null,
	clickId: null,
	customerKey: null,
	saleId: null,
	transactionId: null,
	productId: null,
	amountCents: null,
	currency: null,
	commissionId: null,
	deductionCents: null,
	refundId: null,
	outcome: null,
	source: null,
	reason: null,
	saleType: null,
	isRecurring: null,
	subscriptionId: null,
	subscriptionInterval: null,
} as const;

type Row = Pick<TrackedEvent, 'id' | 'at' | 'isTest' | 'partner' | 'shortLink'> & Partial<TrackedEvent>;

/** Fields that the type lacks are null. */
export function toEvent(type: EventType, row: Row): TrackedEvent {
	return { ...NOTHING, ...row, type };
}
