/** Each step with the value from which it applies: halfway from the step below on a logarithmic scale. */
const STEPS = [
	[Math.sqrt(50), 10],
	[Math.sqrt(10), 5],
	[Math.SQRT2, 2],
] as const;

/** Some `steps` round values, which include 0 and cover all values. */
export function roundSteps(values: readonly number[], steps: number): readonly number[] {
	const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
	if (least === most) return [0];
	const rough = (most - least) / steps;
	const power = 10 ** Math.floor(Math.log10(rough));
	const round = power * (STEPS.find(([from]) => rough / power >= from)?.[1] ?? 1);
	// Whole numbers, such as clicks, get no fractional steps.
	const size = values.every(Number.isInteger) ? Math.max(1, round) : round;
	const first = Math.floor(least / size);
	return Array.from({ length: Math.ceil(most / size) - first + 1 }, (_, index) => (first + index) * size);
}
