import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar.ts';

/** The waits between the attempts of a delivery, as Standard Webhooks advises: the last attempt comes some 75 hours after the first. */
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

/** After so many attempts a delivery is given up. */
export const MOST_ATTEMPTS = WAITS_MS.length + 1;
/** By how much a wait is lengthened at most, so that what failed together does not come again together. */
const JITTER = 0.2;
/** No receiver puts off a delivery for longer. */
const LONGEST_RETRY_AFTER_MS = DAY_MS;

/** The status of a receiver that is to be told nothing more: at once. */
export const GONE = 410;
/** How long a receiver may take. */
export const ANSWER_LIMIT_MS = 15 * SECOND_MS;
/** For how long who takes a delivery has it to themselves: longer than an attempt lasts, with what is read and written for it. */
export const LEASE_MS = 2 * MINUTE_MS;

/** Who has failed is left alone for so long; who fails again for so much, so that cron, which comes every minute, finds it awake. */
export const FIRST_REST_MS = WAITS_MS[0];
export const REST_MS = 45 * SECOND_MS;

/** A receiver that has failed so often in a row, for so long, is disabled; or for so long, however often. */
const FAILURES_IN_A_ROW = 20;
const FAILING_FOR_A_DAY_MS = DAY_MS;
const FAILING_TOO_LONG_MS = 5 * DAY_MS;

/**
 * When a delivery is sent again after `tries` attempts that failed, ms; undefined: it is given up. What the receiver asked for counts
 * where it is later. `random` is from 0 to 1.
 */
export function nextAttemptAt(tries: number, now: number, random: number, retryAfterMs = 0): number | undefined {
	const wait = WAITS_MS[tries - 1];
	if (wait === undefined) return undefined;
	const drawn = Math.floor(wait * (1 + JITTER * random));
	return now + Math.max(drawn, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
}

/** How long a `Retry-After` asks to wait, ms: seconds, or a date. 0 for one that says nothing. */
export function retryAfterOf(header: string | null, now: number): number {
	const text = header?.trim() ?? '';
	if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
	const at = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isFinite(at) ? Math.max(0, at - now) : 0;
}

/** Whether an endpoint that has just failed is to be told nothing more. A short outage of a busy one is not enough. */
export function hasFailedTooLong(failures: number, failingSince: number, now: number): boolean {
	const failingForMs = now - failingSince;
	return failingForMs >= FAILING_TOO_LONG_MS || (failures >= FAILURES_IN_A_ROW && failingForMs >= FAILING_FOR_A_DAY_MS);
}
