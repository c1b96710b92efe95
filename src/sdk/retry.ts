import type { Signal } from './platform.ts';

/** The longest random wait. */
const MAX_BACKOFF_MS = 10_000;
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * The wait after an attempt (from 1). It is random up to a bound that doubles each time, so that callers that failed together do not retry
 * together, plus the service's Retry-After.
 */
export function backoffMs(attempt: number, firstBoundMs: number, retryAfterMs: number | undefined): number {
	const bound = Math.min(firstBoundMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
	return (retryAfterMs ?? 0) + Math.random() * bound;
}

/** Converts seconds or an HTTP date to ms from now; undefined if the header is missing or unreadable. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
	if (header === null) return undefined;
	if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
	const at = Date.parse(header);
	return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}

/** Ends early if the signal is aborted. */
export function pause(delayMs: number, signal: Signal | undefined): Promise<void> {
	return new Promise((resolve) => {
		const end = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', end);
			resolve();
		};
		const timer = setTimeout(end, delayMs);
		signal?.addEventListener('abort', end);
		if (signal?.aborted) end();
	});
}
