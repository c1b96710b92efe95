import { vi } from 'vitest';

/** Runs the work with the clock at that instant (ms). */
export async function atInstant<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
	vi.useFakeTimers({ toFake: ['Date'], now });
	try {
		return await work();
	} finally {
		vi.useRealTimers();
	}
}
