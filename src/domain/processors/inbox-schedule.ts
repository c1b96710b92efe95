import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';

// When an event of the inbox is processed again.

/** How long an event waits for another one. Processors such as Stripe retry for three days. */
export const WAIT_MS = 4 * DAY_MS;
/** Whether an event of that time may still be on its way. */
export function mayStillCome(happenedAt: number, now: number): boolean {
	return now - happenedAt < WAIT_MS;
}

/** How long a payment waits for its checkout, which is sent at the same time. */
export const CHECKOUT_WAIT_MS = HOUR_MS;

/** Consecutive faults after which an event fails. */
export const FAULT_LIMIT = 8;
/** Cron leaves a new event to its message for this long. */
export const GRACE_MS = MINUTE_MS;

/**
 * The longest pause between attempts of a waiting event. `seldom`: another event is expected to resume it; as every payment without a
 * partner ends there, it must cost little. `soon`: an attempt is running and may die.
 */
const FARTHEST_MS = { soon: GRACE_MS, often: HOUR_MS, seldom: 12 * HOUR_MS } as const;

export type Watch = keyof typeof FARTHEST_MS;

/** After one minute, two, four, eight ..., and once more when its time is over. */
export function nextLookAt(now: number, expiresAt: number, watch: Watch): number {
	const waitedMs = now - (expiresAt - WAIT_MS);
	return Math.min(now + Math.min(Math.max(waitedMs, GRACE_MS), FARTHEST_MS[watch]), Math.max(expiresAt, now + GRACE_MS));
}

/** One minute after the first fault, two after the second, then four, eight ... */
export function nextTryAt(now: number, faults: number): number {
	return now + MINUTE_MS * 2 ** (faults - 1);
}
