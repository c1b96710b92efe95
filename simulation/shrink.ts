import { type Failure, type History, runHistory, type Step } from './history.ts';
import type { Ground } from './world/simulation.ts';

export interface Shrunken {
	readonly steps: readonly Step[];
	readonly failure: Failure;
}

/** Removes steps, first in halves and then one by one, as long as the same invariant still fails. */
export async function shrink(ground: Ground, history: History, faultRate: number, failure: Failure): Promise<Shrunken> {
	let found: Shrunken = { steps: upTo(history.steps, failure), failure };
	for (let size = Math.ceil(found.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let start = 0; start < found.steps.length;) {
			const fewer = [...found.steps.slice(0, start), ...found.steps.slice(start + size)];
			const { failure: same } = await runHistory(ground, { ...history, steps: fewer }, faultRate);
			if (same?.invariant === failure.invariant) found = { steps: upTo(fewer, same), failure: same };
			else start += size;
		}
	}
	return found;
}

function upTo(steps: readonly Step[], { step }: Failure): readonly Step[] {
	return step ? steps.filter(({ index }) => index <= step.index) : steps;
}
