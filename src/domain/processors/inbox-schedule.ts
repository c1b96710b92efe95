import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';

// When an inbox event is processed again.

/** Stripe and others retry for three days. */
export const WAIT_MS = 4 * DAY_MS;
export function mayStillCome(happenedAt: number, now: number): boolean {
	return now - happenedAt < WAIT_MS;
}

/** A checkout is sent at the same time as its payment. */
export const CHECKOUT_WAIT_MS = HOUR_MS;

/** Consecutive faults. */
export const FAULT_LIMIT = 8;
/** Cron ignores new events for this long, because a queue message usually processes them. */
export const GRACE_MS = MINUTE_MS;

/** `seldom`: another event should resume it. `soon`: an attempt is running and may crash. */
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
