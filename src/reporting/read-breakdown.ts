import { sql } from 'drizzle-orm';
import { readableProgramId, requireReader, selectReader } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { readTogether } from '../db/client.ts';
import { type BreakdownAmounts, type BreakdownPosition, breakdownRowOf, type Dimension } from '../domain/breakdown.ts';
import { dailyPerformance } from '../db/schema/reports.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import { type AskedRange, type DayRange, rangeOf } from '../domain/report-range.ts';
import { recall, remember } from '../isolate-cache.ts';
import { instantsOf } from './read-performance.ts';

export interface AskedBreakdown {
	readonly by: Dimension;
	readonly range: AskedRange;
	readonly limit: number;
	/** The position of the last row that the reader has. */
	readonly cursor: BreakdownPosition | undefined;
}

export type Breakdown = Awaited<ReturnType<typeof readBreakdown>>;

/**
 * The program's figures over a range of days by partner, link, product, country or source, for any active member of its
 * workspace: the greatest revenue in the program's currency first, then the most clicks. One trip, which reads the rows of the
 * dimension and the days, whatever the number of clicks; a second one where the isolate does not know the program's time zone
 * yet and the day there is another than in UTC. A row whose figures change between two pages may come twice, or on neither.
 * Rejects like readPerformance.
 */
export async function readBreakdown(ctx: Context, tokenHash: string, programId: number, asked: AskedBreakdown) {
	const guess = daysIn(recall(ctx.timeZones, String(programId), ctx.now) ?? 'UTC', ctx.now, asked.range);
	const found = await readTogether(ctx.db, {
		reader: selectReader(ctx, tokenHash, programId),
		first: startsAtFirstEvent(asked.range) ? selectFirstDay(ctx, tokenHash, programId) : undefined,
		rows: guess && selectRows(ctx, tokenHash, programId, asked, guess),
	});
	const { currency, timeZone, createdAt } = requireReader(found.reader);
	remember(ctx.timeZones, String(programId), timeZone, ctx.now + DAY_MS);

	const [created, first] = [dayOf(createdAt, timeZone), found.first[0]?.day];
	const range = rangeOf(asked.range, dayOf(ctx.now, timeZone), first !== undefined && first < created ? first : created, timeZone);
	const days = daysIn(timeZone, ctx.now, asked.range) ?? range;
	const isGuessed = guess?.first === days.first && guess.last === days.last;
	const rows = isGuessed ? found.rows : await selectRows(ctx, tokenHash, programId, asked, days);
	const shown = rows.slice(0, asked.limit);
	const last = shown.at(-1);
	return {
		by: asked.by,
		rows: shown.map((row) => breakdownRowOf(asked.by, { ...row, amounts: amountsIn(row.amounts) }, currency)),
		nextCursor: rows.length > asked.limit && last ? { revenueCents: last.revenueCents, clicks: last.clicks, value: last.value } : null,
		meta: { period: asked.range.period, ...instantsOf(range, timeZone) },
	};
}

function startsAtFirstEvent({ period, dates }: AskedRange): boolean {
	return period === 'all' && !dates;
}

/** The days to read; `all` has no first one. Undefined where the range is refused: once it is known who asks. */
function daysIn(timeZone: string, now: number, asked: AskedRange): DayRange | undefined {
	try {
		return rangeOf(asked, dayOf(now, timeZone), '', timeZone);
	} catch (error) {
		if (error instanceof Rejection) return undefined;
		throw error;
	}
}

/** The day of the program's first event, if it had one. */
function selectFirstDay(ctx: Context, tokenHash: string, programId: number) {
	return ctx.db
		.select({ day: dailyPerformance.day })
		.from(dailyPerformance)
		.where(
			sql`${dailyPerformance.programId} = ${readableProgramId(ctx, tokenHash, programId)} AND ${dailyPerformance.clicks} + ${dailyPerformance.leads} + ${dailyPerformance.conversions} + ${dailyPerformance.sales} > 0`,
		)
		.orderBy(dailyPerformance.day)
		.limit(1);
}

const row = {
	value: sql<string>`value`,
	label: sql<string | null>`label`,
	clicks: sql<number>`clicks`,
	leads: sql<number>`leads`,
	conversions: sql<number>`conversions`,
	sales: sql<number>`sales`,
	/** In the program's currency. */
	revenueCents: sql<number>`revenueCents`,
	/** JSON of BreakdownAmounts[]. */
	amounts: sql<string>`amounts`,
};

/** The rows behind the cursor, one more than the limit: it tells whether there is a next page. For members only. */
function selectRows(ctx: Context, tokenHash: string, programId: number, { by, limit, cursor }: AskedBreakdown, { first, last }: DayRange) {
	const behind = cursor ? sql`WHERE (revenueCents, clicks, value) < (${cursor.revenueCents}, ${cursor.clicks}, ${cursor.value})` : sql``;
	return ctx.db.select(row).from(sql`(
		WITH program AS MATERIALIZED (SELECT id, currency FROM programs WHERE id = ${readableProgramId(ctx, tokenHash, programId)}),
		by_currency AS (
			SELECT value, currency, sum(clicks) AS clicks, sum(leads) AS leads, sum(conversions) AS conversions, sum(sales) AS sales,
				sum(revenue_cents) AS revenue, sum(refunded_cents) AS refunded, sum(commission_cents) AS commission, sum(deducted_cents) AS deducted
			FROM daily_breakdown
			WHERE program_id = (SELECT id FROM program) AND dimension = ${by} AND day BETWEEN ${first} AND ${last}
			GROUP BY value, currency
		),
		by_value AS (
			SELECT value, sum(clicks) AS clicks, sum(leads) AS leads, sum(conversions) AS conversions, sum(sales) AS sales,
				sum(iif(currency = (SELECT currency FROM program), revenue, 0)) AS revenueCents,
				json_group_array(json_object('currency', currency, 'sales', sales, 'revenueCents', revenue, 'refundedCents', refunded,
					'commissionCents', commission, 'deductedCents', deducted)) AS amounts
			FROM by_currency GROUP BY value
			HAVING sum(clicks + leads + conversions + sales) > 0 OR sum(commission) > 0
		)
		SELECT *, ${labelOf(by)} AS label
		FROM (SELECT * FROM by_value ${behind} ORDER BY revenueCents DESC, clicks DESC, value DESC LIMIT ${limit + 1})
		ORDER BY revenueCents DESC, clicks DESC, value DESC)`);
}

function labelOf(by: Dimension) {
	if (by === 'partner') return sql`(SELECT name FROM partners WHERE id = cast(value AS INTEGER))`;
	if (by === 'link') return sql`(SELECT short_link FROM referral_links WHERE id = cast(value AS INTEGER))`;
	return sql`NULL`;
}

function amountsIn(json: string): BreakdownAmounts[] {
	const amounts: BreakdownAmounts[] = JSON.parse(json);
	return amounts;
}
