import { MINUTE_MS } from '../calendar.ts';

/** A lead takes country, source and `sub_id` from its click. The week covers leads that arrive late. */
const DAYS_AFTER_WINDOW = 7;

/** How long a tick has a program's clicks for itself. A cron invocation ends after 15 minutes. */
export const RETIREMENT_LEASE_MS = 20 * MINUTE_MS;

/** The most days that clicks may be kept, unless for ever. */
export const MOST_RETENTION_DAYS = 3_660;

/** The fewest days that clicks may be kept. */
export function leastRetentionDays(cookieWindowDays: number): number {
	return cookieWindowDays + DAYS_AFTER_WINDOW;
}
