import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	incrementsOfSums,
	deltasOfState,
	SUM_FIELDS,
	type SumChange,
	sumsByState,
	sumsOfRow,
} from '../../../src/domain/commissions/commission-sums.ts';

const aState = fc.record({
	status: fc.constantFrom('pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'),
	deductedCents: fc.nat(50),
});

interface Key {
	readonly programId: number;
	readonly partnerProgramId: number;
	readonly day: string;
	readonly currency: string;
}

function keyOf({ programId, partnerProgramId, day, currency }: Key): string {
	return JSON.stringify([programId, partnerProgramId, day, currency]);
}

/** A commission with its partner and day, and the states it passes through. */
const aHistory = fc.record({
	programId: fc.constantFrom(1, 2),
	partnerProgramId: fc.constantFrom(7, 8),
	day: fc.constantFrom('2026-05-01', '2026-05-02'),
	currency: fc.constantFrom('USD', 'EUR'),
	amountCents: fc.integer({ min: 50, max: 99 }),
	states: fc.array(aState, { minLength: 1, maxLength: 6 }),
});

test("after any history the sums equal the commissions' final states, in whatever batches the changes are added", () => {
	fc.assert(
		fc.property(fc.array(aHistory, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (histories, perBundle) => {
			const changes = histories.flatMap(({ programId, amountCents, states, ...made }) =>
				states.map((state, index) => {
					const before = states[index - 1];
					return { programId, moves: deltasOfState(made, before && { ...before, amountCents }, { ...state, amountCents }) };
				}),
			);
			const kept = new Map<string, SumChange>();
			for (let start = 0; start < changes.length; start += perBundle)
				for (const { sums, ...increment } of incrementsOfSums(changes.slice(start, start + perBundle))) {
					const row = kept.get(keyOf(increment)) ?? {};
					kept.set(keyOf(increment), Object.fromEntries(SUM_FIELDS.map((field) => [field, (row[field] ?? 0) + (sums[field] ?? 0)])));
				}
			const expected = Map.groupBy(histories, keyOf);
			for (const key of new Set([...kept.keys(), ...expected.keys()])) {
				// XXX is the code of ISO 4217 for no currency.
				const last = (expected.get(key) ?? []).flatMap(({ states, amountCents }) =>
					states.slice(-1).map((state) => ({ ...state, amountCents, currency: 'XXX', count: 1 })),
				);
				expect(sumsByState(sumsOfRow('XXX', kept.get(key) ?? {}))).toEqual(sumsByState(last));
			}
		}),
	);
});

test('a change without effect on the sums has no delta', () => {
	const paid = { status: 'paid', amountCents: 100, deductedCents: 0 } as const;
	expect(deltasOfState({ partnerProgramId: 7, day: '2026-05-01', currency: 'USD' }, paid, paid)).toEqual([]);
});

test('deltas of metrics alone do not change the sums', () => {
	expect(incrementsOfSums([{ programId: 1, moves: [{ day: '2026-05-01', currency: 'USD' }] }])).toEqual([]);
});

test('sums are sorted by state, then currency, without empty ones', () => {
	const sum = { amountCents: 0, deductedCents: 0 };
	const parts = [
		{ ...sum, status: 'paid', currency: 'USD', count: 1 },
		{ ...sum, status: 'approved', currency: 'USD', count: 0 },
		{ ...sum, status: 'paid', currency: 'EUR', count: 2 },
		{ ...sum, status: 'approved', currency: 'EUR', count: 3, amountCents: 5 },
		{ ...sum, status: 'approved', currency: 'EUR', count: 1, deductedCents: 2 },
	] as const;
	expect(sumsByState(parts)).toEqual([
		{ status: 'approved', currency: 'EUR', count: 4, amountCents: 5, deductedCents: 2 },
		{ status: 'paid', currency: 'EUR', count: 2, amountCents: 0, deductedCents: 0 },
		{ status: 'paid', currency: 'USD', count: 1, amountCents: 0, deductedCents: 0 },
	]);
});
