import { addDays, addMonths, daysBetween, dayOf } from '../calendar.ts';
import { invalid } from '../rejection.ts';
import { type DayRange, periodOf, previousOf, type RangeQuery, requireYear } from './report-range.ts';

// The days that a report is compared with. There are as many as in its range, so days match by index.

export const COMPARISONS = ['previous', 'last_year', 'custom'] as const;

export interface Comparison {
	readonly with: (typeof COMPARISONS)[number];
	/** The first day to compare with; for `custom` only. */
	readonly from: string | undefined;
	/** Moves the days to compare with, so that Mondays are compared with Mondays. */
	readonly isByWeekday: boolean;
}

export const WITH_PREVIOUS: Comparison = { with: 'previous', from: undefined, isByWeekday: false };

/** Rejects with 400 if `custom` has no first day. */
export function comparisonOf(compare: Comparison['with'], from: string | undefined, isByWeekday: boolean): Comparison {
	if (compare !== 'custom') return { with: compare, from: undefined, isByWeekday };
	if (from === undefined) throw invalid('compare=custom needs compare_from, the first day to compare with');
	requireYear('compare_from', from);
	return { with: 'custom', from, isByWeekday };
}

export function comparedRangeOf(range: DayRange, comparison: Comparison): DayRange {
	const first = firstComparedDay(range, comparison);
	return { first, last: addDays(first, daysBetween(range.first, range.last)) };
}

function firstComparedDay(range: DayRange, { with: compare, from, isByWeekday }: Comparison): string {
	if (compare === 'previous') {
		const { first } = previousOf(range);
		// Only earlier days: later ones would be part of the range itself.
		return isByWeekday ? addDays(first, -pastWeeks(daysBetween(first, range.first))) : first;
	}
	const first = compare === 'last_year' ? addMonths(range.first, -12) : (from ?? range.first);
	return isByWeekday ? addDays(first, toSameWeekday(daysBetween(first, range.first))) : first;
}

/** The days that must be added to a distance to make it whole weeks. */
function pastWeeks(days: number): number {
	return (7 - (days % 7)) % 7;
}

/** How many days later the nearest day of the same weekday is, -3 to 3. `distance` is the number of days to the day that it must match. */
function toSameWeekday(distance: number): number {
	const later = ((distance % 7) + 7) % 7;
	return later > 3 ? later - 7 : later;
}

/** Comparisons differ by fewer days than this between the time zones of the world, whose days begin up to a day apart. */
const MARGIN_DAYS = 10;

/**
 * Enough days for the comparison in any time zone, to read in the same trip as the range. Undefined if the range already reads them: a
 * report is compared with the previous range by default, and `all` reads everything.
 */
export function comparedBoundsOf(query: RangeQuery, comparison: Comparison, now: number): DayRange | undefined {
	if (query.period === 'all' && !query.dates) return undefined;
	if (comparison.with === 'previous' && !comparison.isByWeekday) return undefined;
	const { first, last } = rangeInUtc(query, now);
	// In an eastern zone, an instant may be on the day after, and the range is not empty.
	if (daysBetween(first, last) < -1) return undefined;
	const compared = comparedRangeOf({ first, last: last < first ? first : last }, comparison);
	return { first: addDays(compared.first, -MARGIN_DAYS), last: addDays(compared.last, MARGIN_DAYS) };
}

function rangeInUtc({ period, dates }: RangeQuery, now: number): DayRange {
	if (!dates) return periodOf(period, dayOf(now, 'UTC'), '');
	const [first, last] = [dates.from, dates.to].map((end) => (end.kind === 'instant' ? dayOf(end.at, 'UTC') : end.day));
	return { first: first ?? '', last: last ?? '' };
}
