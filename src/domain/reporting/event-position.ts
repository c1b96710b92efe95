import type { Cursor } from '../page.ts';

/** In the order of a customer's journey. Within one millisecond, the later type counts as newer. */
export const EVENT_TYPES = ['click', 'lead', 'sale', 'refund'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface EventPosition {
	/** ms since the epoch, UTC. */
	readonly at: number;
	readonly type: EventType;
	readonly id: number;
}

export function byNewest(a: EventPosition, b: EventPosition): number {
	return b.at - a.at || rankOf(b.type) - rankOf(a.type) || b.id - a.id;
}

/**
 * A page of events of all types, newest first. `reached` is where the reading of each type stopped early: older events may be missing, so
 * the page ends at the newest of these.
 */
export function pageOf<Event extends EventPosition>(
	found: readonly Event[],
	reached: readonly EventPosition[],
	{ cursor, ...request }: { readonly cursor?: Cursor<EventPosition> | undefined; readonly skip: number; readonly limit: number },
): PageOfEvents<Event> {
	if (cursor?.isBack) return pageBack(found, reached, request);
	const { skip, limit } = request;
	const [end = null] = reached.toSorted(byNewest);
	const known = found.filter((event) => !end || byNewest(event, end) <= 0).toSorted(byNewest);
	const events = known.slice(skip, skip + limit);
	return {
		events,
		nextCursor: known.length > skip + limit ? (events.at(-1) ?? null) : end,
		previousCursor: cursor ? (events[0] ?? null) : null,
	};
}

interface PageOfEvents<Event> {
	readonly events: readonly Event[];
	readonly nextCursor: EventPosition | null;
	readonly previousCursor: EventPosition | null;
}

/** The page before a cursor. Each type was read oldest first, so the page ends at the first point where reading stopped. */
function pageBack<Event extends EventPosition>(
	found: readonly Event[],
	reached: readonly EventPosition[],
	{ limit }: { readonly limit: number },
): PageOfEvents<Event> {
	const end = reached.toSorted(byNewest).at(-1) ?? null;
	const known = found.filter((event) => !end || byNewest(event, end) >= 0).toSorted(byNewest);
	const events = known.slice(-limit);
	return { events, nextCursor: events.at(-1) ?? null, previousCursor: known.length > limit ? (events[0] ?? null) : end };
}

/** Where a type's events continue after a position: those before `before`, and those at that instant with an id below `belowId`. */
export function rangeBehind(position: EventPosition, type: EventType): { readonly before: number; readonly belowId: number | undefined } {
	if (rankOf(type) < rankOf(position.type)) return { before: position.at + 1, belowId: undefined };
	return { before: position.at, belowId: type === position.type ? position.id : undefined };
}

/** Where a type's events continue before a position: those from `from` on, and those at that instant with an id above `aboveId`. */
export function rangeAhead(position: EventPosition, type: EventType): { readonly from: number; readonly aboveId: number | undefined } {
	if (rankOf(type) < rankOf(position.type)) return { from: position.at + 1, aboveId: undefined };
	return { from: position.at, aboveId: type === position.type ? position.id : undefined };
}

export function formatPosition({ at, type, id }: EventPosition): string {
	return `${at}.${type}.${id}`;
}

export function parsePosition(text: string): EventPosition | undefined {
	const match = /^(\d{1,15})\.([a-z]+)\.([1-9]\d{0,14})$/.exec(text);
	const type = EVENT_TYPES.find((known) => known === match?.[2]);
	return match && type ? { at: Number(match[1]), type, id: Number(match[3]) } : undefined;
}

function rankOf(type: EventType): number {
	return EVENT_TYPES.indexOf(type);
}
