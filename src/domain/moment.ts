/** A bound of a time range: a calendar day of the program's time zone, or an instant in ms, UTC. */
export type Moment = { readonly kind: 'day'; readonly day: string } | { readonly kind: 'instant'; readonly at: number };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The moment that an ISO 8601 text names, or undefined. An instant needs its zone; a `+` that a query turned into a blank is taken back. */
export function parseMoment(text: string): Moment | undefined {
	if (DAY.test(text)) return isDay(text) ? { kind: 'day', day: text } : undefined;
	const instant = text.replace(' ', '+');
	const day = INSTANT.exec(instant)?.[1];
	const at = Date.parse(instant);
	return day !== undefined && isDay(day) && Number.isFinite(at) ? { kind: 'instant', at } : undefined;
}

/** Whether the calendar has the day: Date.parse takes 30 February for 2 March. */
function isDay(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
