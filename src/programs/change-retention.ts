import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { programs } from '../db/schema/programs.ts';
import { leastRetentionDays, RETIREMENT_LEASE_MS } from '../domain/attribution/click-retention.ts';
import { invalid, type Rejection } from '../domain/rejection.ts';

/** Undefined stays unchanged. */
interface RetentionChange {
	readonly cookieWindowDays?: number | undefined;
	readonly clickRetentionDays?: number | null | undefined;
}

interface RetentionColumns {
	readonly clickRetentionDays: SQL;
	readonly retireClicksAt: SQL;
}

/** A longer attribution window raises the retention in the same statement, so that no concurrent change comes between them. */
export function retentionColumns({ now }: Pick<Context, 'now'>, change: RetentionChange): RetentionColumns | undefined {
	const days = changedDays(change);
	if (!days) return undefined;
	const { clickRetentionDays, retireClicksAt } = programs;
	// Two ticks must not write the same file, so a program that is being retired waits until its lease ends.
	const next = sql`iif(${retireClicksAt} > ${now} AND ${retireClicksAt} <= ${now + RETIREMENT_LEASE_MS}, ${retireClicksAt}, ${now})`;
	return {
		clickRetentionDays: days,
		retireClicksAt: sql`CASE WHEN ${days} IS ${clickRetentionDays} THEN ${retireClicksAt} WHEN ${days} IS NOT NULL THEN ${next} END`,
	};
}

/** Null stays null, because `max` of a null is null. */
function changedDays({ clickRetentionDays, cookieWindowDays }: RetentionChange): SQL | undefined {
	if (clickRetentionDays !== undefined) return sql`${clickRetentionDays}`;
	return cookieWindowDays === undefined ? undefined : sql`max(${programs.clickRetentionDays}, ${leastRetentionDays(cookieWindowDays)})`;
}

/** Undefined if a longer attribution window does not raise the retention. */
export function raisedDays(before: number | null, { clickRetentionDays, cookieWindowDays }: RetentionChange): number | undefined {
	if (before === null || clickRetentionDays !== undefined || cookieWindowDays === undefined) return undefined;
	const least = leastRetentionDays(cookieWindowDays);
	return least > before ? least : undefined;
}

export function retentionRefusal(cookieWindowDays: number): Rejection {
	return invalid(
		`click_retention_days must be at least ${leastRetentionDays(cookieWindowDays)}, a week longer than the attribution window of ${cookieWindowDays} days, because late leads still need their clicks`,
	);
}
