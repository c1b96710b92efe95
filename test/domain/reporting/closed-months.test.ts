import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, daysThrough, monthOf } from '../../../src/domain/calendar.ts';
import { daysOfMonth, mayBeClosed, monthsToClose, wholeMonthsOf } from '../../../src/domain/reporting/closed-months.ts';

const aDay = fc.integer({ min: 0, max: 900 }).map((days) => addDays('2023-12-15', days));

test('a range includes a whole month exactly if it has all of its days', () => {
	fc.assert(
		fc.property(aDay, fc.nat(400), aDay, (first, days, other) => {
			const range = { first, last: addDays(first, days) };
			const months = wholeMonthsOf(range);
			const month = monthOf(other);
			const ofMonth = daysOfMonth(month);
			const isWhole = ofMonth.first >= range.first && ofMonth.last <= range.last;
			expect(months.first <= month && month <= months.last).toBe(isWhole);
		}),
		{ numRuns: 2_000 },
	);
});

test('an open range includes every month until its end', () => {
	expect(wholeMonthsOf({ first: '', last: '2026-05-30' })).toEqual({ first: '', last: '2026-04' });
	expect(wholeMonthsOf({ first: '', last: '9999-12-31' })).toEqual({ first: '', last: '9999-12' });
});

test('a month has its days, in leap years too', () => {
	expect([daysOfMonth('2024-02'), daysOfMonth('2026-12')]).toEqual([
		{ first: '2024-02-01', last: '2024-02-29' },
		{ first: '2026-12-01', last: '2026-12-31' },
	]);
});

test.each([
	['2026-05-03', '2026-03'],
	['2026-05-04', '2026-04'],
	['2026-01-02', '2025-11'],
])('on %s the latest month to close is %s', (today, latest) => {
	expect(monthsToClose('2025-10-20', today)[0]).toBe(latest);
	expect(monthsToClose('2025-10-20', today).at(-1)).toBe('2025-10');
});

test('the days of a month that is closed in any time zone may be closed', () => {
	fc.assert(
		fc.property(aDay, fc.constantFrom(-1, 0, 1), (today, offset) => {
			const [month] = monthsToClose('2023-01-01', addDays(today, offset));
			if (month === undefined) throw new Error('There is one');
			for (const day of daysThrough(daysOfMonth(month).first, daysOfMonth(month).last)) expect(mayBeClosed(day, today)).toBe(true);
			expect(mayBeClosed(today, today)).toBe(false);
		}),
	);
});
