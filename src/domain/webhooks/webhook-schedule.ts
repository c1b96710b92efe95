import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar.ts';

/** As Standard Webhooks recommends; the last attempt is about 75 hours after the first. */
const WAITS_MS = [
	5 * SECOND_MS,
	5 * MINUTE_MS,
	30 * MINUTE_MS,
	2 * HOUR_MS,
	5 * HOUR_MS,
	10 * HOUR_MS,
	14 * HOUR_MS,
	20 * HOUR_MS,
	24 * HOUR_MS,
] as const;

export const MOST_ATTEMPTS = WAITS_MS.length + 1;
/** A random extension of each pause, so that failed deliveries are not all retried at once. */
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = DAY_MS;

/** Disables the receiver at once. */
export const GONE = 410;
export const ANSWER_LIMIT_MS = 15 * SECOND_MS;
/** A sender's lease must outlast an attempt with its reads and writes. */
export const LEASE_MS = 2 * MINUTE_MS;

/** How long to spare a receiver after a failure, and after repeated ones. Both are shorter than the minute between cron runs. */
export const FIRST_REST_MS = WAITS_MS[0];
export const REST_MS = 45 * SECOND_MS;

/** Consecutive failures that disable a receiver if they span a day. */
const FAILURES_IN_A_ROW = 20;
const FAILING_FOR_A_DAY_MS = DAY_MS;
const FAILING_TOO_LONG_MS = 5 * DAY_MS;

/**
 * When a delivery is due after `tries` failed attempts; undefined if it is abandoned. A later `Retry-After` takes precedence, and `random`
 * is between 0 and 1.
 */
export function nextAttemptAt(tries: number, now: number, random: number, retryAfterMs = 0): number | undefined {
	const wait = WAITS_MS[tries - 1];
	if (wait === undefined) return undefined;
	const drawn = Math.floor(wait * (1 + JITTER * random));
	return now + Math.max(drawn, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
}

/** In ms; 0 if the header cannot be parsed. */
export function retryAfterOf(header: string | null, now: number): number {
	const text = header?.trim() ?? '';
	if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
	const at = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isFinite(at) ? Math.max(0, at - now) : 0;
}

/** A short outage does not disable an endpoint, however many deliveries fail. */
export function hasFailedTooLong(failures: number, failingSince: number, now: number): boolean {
	const failingForMs = now - failingSince;
	return failingForMs >= FAILING_TOO_LONG_MS || (failures >= FAILURES_IN_A_ROW && failingForMs >= FAILING_FOR_A_DAY_MS);
}
