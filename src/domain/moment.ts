import { addDays, instantAt, startOfDay } from './calendar.ts';
import { isoOf } from './instant.ts';

/** A bound of a time range: a calendar day of the program's time zone, or an instant in ms, UTC. */
export type DayOrInstant = { readonly kind: 'day'; readonly day: string } | { readonly kind: 'instant'; readonly at: number };

/** A moment as it is asked for: also what the clocks of the program's time zone show, which is not known yet. */
export type DayOrInstantInQuery = DayOrInstant | { readonly kind: 'clock'; readonly day: string; readonly clockMs: number };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** The moment that an ISO 8601 text names, or undefined. A `+` that a query turned into a blank is taken back. */
export function parseDayOrInstant(text: string): DayOrInstantInQuery | undefined {
	if (DAY.test(text)) return isDay(text) ? { kind: 'day', day: text } : undefined;
	const time = text.replace(' ', '+');
	const [, day, zone] = TIME.exec(time) ?? [];
	if (day === undefined || !isDay(day)) return undefined;
	const at = Date.parse(zone === undefined ? `${time}Z` : time);
	if (!Number.isFinite(at)) return undefined;
	return zone === undefined ? { kind: 'clock', day, clockMs: at - Date.parse(`${day}T00:00:00Z`) } : { kind: 'instant', at };
}

/** The moment, for the program whose time zone it is. */
export function inZone(moment: DayOrInstantInQuery, timeZone: string): DayOrInstant {
	return moment.kind === 'clock' ? { kind: 'instant', at: instantAt(moment.day, moment.clockMs, timeZone) } : moment;
}

/** In ISO 8601. */
export function momentText(moment: DayOrInstant): string {
	return moment.kind === 'day' ? moment.day : isoOf(moment.at);
}

/** The first instant of the moment. */
export function startOf(asked: DayOrInstantInQuery, timeZone: string): number {
	const moment = inZone(asked, timeZone);
	return moment.kind === 'instant' ? moment.at : startOfDay(moment.day, timeZone);
}

/** The first instant after the moment. */
export function endOf(asked: DayOrInstantInQuery, timeZone: string): number {
	const moment = inZone(asked, timeZone);
	return moment.kind === 'instant' ? moment.at + 1 : startOfDay(addDays(moment.day, 1), timeZone);
}

/** Whether the calendar has the day: Date.parse takes 30 February for 2 March. */
function isDay(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
