import { sql } from 'drizzle-orm';
import { readableProgram, requireReader } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { ReportFilter } from '../domain/reporting/breakdown.ts';
import { dayOf } from '../domain/calendar.ts';
import { detailedPerformanceOf } from '../domain/reporting/detailed-performance.ts';
import { comparedBoundsOf, comparedRangeOf, type Comparison } from '../domain/reporting/comparison.ts';
import { type RangeQuery, boundsOf, type DayRange, rangeOf } from '../domain/reporting/report-range.ts';
import { filteredRows, describeFilter, selectLabel } from './filtered-rows.ts';
import { selectFirstDay, startsAtFirstEvent } from './first-day.ts';
import { type Asker, figuresOf, firstDayOf, instantsOf, readDays, readReader } from './read-performance.ts';

export interface PerformanceRequest {
	readonly range: RangeQuery;
	/** Undefined for all. */
	readonly filter: ReportFilter | undefined;
	readonly comparison: Comparison;
}

export type DetailedReport = Awaited<ReturnType<typeof readDetailedPerformance>>;

/**
 * The report with or without a filter, and the days that it is compared with (decisions 45 and 70). One round trip. Rejects like
 * readPerformance.
 */
export async function readDetailedPerformance(ctx: Context, tokenHash: string, programId: number, request: PerformanceRequest) {
	const { range, filter, comparison } = request;
	const asker = { tokenHash, programId };
	const bounds = boundsOf(range, ctx.now);
	// Days in between are not read, so a comparison with a distant year costs no more than one with last week.
	const compared = comparedBoundsOf(range, comparison, ctx.now);
	const found = await read(ctx.db, {
		reader: readReader(ctx, asker),
		rows: filter ? undefined : readDays(ctx, { ...asker, ...bounds }),
		filtered: filter && selectFilteredDays(ctx, asker, filter, bounds),
		comparedRows: filter || !compared ? undefined : readDays(ctx, { ...asker, ...compared }),
		comparedFiltered: filter && compared && selectFilteredDays(ctx, asker, filter, compared),
		first: filter && startsAtFirstEvent(range) ? selectFirstDay(ctx, tokenHash, programId) : undefined,
		label: filter && selectLabel(ctx, tokenHash, programId, filter),
	});
	const { currency, timeZone, createdAt } = requireReader(found.reader);
	const days = figuresOf(filter ? found.filtered : found.rows);
	const earlier = figuresOf(filter ? found.comparedFiltered : found.comparedRows);
	const created = dayOf(createdAt, timeZone);
	const first = filter ? earlierOf(found.first[0]?.day, created) : firstDayOf(created, days);
	const current = rangeOf(range, dayOf(ctx.now, timeZone), first, timeZone);
	const previous = comparedRangeOf(current, comparison);
	// Days that both statements read count once.
	const all = [...days, ...earlier.filter(({ day }) => day < bounds.first || day > bounds.last)];
	return {
		...detailedPerformanceOf(all, currency, { current, previous }, filter?.by),
		filter: filter && describeFilter(filter, found.label),
		meta: { period: range.period, ...instantsOf(current, timeZone), previousPeriod: instantsOf(previous, timeZone) },
	};
}

function earlierOf(day: string | null | undefined, other: string): string {
	return day && day < other ? day : other;
}

/** The same row format as in readPerformance. */
function selectFilteredDays(ctx: Context, { tokenHash, programId }: Asker, filter: ReportFilter, range: DayRange) {
	return ctx.db.select({ figures: sql<string>`figures` }).from(sql`(
		WITH program AS MATERIALIZED ${readableProgram(ctx, tokenHash, programId)}
		SELECT json_array(day, currency, clicks, leads, 0, conversions, 0, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents)
			AS figures
		FROM (${filteredRows(filter, range)})
	)`);
}
