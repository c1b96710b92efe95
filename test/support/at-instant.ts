import { vi } from 'vitest';

/** `now` is in ms. */
export async function atInstant<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
	vi.useFakeTimers({ toFake: ['Date'], now });
	try {
		return await work();
	} finally {
		vi.useRealTimers();
	}
}
