import { inject } from 'vitest';

const TIMES_IF_THOROUGH = 4;
/** Well before a test's own limit, so that a busy machine tries fewer cases instead of failing, and a failure is reported shrunk. */
const ENDS_AFTER_MS = 240_000;

interface Runs {
	readonly numRuns: number;
	readonly interruptAfterTimeLimit: number;
}

/** How often an expensive property is tried: a few times per push, with new cases for each commit, and more often if thorough. */
export function runs(onAPush: number): Runs {
	return { numRuns: inject('thorough') ? TIMES_IF_THOROUGH * onAPush : onAPush, interruptAfterTimeLimit: ENDS_AFTER_MS };
}
