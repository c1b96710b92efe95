import { sql } from 'drizzle-orm';
import { readableProgram } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import type { RangeQuery } from '../domain/reporting/report-range.ts';
import { DAY, figureOf, IS_IN_TOTALS, deltasOf, WAITING_OF_PROGRAM } from './waiting-deltas.ts';

export function startsAtFirstEvent({ period, dates }: RangeQuery): boolean {
	return period === 'all' && !dates;
}

/** Null if the program has no event. */
export function selectFirstDay(ctx: Pick<Context, 'db' | 'now'>, tokenHash: string, programId: number) {
	const columns = ['leads', 'conversions', 'sales'] as const;
	const eventCount = sql.raw(columns.map(figureOf).join(' + '));
	const kept = sql`daily_performance kept WHERE program_id = (SELECT id FROM program)`;
	return ctx.db.select({ day: sql<string | null>`min(day)` }).from(sql`(
		WITH program AS MATERIALIZED ${readableProgram(ctx, tokenHash, programId)},
		waiting AS MATERIALIZED (SELECT ${DAY} AS day, ${eventCount} AS events FROM ${deltasOf(WAITING_OF_PROGRAM)} WHERE ${IS_IN_TOTALS})
		SELECT day FROM (
			SELECT day FROM ${kept} GROUP BY day
			HAVING sum(clicks + leads + conversions + sales) + (SELECT coalesce(sum(events), 0) FROM waiting WHERE waiting.day = kept.day) > 0
			ORDER BY day LIMIT 1
		)
		UNION ALL SELECT day FROM waiting GROUP BY day
		HAVING sum(events) + (SELECT coalesce(sum(clicks + leads + conversions + sales), 0) FROM ${kept} AND kept.day = waiting.day) > 0)`);
}
