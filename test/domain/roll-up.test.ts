import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { daysDue, programsDue } from '../../src/domain/roll-up.ts';

test.each([
	[1, 60],
	[59, 60],
	[60, 60],
	[61, 60],
	[1200, 60],
	[1201, 61],
	[5000, 250],
])('of %d programs each has its turn once in %d minutes, at most 20 a minute', (newest, minutes) => {
	const turns = Array.from({ length: minutes }, (_, minute) => programsDue(newest, 20, (1_000_000 * minutes + minute) * MINUTE_MS));
	expect(turns.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
	expect(Math.max(...turns.map((turn) => turn.length))).toBeLessThanOrEqual(20);
});

test('no program, no turn', () => expect(programsDue(0, 20, Date.now())).toEqual([]));

test('today and yesterday are looked at every hour, each earlier day of the program in its turn', () => {
	const now = Date.UTC(2026, 2, 10, 12);
	const created = Date.UTC(2026, 2, 1, 9);
	const visits = Array.from({ length: 8 }, (_, hour) => daysDue(created, now + hour * HOUR_MS, 'UTC'));
	expect(visits.map((days) => days.slice(0, 2))).toEqual(visits.map(() => ['2026-03-10', '2026-03-09']));
	expect(visits.map((days) => days[2]).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((day) => `2026-03-0${day}`));
});

test('a new program has no earlier day', () => {
	const now = Date.UTC(2026, 2, 10, 12);
	expect(daysDue(now, now, 'UTC')).toEqual(['2026-03-10', '2026-03-09']);
	expect(daysDue(now - 48 * HOUR_MS, now, 'UTC')).toEqual(['2026-03-10', '2026-03-09', '2026-03-08']);
});
