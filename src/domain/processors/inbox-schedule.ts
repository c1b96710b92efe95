import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';

// When an inbox event is processed again.

/** How long an event waits for another one. Processors such as Stripe retry for three days. */
export const WAIT_MS = 4 * DAY_MS;
/** Whether an event that happened then may still arrive. */
export function mayStillCome(happenedAt: number, now: number): boolean {
	return now - happenedAt < WAIT_MS;
}

/** How long a payment waits for its checkout, which is sent at the same time. */
export const CHECKOUT_WAIT_MS = HOUR_MS;

/** Consecutive faults after which an event fails. */
export const FAULT_LIMIT = 8;
/** Cron ignores a new event for this long, because a queue message usually gets it processed. */
export const GRACE_MS = MINUTE_MS;

/**
 * The longest pause between attempts for a waiting event. `seldom`: another event should resume it, and every payment without a partner
 * waits like this, so attempts must be rare. `soon`: an attempt is running and may crash.
 */
const FARTHEST_MS = { soon: GRACE_MS, often: HOUR_MS, seldom: 12 * HOUR_MS } as const;

export type Watch = keyof typeof FARTHEST_MS;

/** The pause doubles from one minute up to the limit of `watch`. The last attempt is made when the event expires. */
export function nextLookAt(now: number, expiresAt: number, watch: Watch): number {
	const waitedMs = now - (expiresAt - WAIT_MS);
	return Math.min(now + Math.min(Math.max(waitedMs, GRACE_MS), FARTHEST_MS[watch]), Math.max(expiresAt, now + GRACE_MS));
}

/** The pause starts at one minute and doubles with each fault. */
export function nextTryAt(now: number, faults: number): number {
	return now + MINUTE_MS * 2 ** (faults - 1);
}
