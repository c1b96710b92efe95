/** In the order in which things happen to one customer: of one millisecond, the later kind counts as newer. */
export const EVENT_TYPES = ['click', 'lead', 'sale', 'refund'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Where an event stands in the list of all events of a program: no two share a place. */
export interface EventPosition {
	/** ms since the epoch, UTC. */
	readonly at: number;
	readonly type: EventType;
	readonly id: number;
}

/** Below zero where `a` is the newer one: newest first. */
export function byNewest(a: EventPosition, b: EventPosition): number {
	return b.at - a.at || rankOf(b.type) - rankOf(a.type) || b.id - a.id;
}

/**
 * A page of what was found of all types, newest first, and the position from which the next one goes on; null: there is none.
 * `reached`: where looking stopped before the end, of a type. Nothing beyond the newest of them is known whole.
 */
export function pageOf<Event extends EventPosition>(
	found: readonly Event[],
	reached: readonly EventPosition[],
	{ skip, limit }: { readonly skip: number; readonly limit: number },
) {
	const [end = null] = reached.toSorted(byNewest);
	const known = found.filter((event) => !end || byNewest(event, end) <= 0).toSorted(byNewest);
	const events = known.slice(skip, skip + limit);
	return { events, nextCursor: known.length > skip + limit ? (events.at(-1) ?? null) : end };
}

/** Which events of a type lie behind a position: those before `before`, and those at that very instant with an id below `belowId`. */
export function rangeBehind(position: EventPosition, type: EventType): { readonly before: number; readonly belowId: number | undefined } {
	if (rankOf(type) < rankOf(position.type)) return { before: position.at + 1, belowId: undefined };
	return { before: position.at, belowId: type === position.type ? position.id : undefined };
}

/** The position as a cursor, and back; undefined for what is none. */
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
