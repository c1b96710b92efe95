import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { daysDue, turnAt } from '../../../src/domain/reporting/roll-up.ts';

test.each([
	[1, 60],
	[59, 60],
	[60, 60],
	[61, 60],
	[1200, 60],
	[1201, 61],
	[5000, 250],
])('each of %d programs has its turn once in %d minutes, at most 20 a minute', (newest, minutes) => {
	const turns = Array.from({ length: minutes }, (_, minute) => turnAt((1_000_000 * minutes + minute) * MINUTE_MS, newest, 20));
	expect(turns.flatMap(({ ids }) => ids).toSorted((a, b) => a - b)).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
	expect(new Set(turns.map(({ round }) => round))).toEqual(new Set([1_000_000]));
	expect(Math.max(...turns.map(({ ids }) => ids.length))).toBeLessThanOrEqual(20);
});

test('without programs there is no turn', () => expect(turnAt(Date.now(), 0, 20).ids).toEqual([]));

test('today and yesterday are compared in every round, each earlier day in turn', () => {
	const now = Date.UTC(2026, 2, 10, 12);
	const created = Date.UTC(2026, 2, 1, 9);
	const visits = Array.from({ length: 8 }, (_, round) => daysDue(created, now, 'UTC', round));
	expect(visits.map((days) => days.slice(0, 2))).toEqual(visits.map(() => ['2026-03-10', '2026-03-09']));
	expect(visits.map((days) => days[2]).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((day) => `2026-03-0${day}`));
});

test('a new program has no earlier day', () => {
	const now = Date.UTC(2026, 2, 10, 12);
	expect(daysDue(now, now, 'UTC', 7)).toEqual(['2026-03-10', '2026-03-09']);
	expect(daysDue(now - DAY_MS, now, 'UTC', 7)).toEqual(['2026-03-10', '2026-03-09']);
	expect(daysDue(now - 2 * DAY_MS, now, 'UTC', 7)).toEqual(['2026-03-10', '2026-03-09', '2026-03-08']);
});
