import { sql } from 'drizzle-orm';
import { readableProgram, requireReader, selectReader } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { dayOf, startOfDay, addDays } from '../domain/calendar.ts';
import { type DailyFigures, performanceOf } from '../domain/reporting/performance.ts';
import { type RangeQuery, boundsOf, type DayRange, previousOf, rangeOf } from '../domain/reporting/report-range.ts';
import { CURRENCY, DAY, eachColumn, figureOf, IS_IN_TOTALS, MOVED_COLUMNS, deltasOf, WAITING_OF_PROGRAM } from './waiting-deltas.ts';

export type Performance = Awaited<ReturnType<typeof readPerformance>>;

/**
 * The program's performance by day and in total (contract, 4.7; decisions 22 to 26 and 35), for any active member. One round trip, whose
 * cost does not depend on clicks. Rejects with 401, 403, 404, and 400 for an invalid range.
 */
export async function readPerformance(ctx: Context, tokenHash: string, programId: number, query: RangeQuery) {
	const asker = { tokenHash, programId };
	const { reader, rows } = await read(ctx.db, {
		reader: readReader(ctx, asker),
		rows: readDays(ctx, { ...asker, ...boundsOf(query, ctx.now) }),
	});
	const { currency, timeZone, createdAt } = requireReader(reader);
	const days = figuresOf(rows);
	const current = rangeOf(query, dayOf(ctx.now, timeZone), firstDayOf(dayOf(createdAt, timeZone), days), timeZone);
	const previous = previousOf(current);
	return {
		...performanceOf(days, currency, current, previous),
		currency,
		meta: { period: query.period, ...instantsOf(current, timeZone), previousPeriod: instantsOf(previous, timeZone) },
	};
}

export interface Asker {
	readonly tokenHash: string;
	readonly programId: number;
}

export const readReader = prepare((ctx, { tokenHash, programId }: Placeholders<Asker>) => selectReader(ctx, tokenHash, programId));

/**
 * Empty for non-members. A day and currency may have several rows: the stored one and its waiting deltas. Rows are JSON arrays, because
 * each value that D1 returns costs as much as reading the row.
 */
export const readDays = prepare((ctx, { tokenHash, programId, first, last }: Placeholders<Asker & DayRange>) => {
	return ctx.db.select({ figures: sql<string>`figures` }).from(sql`(
		WITH program AS MATERIALIZED ${readableProgram(ctx, tokenHash, programId)}
		SELECT json_array(day, currency, clicks, ${eachColumn(MOVED_COLUMNS)}) AS figures
		FROM daily_performance WHERE program_id = (SELECT id FROM program) AND day BETWEEN ${first} AND ${last}
		UNION ALL SELECT json_array(${DAY}, ${CURRENCY}, 0, ${eachColumn(MOVED_COLUMNS, figureOf)})
		FROM ${deltasOf(WAITING_OF_PROGRAM)} WHERE ${IS_IN_TOTALS} AND ${DAY} BETWEEN ${first} AND ${last}
	)`);
});

type Figures = readonly [string, string, number, number, number, number, number, number, number, number, number, number];

export function figuresOf(rows: readonly { readonly figures: string }[]): DailyFigures[] {
	const figures: Figures[] = JSON.parse(`[${rows.map((row) => row.figures).join(',')}]`);
	return figures.map(
		([
			day,
			currency,
			clicks,
			leads,
			openLeads,
			conversions,
			partners,
			sales,
			revenueCents,
			refundedCents,
			commissionCents,
			deductedCents,
		]) => ({
			day,
			currency,
			clicks,
			leads,
			openLeads,
			conversions,
			partners,
			sales,
			revenueCents,
			refundedCents,
			commissionCents,
			deductedCents,
		}),
	);
}

/** The day of creation, or of an earlier first event (decision 23). */
export function firstDayOf(createdDay: string, days: readonly DailyFigures[]): string {
	const events = new Map<string, number>();
	for (const { day, clicks, leads, conversions, sales } of days) {
		if (day < createdDay) events.set(day, (events.get(day) ?? 0) + clicks + leads + conversions + sales);
	}
	return [...events].reduce((first, [day, count]) => (count > 0 && day < first ? day : first), createdDay);
}

/** The first and last millisecond of the range. */
export function instantsOf({ first, last }: DayRange, timeZone: string) {
	return { from: startOfDay(first, timeZone), to: startOfDay(addDays(last, 1), timeZone) - 1 };
}
