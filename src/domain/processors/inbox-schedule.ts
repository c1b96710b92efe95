import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';

// When an event of the inbox is looked at again.

/** How long an event waits for another one. Processors send for three days what they could not deliver at once (Stripe does). */
export const WAIT_MS = 4 * DAY_MS;
/** Whether what happened then may not have been told yet. */
export function mayStillCome(happenedAt: number, now: number): boolean {
	return now - happenedAt < WAIT_MS;
}

/** How long a payment that tells of itself waits for the checkout that may have asked for it: both are sent in the same moment. */
export const CHECKOUT_WAIT_MS = HOUR_MS;

/** So many faults in a row, and the event has failed. */
export const FAULT_LIMIT = 8;
/** An event that was just received, or sent, is left to its message for so long. */
export const GRACE_MS = MINUTE_MS;

/**
 * How far apart the looks at a waiting event may get. `seldom`: for what as a rule only other events can bring, which wake it. It
 * is what becomes of every payment that no partner brought, so it must cost little. `soon`: the look at hand is not over, and who
 * takes it may die.
 */
const FARTHEST_MS = { soon: GRACE_MS, often: HOUR_MS, seldom: 12 * HOUR_MS } as const;

export type Watch = keyof typeof FARTHEST_MS;

/** A minute after it began to wait, then after two, four, eight ...; once more when its time is over. */
export function nextLookAt(now: number, expiresAt: number, watch: Watch): number {
	const waitedMs = now - (expiresAt - WAIT_MS);
	return Math.min(now + Math.min(Math.max(waitedMs, GRACE_MS), FARTHEST_MS[watch]), Math.max(expiresAt, now + GRACE_MS));
}

/** After the first fault in a minute, after the second in two, then in four, eight ... */
export function nextTryAt(now: number, faults: number): number {
	return now + MINUTE_MS * 2 ** (faults - 1);
}
