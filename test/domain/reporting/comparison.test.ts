import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, daysBetween } from '../../../src/domain/calendar.ts';
import { type DayOrInstantInQuery, parseDayOrInstant } from '../../../src/domain/moment.ts';
import {
	comparedBoundsOf,
	comparedRangeOf,
	type Comparison,
	comparisonOf,
	COMPARISONS,
	WITH_PREVIOUS,
} from '../../../src/domain/reporting/comparison.ts';
import { boundsOf, PERIODS, previousOf, rangeOf, type RangeQuery } from '../../../src/domain/reporting/report-range.ts';

const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();

describe('a range is compared with as many days', () => {
	test.each([
		['previous', false, '2026-11-02', '2026-11-28', '2026-10-06', '2026-11-01'],
		['previous', true, '2026-11-02', '2026-11-28', '2026-10-05', '2026-10-31'],
		['previous', true, '2026-11-22', '2026-11-28', '2026-11-15', '2026-11-21'],
		['previous', true, '2026-11-28', '2026-11-28', '2026-11-21', '2026-11-21'],
		['last_year', false, '2026-11-01', '2026-11-28', '2025-11-01', '2025-11-28'],
		['last_year', true, '2026-11-01', '2026-11-28', '2025-11-02', '2025-11-29'],
		['last_year', true, '2028-11-01', '2028-11-07', '2027-11-03', '2027-11-09'],
		['last_year', false, '2028-02-29', '2028-02-29', '2027-02-28', '2027-02-28'],
		['last_year', false, '2028-02-01', '2028-02-29', '2027-02-01', '2027-03-01'],
	] as const)('%s, matching weekdays: %s, of %s to %s is %s to %s', (compare, isByWeekday, first, last, comparedFirst, comparedLast) =>
		expect(comparedRangeOf({ first, last }, comparisonOf(compare, undefined, isByWeekday))).toEqual({
			first: comparedFirst,
			last: comparedLast,
		}),
	);

	test.each([
		['2026-07-01', false, '2026-07-01'],
		['2026-07-01', true, '2026-06-28'],
		['2026-07-02', true, '2026-07-05'],
		['2026-12-24', true, '2026-12-27'],
	])('that begins on %s, matching weekdays: %s, begins on %s', (from, isByWeekday, first) =>
		expect(comparedRangeOf({ first: '2026-11-22', last: '2026-11-28' }, comparisonOf('custom', from, isByWeekday))).toEqual({
			first,
			last: addDays(first, 6),
		}),
	);
});

describe('a first day', () => {
	test('is needed for custom days', () =>
		expect(() => comparisonOf('custom', undefined, false)).toThrow('compare=custom needs compare_from, the first day to compare with'));

	test.each(['1969-12-31', '3000-01-01'])('%s is refused', (from) =>
		expect(() => comparisonOf('custom', from, false)).toThrow('compare_from must be from 1970 to 2999'),
	);

	test('is ignored for other comparisons', () => expect(comparisonOf('previous', '2026-01-01', false)).toEqual(WITH_PREVIOUS));
});

const FIRST_DAY = '2020-01-01';
const days = fc.integer({ min: 0, max: 7_000 }).map((index) => addDays(FIRST_DAY, index));
const ranges = fc.record({ first: days, length: fc.integer({ min: 0, max: 800 }) }).map(({ first, length }) => ({
	first,
	last: addDays(first, length),
}));
const comparisons: fc.Arbitrary<Comparison> = fc
	.record({ compare: fc.constantFrom(...COMPARISONS), from: days, isByWeekday: fc.boolean() })
	.map(({ compare, from, isByWeekday }) => comparisonOf(compare, from, isByWeekday));

/** If weekdays need not match. */
function plainFirst(range: { first: string; last: string }, comparison: Comparison): string {
	if (comparison.with === 'previous') return previousOf(range).first;
	return comparison.with === 'last_year' ? addMonths(range.first, -12) : (comparison.from ?? '');
}

test('any comparison has as many days, and the same weekdays if they are to match', () => {
	fc.assert(
		fc.property(ranges, comparisons, (range, comparison) => {
			const compared = comparedRangeOf(range, comparison);
			expect(daysBetween(compared.first, compared.last)).toBe(daysBetween(range.first, range.last));
			const moved = daysBetween(plainFirst(range, comparison), compared.first);
			if (!comparison.isByWeekday) expect(moved).toBe(0);
			else expect(weekdayOf(compared.first)).toBe(weekdayOf(range.first));
			expect(Math.abs(moved)).toBeLessThanOrEqual(comparison.with === 'previous' ? 6 : 3);
		}),
	);
});

test('the previous days end before the range begins', () => {
	fc.assert(
		fc.property(ranges, fc.boolean(), (range, isByWeekday) => {
			const compared = comparedRangeOf(range, comparisonOf('previous', undefined, isByWeekday));
			expect(compared.last < range.first).toBe(true);
			expect(daysBetween(compared.last, range.first)).toBeLessThanOrEqual(7);
		}),
	);
});

const on = (text: string): DayOrInstantInQuery => parseDayOrInstant(text) ?? { kind: 'day', day: text };

describe('the days to read', () => {
	const now = Date.UTC(2026, 10, 28, 12);

	test('are those of the range for the previous days, and for all time', () => {
		expect(comparedBoundsOf({ period: '30d', dates: undefined }, WITH_PREVIOUS, now)).toBeUndefined();
		expect(comparedBoundsOf({ period: 'all', dates: undefined }, comparisonOf('last_year', undefined, false), now)).toBeUndefined();
	});

	test('are none if the range ends before it begins', () => {
		const reversed: RangeQuery = { period: '7d', dates: { from: on('2026-02-01'), to: on('2026-01-01') } };
		expect(comparedBoundsOf(reversed, comparisonOf('last_year', undefined, false), now)).toBeUndefined();
	});

	test('include the week before if the range is a day and ends at an instant that is the day before in UTC', () => {
		const query: RangeQuery = { period: '7d', dates: { from: on('2030-01-01'), to: { kind: 'instant', at: Date.UTC(2029, 11, 31, 23) } } };
		const bounds = comparedBoundsOf(query, comparisonOf('previous', undefined, true), now);
		expect(bounds && bounds.first <= '2029-12-25' && bounds.last >= '2029-12-25').toBe(true);
	});

	test('include the comparison in any zone, and few more', () => {
		const zones = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Asia/Kathmandu');
		const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });
		const ends = instants.chain((at): fc.Arbitrary<DayOrInstantInQuery> =>
			fc.constantFrom({ kind: 'instant', at }, { kind: 'day', day: new Date(at).toISOString().slice(0, 10) }),
		);
		const queries = fc.record({
			period: fc.constantFrom(...PERIODS),
			dates: fc.option(fc.record({ from: ends, to: ends }), { nil: undefined }),
		});
		fc.assert(
			fc.property(queries, comparisons, instants, zones, (query, comparison, at, zone) => {
				const { dates } = query;
				const isReversed = dates && dayIn(dates.from, zone) > dayIn(dates.to, zone);
				fc.pre(!isReversed);
				const range = orUndefined(() => rangeOf(query, dayIn({ kind: 'instant', at }, zone), FIRST_DAY, zone));
				if (!range) return;
				const compared = comparedRangeOf(range, comparison);
				const bounds = comparedBoundsOf(query, comparison, at) ?? boundsOf(query, at);
				if (bounds.first === '') return;
				expect(bounds.first <= compared.first && compared.last <= bounds.last).toBe(true);
				if (comparison.with !== 'previous')
					expect(daysBetween(bounds.first, bounds.last) - daysBetween(compared.first, compared.last)).toBeLessThanOrEqual(24);
			}),
		);
	});
});

function dayIn(moment: DayOrInstantInQuery, timeZone: string): string {
	return moment.kind === 'instant' ? new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment.at) : moment.day;
}

function orUndefined<Value>(valueOf: () => Value): Value | undefined {
	try {
		return valueOf();
	} catch {
		return undefined;
	}
}
