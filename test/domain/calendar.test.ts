import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, DAY_MS, dayOf, daysBetween, daysThrough, HOUR_MS, isTimeZone, startOfDay } from '../../src/domain/calendar.ts';

describe('the day of an instant depends on the zone', () => {
	test.each([
		['2026-03-01T00:00:00Z', 'UTC', '2026-03-01'],
		['2026-03-01T23:59:59.999Z', 'UTC', '2026-03-01'],
		['2026-02-28T23:00:00Z', 'Europe/Berlin', '2026-03-01'],
		['2026-06-30T21:59:59.999Z', 'Europe/Berlin', '2026-06-30'],
		['2026-06-30T22:00:00Z', 'Europe/Berlin', '2026-07-01'],
		['2026-01-01T07:59:59Z', 'America/Los_Angeles', '2025-12-31'],
		['2026-01-01T08:00:00Z', 'America/Los_Angeles', '2026-01-01'],
		['2026-01-01T18:15:00Z', 'Asia/Kathmandu', '2026-01-02'],
		['2026-01-01T10:00:00Z', 'Pacific/Kiritimati', '2026-01-02'],
		['2026-01-01T11:00:00Z', 'Pacific/Pago_Pago', '2026-01-01'],
	])('%s in %s is %s', (instant, zone, day) => expect(dayOf(Date.parse(instant), zone)).toBe(day));

	test('it is YYYY-MM-DD, and at most 14 hours from UTC', () => {
		const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Africa/Casablanca');
		const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2060, 0, 1) });
		fc.assert(
			fc.property(instants, zones, (instant, zone) => {
				const day = dayOf(instant, zone);
				expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
				const start = Date.parse(day);
				expect(instant).toBeGreaterThanOrEqual(start - 14 * HOUR_MS);
				expect(instant).toBeLessThan(start + DAY_MS + 14 * HOUR_MS);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('months later is the same day of the month, or the last of a shorter month', () => {
	test.each([
		['2026-01-15', 0, '2026-01-15'],
		['2026-01-15', 1, '2026-02-15'],
		['2026-01-31', 1, '2026-02-28'],
		['2028-01-31', 1, '2028-02-29'],
		['2026-01-31', 3, '2026-04-30'],
		['2026-11-30', 3, '2027-02-28'],
		['2024-02-29', 12, '2025-02-28'],
		['2026-12-31', 1200, '2126-12-31'],
	])('%s and %i months is %s', (day, months, later) => expect(addMonths(day, months)).toBe(later));
});

test('the platform knows the time zones', () => {
	expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].map(isTimeZone)).toEqual([true, true, true]);
	expect(['', 'Mars/Olympus', 'Europe/Berlin\u0000', ' '].map(isTimeZone)).toEqual([false, false, false, false]);
});

describe('a day starts in its zone', () => {
	test.each([
		['2026-03-01', 'UTC', '2026-03-01T00:00:00Z'],
		['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
		['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
		['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z'],
		['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00Z'],
		['2026-03-08', 'America/New_York', '2026-03-08T05:00:00Z'],
		['2026-03-09', 'America/New_York', '2026-03-09T04:00:00Z'],
		['2026-01-02', 'Asia/Kathmandu', '2026-01-01T18:15:00Z'],
		['2026-01-02', 'Pacific/Kiritimati', '2026-01-01T10:00:00Z'],
		['2026-01-01', 'Pacific/Pago_Pago', '2026-01-01T11:00:00Z'],
		['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00Z'],
		['2026-04-06', 'Australia/Lord_Howe', '2026-04-05T13:30:00Z'],
		['1970-01-01', 'America/New_York', '1970-01-01T05:00:00Z'],
		['1969-12-31', 'Asia/Tokyo', '1969-12-30T15:00:00Z'],
		// 44 minutes and 30 seconds behind UTC, which is not a quarter of an hour.
		['1971-06-01', 'Africa/Monrovia', '1971-06-01T00:44:30Z'],
		// The clocks skip midnight, so the day starts at 01:00.
		['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
		['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00Z'],
		// Samoa skipped this day.
		['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
		['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
	])('%s in %s at %s', (day, zone, instant) => expect(new Date(startOfDay(day, zone)).toISOString()).toBe(new Date(instant).toISOString()));

	test('the millisecond before belongs to an earlier day', () => {
		const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Africa/Casablanca');
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 25_000 }), zones, (days, zone) => {
				const day = addDays('1985-01-01', days);
				const start = startOfDay(day, zone);
				expect([dayOf(start, zone), dayOf(start - 1, zone)]).toEqual([day, addDays(day, -1)]);
			}),
			{ numRuns: 300 },
		);
	});
});

test.each([
	['2028-02-28', 1, '2028-02-29'],
	['2028-02-29', 1, '2028-03-01'],
	['2026-02-28', 1, '2026-03-01'],
	['2026-12-31', 1, '2027-01-01'],
	['2026-01-01', -1, '2025-12-31'],
	['2026-03-31', -90, '2025-12-31'],
])('%s and %i days is %s', (day, days, later) => {
	expect(addDays(day, days)).toBe(later);
	expect(daysBetween(day, later)).toBe(days);
});

test('the days between two days are the same as adding days one by one', () => {
	const days = fc.integer({ min: 0, max: 800 });
	const starts = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2060, 0, 1) }).map((at) => dayOf(at, 'UTC'));
	fc.assert(
		fc.property(starts, days, (first, count) => {
			const through = daysThrough(first, addDays(first, count));
			expect(through).toHaveLength(count + 1);
			expect(through).toEqual(through.map((_, index) => addDays(first, index)));
		}),
	);
	expect(daysThrough('2026-03-02', '2026-03-01')).toEqual([]);
});

test('a UTC day is the ISO date in any year', () => {
	const edges = ['0999-12-31', '1000-01-01', '9999-12-31', '+010000-01-01', '+012345-06-07', '-000001-12-31'];
	expect(edges.map((day) => dayOf(Date.parse(`${day}T23:59:59.999Z`), 'UTC'))).toEqual(edges);
	fc.assert(
		fc.property(fc.date({ noInvalidDate: true }), (date) => {
			expect(dayOf(date.getTime(), 'UTC')).toBe(date.toISOString().split('T')[0]);
		}),
	);
});
