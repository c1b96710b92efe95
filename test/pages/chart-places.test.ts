import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChartDay, placesOf } from '../../src/pages/ui/chart-places.ts';
import { addDays } from '../../src/domain/calendar.ts';

const daysOf = (values: readonly number[]): ChartDay[] => values.map((value, index) => ({ date: addDays('2026-01-01', index), value }));
const frame = { width: 800, writeRoughly: (value: number) => `$${value}`, writeDay: (date: string) => date.slice(5) };

test('up to 100 days are bars, more are lines', () => {
	expect(placesOf(daysOf(Array.from({ length: 100 }, () => 1)), frame).hasBars).toBe(true);
	expect(placesOf(daysOf(Array.from({ length: 101 }, () => 1)), frame).hasBars).toBe(false);
});

test('a few days have bars of a bearable width', () => {
	expect(placesOf(daysOf([1]), frame).bar).toBe(36);
});

test('notes get room between the bars and the labels', () => {
	const days = daysOf([1, 2]);
	const noted = days.map((day) => ({ ...day, notes: ['Payouts made'] }));
	expect(placesOf(noted, frame).floor).toBeLessThan(placesOf(days, frame).floor);
	expect(
		placesOf(
			days.map((day) => ({ ...day, notes: [] })),
			frame,
		).floor,
	).toBe(placesOf(days, frame).floor);
});

describe('in any chart', () => {
	const charts = fc.record({
		values: fc.array(fc.integer({ min: -1_000, max: 2_000_000 }), { minLength: 1, maxLength: 400 }),
		width: fc.integer({ min: 300, max: 1_400 }),
	});

	test('every value is inside, and its day is found at its place', () => {
		fc.assert(
			fc.property(charts, ({ values, width }) => {
				const places = placesOf(daysOf(values), { ...frame, width });
				for (const [index, value] of values.entries()) {
					expect(places.at(places.x(index))).toBe(index);
					expect(places.y(value)).toBeGreaterThanOrEqual(places.top - 0.001);
					expect(places.y(value)).toBeLessThanOrEqual(places.floor + 0.001);
				}
				expect([places.at(-50), places.at(width + 50)]).toEqual([0, values.length - 1]);
			}),
		);
	});

	test('no label is cut off or touches another', () => {
		const lengths = fc.integer({ min: 3, max: 14 });
		fc.assert(
			fc.property(charts, lengths, ({ values, width }, length) => {
				const places = placesOf(daysOf(values), { ...frame, width, writeDay: () => 'x'.repeat(length) });
				const half = (length * 7) / 2;
				expect(places.dayLabels.length).toBeGreaterThan(0);
				for (const [nth, { x }] of places.dayLabels.entries()) {
					expect(x - half).toBeGreaterThanOrEqual(-0.001);
					expect(x + half).toBeLessThanOrEqual(width + 0.001);
					const before = places.dayLabels[nth - 1];
					if (before) expect(x - half).toBeGreaterThan(before.x + half);
				}
				for (const { text } of places.tickLabels) expect(text.length * 7).toBeLessThan(places.left);
			}),
		);
	});
});
