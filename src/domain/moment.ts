import { addDays, instantAt, startOfDay } from './calendar.ts';
import { isoOf } from './instant.ts';

/** A bound of a range: a day in the program's time zone, or an instant in ms. */
export type DayOrInstant = { readonly kind: 'day'; readonly day: string } | { readonly kind: 'instant'; readonly at: number };

/** `clock` is a local time whose time zone is not known yet. */
export type DayOrInstantInQuery = DayOrInstant | { readonly kind: 'clock'; readonly day: string; readonly clockMs: number };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Parses ISO 8601; undefined if it is invalid. Restores a `+` that the query string turned into a space. */
export function parseDayOrInstant(text: string): DayOrInstantInQuery | undefined {
	if (DAY.test(text)) return isDay(text) ? { kind: 'day', day: text } : undefined;
	const time = text.replace(' ', '+');
	const [, day, zone] = TIME.exec(time) ?? [];
	if (day === undefined || !isDay(day)) return undefined;
	const at = Date.parse(zone === undefined ? `${time}Z` : time);
	if (!Number.isFinite(at)) return undefined;
	return zone === undefined ? { kind: 'clock', day, clockMs: at - Date.parse(`${day}T00:00:00Z`) } : { kind: 'instant', at };
}

export function inZone(moment: DayOrInstantInQuery, timeZone: string): DayOrInstant {
	return moment.kind === 'clock' ? { kind: 'instant', at: instantAt(moment.day, moment.clockMs, timeZone) } : moment;
}

export function momentText(moment: DayOrInstant): string {
	return moment.kind === 'day' ? moment.day : isoOf(moment.at);
}

export function startOf(value: DayOrInstantInQuery, timeZone: string): number {
	const moment = inZone(value, timeZone);
	return moment.kind === 'instant' ? moment.at : startOfDay(moment.day, timeZone);
}

export function endOf(value: DayOrInstantInQuery, timeZone: string): number {
	const moment = inZone(value, timeZone);
	return moment.kind === 'instant' ? moment.at + 1 : startOfDay(addDays(moment.day, 1), timeZone);
}

/** Date.parse accepts 30 February as 2 March. */
function isDay(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
