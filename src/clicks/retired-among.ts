import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { ClickJob } from '../job.ts';
import { findRetiredIds, mayBeRetired } from './find-retired-clicks.ts';

/** The facts about retired days that a delivery needs. Empty unless a click is older than a week, as in a replayed dead letter. */
export interface RetiredAmong {
	/**
	 * Stored and retired clicks, which are not counted again. If clicks of a day were deleted, all ids of that day, because nobody knows
	 * which of them were stored.
	 */
	readonly clickIds: ReadonlySet<string>;
	/** The days of old clicks, with the number of clicks retired when this was read. Null if none. */
	readonly days: readonly (readonly [programId: number, day: string, retired: number | null])[];
}

export async function retiredAmong(
	ctx: Context,
	clicks: readonly (Pick<ClickJob, 'clickId' | 'programId'> & { readonly clickDay: string })[],
): Promise<RetiredAmong> {
	const old = clicks.filter(({ clickId }) => mayBeRetired(ctx, clickId));
	if (old.length === 0) return { clickIds: new Set(), days: [] };
	const pairs = [...new Map(old.map(({ programId, clickDay }) => [`${programId} ${clickDay}`, [programId, clickDay] as const])).values()];
	const days = await ctx.db.all<{ programId: number; day: string; clicks: number | null; deleted: number | null }>(sql`
		SELECT named.value ->> 0 AS programId, named.value ->> 1 AS day, retired.clicks AS clicks, retired.deleted AS deleted
		FROM json_each(${JSON.stringify(pairs)}) AS named
		LEFT JOIN retired_click_days AS retired ON retired.program_id = named.value ->> 0 AND retired.day = named.value ->> 1`);
	const clickIds = new Set<string>();
	for (const { programId, day, clicks: retired, deleted } of days) {
		if (retired === null) continue;
		const ids = old.filter((click) => click.programId === programId && click.clickDay === day).map(({ clickId }) => clickId);
		const isUnknown = deleted !== 0;
		if (isUnknown) ctx.log({ level: 'warn', event: 'clicks_of_deleted_day_ignored', programId, day, clicks: ids.length });
		const known = isUnknown ? ids : await findRetiredIds(ctx, programId, ids);
		for (const id of known) clickIds.add(id);
	}
	return { clickIds, days: days.map(({ programId, day, clicks: retired }) => [programId, day, retired]) };
}
