import { MINUTE_MS } from '../calendar.ts';

/** A lead takes country, source and `sub_id` from its click. The week covers leads that arrive late. */
const DAYS_AFTER_WINDOW = 7;

/** Longer than a cron invocation, which ends after 15 minutes. */
export const RETIREMENT_LEASE_MS = 20 * MINUTE_MS;

export const MOST_RETENTION_DAYS = 3_660;

/** In the database, with indexes (docs/guides/scale.md). */
export const BYTES_PER_CLICK = 420;

export function leastRetentionDays(cookieWindowDays: number): number {
	return cookieWindowDays + DAYS_AFTER_WINDOW;
}
