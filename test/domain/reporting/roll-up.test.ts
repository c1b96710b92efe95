import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { batchesOf, daysDue, slotAt, turnOf } from '../../../src/domain/reporting/roll-up.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('each minute of the hour is a slot, the same in every hour', () => {
	const slots = numbers(120).map((minute) => slotAt((600_000 + minute) * MINUTE_MS));
	expect(slots.map(({ slot }) => slot)).toEqual([...numbers(60), ...numbers(60)]);
	expect(slots.map(({ hour }) => hour)).toEqual([...numbers(60).map(() => 10_000), ...numbers(60).map(() => 10_001)]);
});

test.each([
	[0, 1],
	[1, 1],
	[20, 1],
	[21, 2],
	[90, 5],
])('each of %d programs of a slot has its turn once in %d hours, at most 20 at a time', (count, hours) => {
	const turns = numbers(hours).map((hour) => turnOf(numbers(count), 1_000 * hours + hour, 20));
	expect(turns.flatMap(({ due }) => due).toSorted((a, b) => a - b)).toEqual(numbers(count));
	expect(new Set(turns.map(({ round }) => round))).toEqual(new Set([1_000]));
	expect(Math.max(...turns.map(({ due }) => due.length))).toBeLessThanOrEqual(20);
});

test('quiet days share a batch and come first, a busy day has one to itself', () => {
	const days = [40_000, 3, 9_000, 2, 5_000, 0].map((events) => ({ events }));
	const batches = batchesOf(days).map((batch) => batch.map(({ events }) => events));
	expect(batches).toEqual([[0, 2, 3, 5_000], [9_000], [40_000]]);
});

test('a batch has at most a hundred days', () => {
	expect(batchesOf(numbers(250).map(() => ({ events: 0 }))).map((batch) => batch.length)).toEqual([100, 100, 50]);
});

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
