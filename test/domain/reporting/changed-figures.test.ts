import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	type DeltasOfChange,
	type Increment,
	incrementsOfTotals,
	incrementsOfValues,
} from '../../../src/domain/reporting/changed-figures.ts';
import type { MetricDelta } from '../../../src/domain/reporting/metric-deltas.ts';

const NOWHERE = { link: null, product: null, country: null, source: null };

function aChange(moves: readonly MetricDelta[], values: Partial<DeltasOfChange['values']> = {}): DeltasOfChange {
	return { programId: 1, currency: 'USD', moves, values: { ...NOWHERE, ...values } };
}

test("counts are in the program's currency, amounts in their own; one row gets one increment", () => {
	const sale = { day: '2026-05-02', currency: 'USD', sales: 1, revenueCents: 500 };
	const changes = [
		aChange([{ day: '2026-05-02', conversions: 1 }, sale, { ...sale, currency: 'EUR' }]),
		aChange([
			{ day: '2026-05-01', leads: 1, openLeads: 1 },
			{ ...sale, currency: null },
		]),
	];
	expect(incrementsOfTotals(changes)).toEqual([
		{ programId: 1, day: '2026-05-02', currency: 'USD', conversions: 1, sales: 2, revenueCents: 1000 },
		{ programId: 1, day: '2026-05-02', currency: 'EUR', sales: 1, revenueCents: 500 },
		{ programId: 1, day: '2026-05-01', currency: 'USD', leads: 1, openLeads: 1 },
	]);
	expect(incrementsOfValues(changes)).toEqual([]);
});

test('programs are separate', () => {
	const lead = { day: '2026-05-02', leads: 1 };
	const changes = [aChange([lead], { link: '7' }), { ...aChange([lead], { link: '7' }), programId: 2 }];
	expect(incrementsOfTotals(changes).map(({ programId, leads }) => [programId, leads])).toEqual([
		[1, 1],
		[2, 1],
	]);
	expect(incrementsOfValues(changes)).toHaveLength(2);
});

test('a change that the totals already have counts only under its values, but its day gets a row among the totals', () => {
	const change = aChange([{ day: '2026-05-02', leads: 1, onlyValues: true }], { country: 'DE' });
	expect(incrementsOfTotals([change])).toEqual([{ programId: 1, day: '2026-05-02', currency: 'USD' }]);
	const counted = aChange([{ day: '2026-05-02', currency: 'EUR', sales: 1 }]);
	expect(incrementsOfTotals([change, counted])).toEqual([{ programId: 1, day: '2026-05-02', currency: 'EUR', sales: 1 }]);
	expect(incrementsOfValues([change])).toEqual([
		{ programId: 1, day: '2026-05-02', currency: 'USD', dimension: 'country', value: 'DE', leads: 1 },
	]);
});

test('a change counts under each of its values; customers have no product, and open leads and partners have no values', () => {
	const day = '2026-05-02';
	const moves = [
		{ day, leads: 1, openLeads: 1, conversions: 1, partners: 1 },
		{ day, currency: 'USD', sales: 1, revenueCents: 9, refundedCents: 4, commissionCents: 3, deductedCents: 2 },
	];
	const sold = { programId: 1, day, currency: 'USD', sales: 1, revenueCents: 9, refundedCents: 4, commissionCents: 3, deductedCents: 2 };
	const all = { ...sold, leads: 1, conversions: 1 };
	expect(incrementsOfValues([aChange(moves, { link: '7', product: 'pro', country: 'DE', source: 't.co' })])).toEqual([
		{ ...all, dimension: 'link', value: '7' },
		{ ...sold, dimension: 'product', value: 'pro' },
		{ ...all, dimension: 'country', value: 'DE' },
		{ ...all, dimension: 'source', value: 't.co' },
	]);
	expect(incrementsOfValues([aChange(moves, { source: '' })])).toEqual([]);
});

test('values that change while their totals cancel out open one row of their day', () => {
	const day = '2026-05-02';
	const changes = [aChange([{ day, sales: 1 }], { link: '7' }), aChange([{ day, sales: -1 }], { link: '8' })];
	expect(incrementsOfTotals(changes)).toEqual([{ programId: 1, day, currency: 'USD' }]);
	expect(incrementsOfValues(changes)).toHaveLength(2);
});

test('changes that cancel out change no row', () => {
	const day = '2026-05-02';
	const changes = [aChange([{ day, sales: 1 }], { link: '7' }), aChange([{ day, sales: -1, leads: 0 }], { link: '7' })];
	expect([incrementsOfTotals(changes), incrementsOfValues(changes)]).toEqual([[], []]);
});

const move = fc.record({
	day: fc.constantFrom('2026-05-01', '2026-05-02'),
	currency: fc.constantFrom('USD', 'EUR', null),
	sales: fc.integer({ min: -2, max: 2 }),
	revenueCents: fc.integer({ min: -500, max: 500 }),
	onlyValues: fc.constantFrom(true as const, undefined),
});
const changes = fc.array(
	fc.record({
		programId: fc.integer({ min: 1, max: 2 }),
		currency: fc.constantFrom('USD', 'EUR'),
		moves: fc.array(move, { maxLength: 4 }),
		values: fc.constantFrom(NOWHERE, { ...NOWHERE, country: 'DE' }, { ...NOWHERE, country: 'US' }),
	}),
	{ maxLength: 8 },
);

function sumOf(rises: readonly Increment[]): number {
	return rises.reduce((sum, { sales = 0, revenueCents = 0 }) => sum + sales * 1_000_000 + revenueCents, 0);
}

test('changes summed up in any parts give the same', () => {
	fc.assert(
		fc.property(changes, fc.nat(), (all, at) => {
			const cut = at % (all.length + 1);
			const parts = [all.slice(0, cut), all.slice(cut)];
			for (const rises of [incrementsOfTotals, incrementsOfValues]) {
				expect(sumOf(rises(all))).toBe(parts.reduce((sum, part) => sum + sumOf(rises(part)), 0));
				const keys = rises(all).map(({ programId, day, currency, dimension, value }) =>
					[programId, day, currency, dimension, value].join(),
				);
				expect(new Set(keys).size).toBe(keys.length);
			}
		}),
	);
});
