import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepOf, type WalkPosition } from '../../../src/domain/commissions/decision-run.ts';

const position = fc.record({ partnerProgramId: fc.integer({ min: 1, max: 4 }), id: fc.integer({ min: 1, max: 40 }) });
const positions = fc.uniqueArray(position, { selector: ({ id }) => id, maxLength: 40 });
const inWalk = (a: WalkPosition, b: WalkPosition) => a.partnerProgramId - b.partnerProgramId || a.id - b.id;

function windowOf(all: readonly WalkPosition[], after: WalkPosition | undefined, size: number) {
	const rest = all.toSorted(inWalk).filter((one) => !after || inWalk(one, after) > 0);
	const window = rest.slice(0, size);
	return { window, end: window.length === size ? window.at(-1) : undefined };
}

test('the slices of a run reach each commission once, in order, and stop at the expected number', () => {
	fc.assert(
		fc.property(
			positions,
			fc.func(fc.boolean()),
			fc.integer({ min: 1, max: 7 }),
			fc.integer({ min: 1, max: 5 }),
			fc.integer({ min: 1, max: 45 }),
			(all, matches, size, room, expected) => {
				const decided: WalkPosition[] = [];
				let after: WalkPosition | undefined;
				for (let slices = 0; ; slices += 1) {
					expect(slices).toBeLessThanOrEqual(all.length + 1);
					const { window, end } = windowOf(all, after, size);
					const found = window.filter((one) => matches(one.id)).toReversed();
					const step = stepOf({ matches: found, end }, { room, left: expected - decided.length });
					expect(step.selected.length).toBeLessThanOrEqual(room);
					decided.push(...step.selected);
					after = step.after;
					if (!after) break;
				}
				const matching = all.toSorted(inWalk).filter((one) => matches(one.id));
				expect(decided).toEqual(matching.slice(0, expected));
			},
		),
	);
});

test('a position has only the ids of the last commission', () => {
	const matches = [
		{ partnerProgramId: 1, id: 2, amountCents: 5 },
		{ partnerProgramId: 1, id: 3, amountCents: 5 },
	];
	expect(stepOf({ matches, end: undefined }, { room: 1, left: 9 })).toEqual({
		selected: [matches[0]],
		after: { partnerProgramId: 1, id: 2 },
	});
});
