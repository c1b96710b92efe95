import { inject } from 'vitest';

const TIMES_IF_THOROUGH = 4;

/** How often an expensive property is tried: a few times per push, with new cases for each commit, and more often if thorough. */
export function runs(onAPush: number): { numRuns: number } {
	return { numRuns: inject('thorough') ? TIMES_IF_THOROUGH * onAPush : onAPush };
}
