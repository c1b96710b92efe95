import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, daysBetween } from '../../../src/domain/calendar.ts';
import { type DayOrInstantInQuery, parseDayOrInstant } from '../../../src/domain/moment.ts';
import { type RangeQuery, boundsOf, PERIODS, previousOf, rangeOf } from '../../../src/domain/reporting/report-range.ts';

const between = (from: string, to: string): RangeQuery => ({ period: '7d', dates: { from: moment(from), to: moment(to) } });

describe('a period ends today', () => {
	test.each([
		['7d', '2026-03-01', '2026-02-23'],
		['7d', '2028-03-01', '2028-02-24'],
		['7d', '2026-01-03', '2025-12-28'],
		['30d', '2026-03-30', '2026-03-01'],
		['30d', '2026-03-01', '2026-01-31'],
		['30d', '2028-03-01', '2028-02-01'],
		['90d', '2026-03-31', '2026-01-01'],
		['90d', '2028-03-30', '2028-01-01'],
		['all', '2026-03-01', '2025-07-04'],
	] as const)('%s on %s starts on %s', (period, today, first) =>
		expect(rangeOf({ period, dates: undefined }, today, '2025-07-04', 'UTC')).toEqual({ first, last: today }),
	);
});

describe('dates take precedence over the period', () => {
	test.each([
		['2026-01-01', '2026-01-31', 'UTC', '2026-01-01', '2026-01-31'],
		['2026-01-01', '2026-01-01', 'America/New_York', '2026-01-01', '2026-01-01'],
		['2026-01-01T00:00:00Z', '2026-01-01T23:59:59.999Z', 'UTC', '2026-01-01', '2026-01-01'],
		['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'UTC', '2026-01-01', '2026-01-02'],
		['2026-01-01T04:59:59Z', '2026-01-01T05:00:00Z', 'America/New_York', '2025-12-31', '2026-01-01'],
		['2026-01-01T00:00:00+14:00', '2026-01-01T00:00:00-11:00', 'UTC', '2025-12-31', '2026-01-01'],
		['2016-02-29', '2026-02-28', 'UTC', '2016-02-29', '2026-02-28'],
		['2016-03-01', '2026-03-01', 'UTC', '2016-03-01', '2026-03-01'],
		['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z', 'UTC', '2026-01-01', '2026-01-01'],
		['2026-01-01', '2026-01-01T10:00:00Z', 'UTC', '2026-01-01', '2026-01-01'],
		['2026-01-01T10:00:00Z', '2026-01-01', 'UTC', '2026-01-01', '2026-01-01'],
		['2026-01-01T23:30:00', '2026-01-02T00:30', 'Pacific/Kiritimati', '2026-01-01', '2026-01-02'],
		['2026-01-01T23:30:00', '2026-01-02T05:00:00Z', 'America/New_York', '2026-01-01', '2026-01-02'],
		['1970-01-01', '1970-01-01T00:00:00Z', 'UTC', '1970-01-01', '1970-01-01'],
		['2999-12-30', '2999-12-31', 'UTC', '2999-12-30', '2999-12-31'],
		['2999-12-30T00:00:00Z', '2999-12-31T23:59:59Z', 'UTC', '2999-12-30', '2999-12-31'],
	])('%s to %s in %s is %s to %s', (from, to, zone, first, last) =>
		expect(rangeOf(between(from, to), '2026-06-01', '2026-01-01', zone)).toEqual({ first, last }),
	);

	test.each([
		['2026-01-02', '2026-01-01', 'dateFrom must not be after dateTo'],
		['2026-01-01T10:00:00Z', '2026-01-01T09:00:00Z', 'dateFrom must not be after dateTo'],
		['2026-01-01T10:00', '2026-01-01T09:59', 'dateFrom must not be after dateTo'],
		['2026-01-01T10:00', '2026-01-01T09:00:00Z', 'dateFrom must not be after dateTo'],
		['2016-01-01', '2026-01-02', 'dateTo must be at most 10 years after dateFrom'],
		['0001-01-01', '0001-01-02', 'dateFrom must be from 1970 to 2999'],
		['2999-12-31', '3000-01-01', 'dateTo must be from 1970 to 2999'],
		['0000-01-01T00:00:00Z', '9999-12-31T00:00:00Z', 'dateFrom must be from 1970 to 2999'],
	])('%s to %s is refused', (from, to, message) => {
		expect(() => rangeOf(between(from, to), '2026-06-01', '2026-01-01', 'UTC')).toThrow(message);
		// It must not throw, because the rows are read before the range is known to be valid.
		expect(() => boundsOf(between(from, to), Date.UTC(2026, 5, 1))).not.toThrow();
	});
});

describe('the previous period has the same number of days', () => {
	test.each([
		['2026-03-01', '2026-03-07', '2026-02-22', '2026-02-28'],
		['2028-03-01', '2028-03-07', '2028-02-23', '2028-02-29'],
		['2026-01-01', '2026-01-01', '2025-12-31', '2025-12-31'],
		['2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
		['2024-01-01', '2024-12-31', '2022-12-31', '2023-12-31'],
		['2026-03-01', '2026-03-31', '2026-01-29', '2026-02-28'],
	])('%s to %s follows %s to %s', (first, last, previousFirst, previousLast) =>
		expect(previousOf({ first, last })).toEqual({ first: previousFirst, last: previousLast }),
	);
});

describe('the days to read', () => {
	const now = Date.UTC(2026, 2, 10, 23);

	test.each([
		['7d', '2026-02-24'],
		['30d', '2026-01-09'],
		['90d', '2025-09-11'],
		['all', ''],
	] as const)('for %s start on %j: twice the period ago', (period, first) => {
		expect(boundsOf({ period, dates: undefined }, now)).toEqual({ first, last: '2026-03-11' });
	});

	test('for days are those and as many before; for instants one more at each end', () => {
		expect(boundsOf(between('2026-03-01', '2026-03-07'), now)).toEqual({ first: '2026-02-22', last: '2026-03-07' });
		expect(boundsOf(between('2026-03-02T00:00:00Z', '2026-03-06T23:00:00Z'), now)).toEqual({ first: '2026-02-22', last: '2026-03-07' });
	});

	test('for a range that ends before it starts are none', () => {
		expect(boundsOf(between('9999-01-01', '2026-01-01'), now)).toEqual({ first: '9999-01-01', last: '2026-01-01' });
	});
});

test('the days to read include the range and the previous one in any zone, and few more', () => {
	const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });
	const zones = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Asia/Kathmandu');
	const moments = instants.chain((at): fc.Arbitrary<DayOrInstantInQuery> =>
		fc.constantFrom(
			{ kind: 'instant', at },
			{ kind: 'day', day: new Date(at).toISOString().slice(0, 10) },
			{ kind: 'clock', day: new Date(at).toISOString().slice(0, 10), clockMs: at % DAY_MS },
		),
	);
	const asked = fc.record({
		period: fc.constantFrom(...PERIODS),
		dates: fc.option(fc.record({ from: moments, to: moments }), { nil: undefined }),
	});
	fc.assert(
		fc.property(asked, instants, zones, (range, now, zone) => {
			const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);
			const current = orRefused(() => rangeOf(range, today, today, zone));
			if (!current) return;
			const bounds = boundsOf(range, now);
			expect(bounds.first <= previousOf(current).first && current.last <= bounds.last).toBe(true);
			if (bounds.first === '') return;
			expect(daysBetween(bounds.first, bounds.last) - 2 * daysBetween(current.first, current.last)).toBeLessThanOrEqual(8);
		}),
		{ numRuns: 2000 },
	);
});

function moment(text: string): DayOrInstantInQuery {
	const parsed = parseDayOrInstant(text);
	if (!parsed) throw new Error(`${text} is not a time`);
	return parsed;
}

function orRefused<Result>(work: () => Result): Result | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
