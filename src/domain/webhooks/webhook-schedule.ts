import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar.ts';

/** Pauses between attempts, as Standard Webhooks recommends. The last attempt is about 75 hours after the first. */
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
/** The largest random extension of a pause, as a share of it, so that failed deliveries are not all retried at once. */
const JITTER = 0.2;
/** The longest delay that a receiver can request. */
const LONGEST_RETRY_AFTER_MS = DAY_MS;

/** A receiver that responds with this status is disabled at once. */
export const GONE = 410;
/** How long a receiver may take to respond. */
export const ANSWER_LIMIT_MS = 15 * SECOND_MS;
/** A sender's lease must outlast an attempt with its reads and writes. */
export const LEASE_MS = 2 * MINUTE_MS;

/** How long a receiver is left alone after a failure, and after repeated ones. Both are shorter than the minute between cron runs. */
export const FIRST_REST_MS = WAITS_MS[0];
export const REST_MS = 45 * SECOND_MS;

/** A receiver is disabled after this many consecutive failures if they span a day, or after failing for five days. */
const FAILURES_IN_A_ROW = 20;
const FAILING_FOR_A_DAY_MS = DAY_MS;
const FAILING_TOO_LONG_MS = 5 * DAY_MS;

/**
 * When a delivery is due after `tries` failed attempts, in ms; undefined if it is abandoned. A later `Retry-After` takes precedence.
 * `random` is between 0 and 1.
 */
export function nextAttemptAt(tries: number, now: number, random: number, retryAfterMs = 0): number | undefined {
	const wait = WAITS_MS[tries - 1];
	if (wait === undefined) return undefined;
	const drawn = Math.floor(wait * (1 + JITTER * random));
	return now + Math.max(drawn, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
}

/** The pause that `Retry-After` requests in seconds or as a date, in ms; 0 if it cannot be parsed. */
export function retryAfterOf(header: string | null, now: number): number {
	const text = header?.trim() ?? '';
	if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
	const at = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isFinite(at) ? Math.max(0, at - now) : 0;
}

/** Whether to disable a failing endpoint. A short outage does not disable it, however many deliveries fail. */
export function hasFailedTooLong(failures: number, failingSince: number, now: number): boolean {
	const failingForMs = now - failingSince;
	return failingForMs >= FAILING_TOO_LONG_MS || (failures >= FAILURES_IN_A_ROW && failingForMs >= FAILING_FOR_A_DAY_MS);
}
