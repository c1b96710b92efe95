/** Each with the value where the next step begins: halfway on a logarithmic scale. */
const STEPS = [
	[Math.sqrt(50), 10],
	[Math.sqrt(10), 5],
	[Math.SQRT2, 2],
] as const;

/** The lines of an axis: about this many round steps, from 0 or below the least value to above the greatest. */
export function roundSteps(values: readonly number[], steps: number): readonly number[] {
	const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
	if (least === most) return [0];
	const rough = (most - least) / steps;
	const power = 10 ** Math.floor(Math.log10(rough));
	const round = power * (STEPS.find(([from]) => rough / power >= from)?.[1] ?? 1);
	// Whole numbers, such as clicks, have no fractions.
	const size = values.every(Number.isInteger) ? Math.max(1, round) : round;
	const first = Math.floor(least / size);
	return Array.from({ length: Math.ceil(most / size) - first + 1 }, (_, index) => (first + index) * size);
}
