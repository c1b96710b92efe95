import { vi } from 'vitest';

/** Does the work with the clock standing at that instant (ms). */
export async function atInstant<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
	vi.useFakeTimers({ toFake: ['Date'], now });
	try {
		return await work();
	} finally {
		vi.useRealTimers();
	}
}
