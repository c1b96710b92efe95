import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundSteps } from '../../src/pages/ui/round-steps.ts';

test.each([
	[
		[90, 12],
		[0, 20, 40, 60, 80, 100],
	],
	[[0.9], [0, 0.2, 0.4, 0.6, 0.8, 1]],
	[
		[1, 0],
		[0, 1],
	],
	[[3], [0, 1, 2, 3]],
	[[1_234], [0, 200, 400, 600, 800, 1_000, 1_200, 1_400]],
	[
		[-30, 100],
		[-50, 0, 50, 100],
	],
	[[0, 0], [0]],
	[[], [0]],
])('the axis of %j', (values, steps) => {
	expect(roundSteps(values, 4).map((step) => Math.round(step * 10) / 10)).toEqual(steps);
});

test('every value lies between the first and the last line, and there are only a few lines', () => {
	const few = fc.array(fc.oneof(fc.integer({ min: -1e9, max: 1e12 }), fc.double({ min: 0.01, max: 1e6, noNaN: true })), {
		minLength: 1,
		maxLength: 5,
	});
	fc.assert(
		fc.property(few, (values) => {
			const steps = roundSteps(values, 4);
			expect(steps.length).toBeLessThan(10);
			const [first = 0, last = 0] = [steps[0], steps.at(-1)];
			const bit = 1e-9 * (last - first);
			expect(values.every((value) => value >= first - bit && value <= last + bit)).toBe(true);
		}),
	);
});
