import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DECISIONS, retryOnConflict } from '../../src/db/client.ts';
import { Overtaken } from '../../src/overtaken.ts';

// A request retries a limited number of times, with limited pauses.

const OVERTAKEN = new Error('D1_ERROR: stale revision: customers');

let pauses: number[] = [];
beforeEach(() => {
	pauses = [];
	vi.stubGlobal('setTimeout', (goOn: () => void, delayMs: number) => {
		pauses.push(delayMs);
		goOn();
	});
});
afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

async function decisionsOf(outcome: (attempt: number) => unknown): Promise<{ decisions: number; thrown: unknown }> {
	let decisions = 0;
	const settled = retryOnConflict(async (attempt) => {
		decisions = attempt;
		const error = outcome(attempt);
		if (error) throw error;
	});
	return settled.then(
		() => ({ decisions, thrown: undefined }),
		(thrown: unknown) => ({ decisions, thrown }),
	);
}

test('a request that loses every race gives up, after less than half a minute of pauses', async () => {
	vi.spyOn(Math, 'random').mockReturnValue(1);
	expect(await decisionsOf(() => OVERTAKEN)).toEqual({ decisions: DECISIONS, thrown: new Overtaken(OVERTAKEN) });
	expect(DECISIONS).toBeLessThanOrEqual(14);
	expect(pauses).toEqual([20, 40, 80, 160, 320, 640, 1280, 2560, 4000, 4000, 4000, 4000, 4000]);
});

test('pauses have random lengths, so that concurrent requests separate', async () => {
	const random = vi.spyOn(Math, 'random').mockReturnValue(0.25);
	await decisionsOf((attempt) => (attempt < 3 ? OVERTAKEN : undefined));
	expect(pauses).toEqual([5, 10]);
	random.mockReturnValue(0);
	await decisionsOf((attempt) => (attempt < 2 ? OVERTAKEN : undefined));
	expect(pauses).toEqual([5, 10, 0]);
});

test('a success, or another error, is final at once', async () => {
	expect(await decisionsOf(() => undefined)).toEqual({ decisions: 1, thrown: undefined });
	const other = new Error('D1_ERROR: no such table');
	expect(await decisionsOf(() => other)).toEqual({ decisions: 1, thrown: other });
	expect(pauses).toEqual([]);
});
