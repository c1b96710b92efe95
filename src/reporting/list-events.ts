import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type EventPosition, type EventType, pageOf } from '../domain/reporting/event-position.ts';
import { type DayOrInstantInQuery, endOf, startOf } from '../domain/moment.ts';
import { type Cursor, MOST_COUNTED, type Page } from '../domain/page.ts';
import { invalid } from '../domain/rejection.ts';
import type { TrackedEvent } from './event.ts';
import { type EventRange, type EventValues, isLookedThrough, newest, selectReached } from './newest-events.ts';
import { countEvents, selectClicks, selectLeads, selectRefunds, selectSales } from './select-events.ts';

export interface EventFilter {
	readonly types: readonly EventType[];
	/** Undefined: both. */
	readonly isTest: boolean | undefined;
	/** Both ends belong to the range. */
	readonly from: DayOrInstantInQuery | undefined;
	readonly to: DayOrInstantInQuery | undefined;
	readonly values?: EventValues | undefined;
	/** The position of the event at the edge of another page, or of the last that was looked at. */
	readonly cursor: Cursor<EventPosition> | undefined;
	readonly limit: number;
	/** How many of the newest are left out. */
	readonly skip: number;
	/** How far to count the events of the range; undefined: not at all. */
	readonly countUpTo: number | undefined;
}

export interface EventPage extends Omit<Page<TrackedEvent, EventPosition>, 'rows'> {
	readonly events: readonly TrackedEvent[];
	/** As far as asked for. */
	readonly counted: number;
}

/**
 * The events of a program, newest first (contract, 4.6): one trip. What the cursor guarantees: following it from the first
 * page, a reader gets every event that was stored when the walk began, once, whatever arrives meanwhile. Events that arrive
 * during the walk are on it where their time lies beyond the cursor, else on a first page read later. A click is stored some
 * seconds after its time (its queue delivers late, after an outage much later), so who polls asks again from a little before
 * the newest event it has, and knows what it has by type and id, which never change. If few of many meet the filters, a page may be
 * short while there is more; the next one continues where it stopped.
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
	// No index leads to what is looked through, so it has no total.
	const isCounted = countUpTo !== undefined && !isLookedThrough(range);
	const found = await read(ctx.db, {
		...eventsOf(ctx, range, types),
		reached: selectReached(ctx, range, types),
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
	// The event of a cursor that leads forward comes before the page too.
	const ahead = (found.ahead[0]?.total ?? 0) + (cursor && !cursor.isBack ? 1 : 0);
	const offset = ahead > MOST_COUNTED ? null : ahead - (cursor?.isBack ? page.events.length : 0);
	return {
		...page,
		counted: Math.min(counted?.total ?? 0, countUpTo ?? 0),
		total: counted && { count: Math.min(counted.total, MOST_COUNTED), isMore: counted.total > MOST_COUNTED, offset },
	};
}

/** Whether more events than these lie in the range, whatever partner, link or country they are of: no index knows these. */
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

/** One more than is asked for of each type: the one too many tells whether there is a next page. */
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

/** With null for what an event of its type does not have. */
export function toEvent(type: EventType, row: Row): TrackedEvent {
	return { ...NOTHING, ...row, type };
}
