import { addDays, addMonths, dayOf, daysBetween } from '../calendar.ts';
import { type DayOrInstantInQuery, inZone } from '../moment.ts';
import { invalid } from '../rejection.ts';

export const PERIODS = ['7d', '30d', '90d', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** Dates take precedence over the period. */
export interface RangeQuery {
	readonly period: Period;
	readonly dates: { readonly from: DayOrInstantInQuery; readonly to: DayOrInstantInQuery } | undefined;
}

/** Both ends included. */
export interface DayRange {
	readonly first: string;
	readonly last: string;
}

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const satisfies Record<Exclude<Period, 'all'>, number>;

/** Decision 26. */
const MAX_MONTHS = 120;
const FIRST_YEAR = '1970';
const LAST_YEAR = '2999';

/** The period `all` starts at `firstDay`. Rejects with 400 if a date is invalid. */
export function rangeOf(query: RangeQuery, today: string, firstDay: string, timeZone: string): DayRange {
	const { period, dates } = query;
	if (!dates) return periodOf(period, today, firstDay);
	const range = { first: dayNamed('dateFrom', dates.from, timeZone), last: dayNamed('dateTo', dates.to, timeZone) };
	if (range.last < range.first || isReversed(dates.from, dates.to, timeZone)) throw invalid('dateFrom must not be after dateTo');
	if (range.last > addMonths(range.first, MAX_MONTHS)) throw invalid('dateTo must be at most 10 years after dateFrom');
	return range;
}

/** The days of a period that ends today. */
export function periodOf(period: Period, today: string, firstDay: string): DayRange {
	return { first: period === 'all' ? firstDay : addDays(today, 1 - DAYS[period]), last: today };
}

export function previousOf({ first, last }: DayRange): DayRange {
	return { first: addDays(first, -(daysBetween(first, last) + 1)), last: addDays(first, -1) };
}

/** Covers the range and the previous one in any time zone. */
export function boundsOf({ period, dates }: RangeQuery, now: number): DayRange {
	const today = dayOf(now, 'UTC');
	if (!dates) {
		const last = addDays(today, 1);
		return { first: period === 'all' ? '' : addDays(today, -2 * DAYS[period]), last };
	}
	const first = dates.from.kind === 'instant' ? addDays(dayOf(dates.from.at, 'UTC'), -1) : dates.from.day;
	const last = dates.to.kind === 'instant' ? addDays(dayOf(dates.to.at, 'UTC'), 1) : dates.to.day;
	// A reversed range is refused later, once the caller is authenticated.
	return last < first ? { first, last } : { first: previousOf({ first, last }).first, last };
}

function dayNamed(parameter: string, moment: DayOrInstantInQuery, timeZone: string): string {
	requireYear(parameter, moment.kind === 'instant' ? dayOf(moment.at, 'UTC') : moment.day);
	return moment.kind === 'instant' ? dayOf(moment.at, timeZone) : moment.day;
}

/** Rejects with 400 if the day is too long ago or too far away. */
export function requireYear(parameter: string, day: string): void {
	const year = day.slice(0, 4);
	if (year < FIRST_YEAR || year > LAST_YEAR) throw invalid(`${parameter} must be from ${FIRST_YEAR} to ${LAST_YEAR}`);
}

function isReversed(start: DayOrInstantInQuery, end: DayOrInstantInQuery, timeZone: string): boolean {
	const [from, to] = [inZone(start, timeZone), inZone(end, timeZone)];
	return from.kind === 'instant' && to.kind === 'instant' && to.at < from.at;
}
