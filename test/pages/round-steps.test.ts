import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundSteps } from '../../src/pages/ui/round-steps.ts';

test.each([
	[0, 90, [0, 20, 40, 60, 80, 100]],
	[0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
	[0, 1_234, [0, 200, 400, 600, 800, 1_000, 1_200, 1_400]],
	[-30, 100, [-50, 0, 50, 100]],
])('the axis of %d to %d', (least, most, steps) => {
	expect(roundSteps(least, most, 4).map((step) => Math.round(step * 10) / 10)).toEqual(steps);
});

test('every value is between the first line and the last, and there are a few of them', () => {
	fc.assert(
		fc.property(fc.integer({ min: -1e9, max: 0 }), fc.integer({ min: 1, max: 1e12 }), (least, most) => {
			const steps = roundSteps(least, most, 4);
			expect([steps.length > 2, steps.length < 10]).toEqual([true, true]);
			expect([(steps[0] ?? 0) <= least, (steps.at(-1) ?? 0) >= most]).toEqual([true, true]);
		}),
	);
});
