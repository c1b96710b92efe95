import { inject } from 'vitest';

const TIMES_IF_THOROUGH = 4;

/** How often a property is tried that costs many calls: a few times on a push, others with each commit, and more often if thorough. */
export function runs(onAPush: number): { numRuns: number } {
	return { numRuns: inject('thorough') ? TIMES_IF_THOROUGH * onAPush : onAPush };
}
