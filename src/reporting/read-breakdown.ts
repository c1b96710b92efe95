import { type SQL, sql } from 'drizzle-orm';
import { readableProgram, requireReader, selectReader } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import {
	type BreakdownAmounts,
	type BreakdownPosition,
	breakdownRowOf,
	type Dimension,
	type ReportFilter,
	storedDimensionOf,
} from '../domain/reporting/breakdown.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { wholeMonthsOf } from '../domain/reporting/closed-months.ts';
import { Rejection } from '../domain/rejection.ts';
import { type RangeQuery, type DayRange, rangeOf } from '../domain/reporting/report-range.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { filteredRows, describeFilter, selectLabel } from './filtered-rows.ts';
import { selectFirstDay, startsAtFirstEvent } from './first-day.ts';
import { instantsOf } from './read-performance.ts';
import { BREAKDOWN_FIGURES } from './repair-breakdown.ts';
import {
	BROKEN_DOWN_COLUMNS,
	brokenDownFigureOf,
	CURRENCY,
	DAY,
	eachColumn,
	figureOf,
	IS_IN_TOTALS,
	deltasBy,
	deltasOf,
	VALUE,
	WAITING_OF_PROGRAM,
} from './waiting-deltas.ts';
import { type StoredDimension } from '../domain/reporting/changed-figures.ts';

export interface BreakdownRequest {
	readonly by: Dimension;
	readonly range: RangeQuery;
	/** Undefined for all rows. */
	readonly filter?: ReportFilter | undefined;
	readonly limit: number;
	readonly cursor: BreakdownPosition | undefined;
}

type Reading = Pick<Context, 'db' | 'now' | 'timeZones'>;

export type Breakdown = Awaited<ReturnType<typeof readBreakdown>>;

/**
 * Figures by partner, link, product, country or source for any active member: highest revenue first, then most clicks. One round trip, or
 * two if the program's time zone is not cached and its day differs from UTC. A row that changes between pages may appear twice or not at
 * all. Rejects like readPerformance.
 */
export async function readBreakdown(ctx: Reading, tokenHash: string, programId: number, query: BreakdownRequest) {
	const guess = daysIn(cacheGet(ctx.timeZones, String(programId), ctx.now) ?? 'UTC', ctx.now, query.range);
	const found = await read(ctx.db, {
		reader: selectReader(ctx, tokenHash, programId),
		first: startsAtFirstEvent(query.range) ? selectFirstDay(ctx, tokenHash, programId) : undefined,
		rows: guess && selectRows(ctx, tokenHash, programId, { ...query, days: guess }),
		label: query.filter && selectLabel(ctx, tokenHash, programId, query.filter),
	});
	const { currency, timeZone, createdAt } = requireReader(found.reader);
	cacheSet(ctx.timeZones, String(programId), timeZone, ctx.now + DAY_MS);

	const [created, first] = [dayOf(createdAt, timeZone), found.first[0]?.day ?? undefined];
	const range = rangeOf(query.range, dayOf(ctx.now, timeZone), first !== undefined && first < created ? first : created, timeZone);
	const days = daysIn(timeZone, ctx.now, query.range) ?? range;
	const isGuessed = guess?.first === days.first && guess.last === days.last;
	const rows = isGuessed ? found.rows : await selectRows(ctx, tokenHash, programId, { ...query, days });
	const shown = rows.slice(0, query.limit);
	const last = shown.at(-1);
	return {
		by: query.by,
		filter: query.filter && describeFilter(query.filter, found.label),
		rows: shown.map((row) => breakdownRowOf(query.by, { ...row, amounts: amountsIn(row.amounts) }, currency)),
		nextCursor: rows.length > query.limit && last ? { revenueCents: last.revenueCents, clicks: last.clicks, value: last.value } : null,
		meta: { period: query.range.period, ...instantsOf(range, timeZone) },
	};
}

/** `all` has no first day. Undefined if the range is invalid, which is rejected after the access check. */
function daysIn(timeZone: string, now: number, query: RangeQuery): DayRange | undefined {
	try {
		return rangeOf(query, dayOf(now, timeZone), '', timeZone);
	} catch (error) {
		if (error instanceof Rejection) return undefined;
		throw error;
	}
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

/** One row above the limit shows whether there is a next page. For non-members the limit is 0, so nothing is summed. */
function selectRows(
	ctx: Reading,
	tokenHash: string,
	programId: number,
	{ by, filter, limit, cursor, days }: BreakdownRequest & { readonly days: DayRange },
) {
	const stored = filter ? filteredRows(filter, days) : rowsOf(storedDimensionOf(by), days);
	const rest = sql`UNION ALL SELECT '', * FROM (${summedUp(
		sql`currency`,
		sql`${totalsOf(by, days)} UNION ALL SELECT currency, ${eachColumn(COLUMNS, (column) => `-${column}`)} FROM found`,
	)})`;
	const behind = cursor ? sql`WHERE (revenueCents, clicks, value) < (${cursor.revenueCents}, ${cursor.clicks}, ${cursor.value})` : sql``;
	return ctx.db.select(row).from(sql`(
		WITH program AS MATERIALIZED ${readableProgram(ctx, tokenHash, programId)},
		found AS MATERIALIZED (${by === 'partner' ? byPartner(stored) : summedUp(sql`value, currency`, stored)}),
		by_currency AS (SELECT value, currency, ${eachColumn(COLUMNS)} FROM found ${filter ? sql`` : rest}),
		by_value AS (
			SELECT value, sum(clicks) AS clicks, sum(leads) AS leads, sum(conversions) AS conversions, sum(sales) AS sales,
				sum(iif(currency = (SELECT currency FROM program), revenue_cents, 0)) AS revenueCents,
				json_group_array(json_object('currency', currency, 'sales', sales, 'revenueCents', revenue_cents, 'refundedCents', refunded_cents,
					'commissionCents', commission_cents, 'deductedCents', deducted_cents)) AS amounts
			FROM by_currency GROUP BY value
			HAVING sum(clicks + leads + conversions + sales) > 0 OR sum(commission_cents) > 0
		)
		SELECT *, ${labelOf(by)} AS label
		FROM (SELECT * FROM by_value ${behind} ORDER BY revenueCents DESC, clicks DESC, value DESC
			LIMIT ${limit + 1} * (SELECT count(*) FROM program))
		ORDER BY revenueCents DESC, clicks DESC, value DESC)`);
}

const COLUMNS = BREAKDOWN_FIGURES;

/** `more` adds columns to the keys. */
export function summedUp(keys: SQL, figures: SQL, more?: SQL): SQL {
	const selected = more ? sql`${keys}, ${more}` : keys;
	return sql`SELECT ${selected}, ${eachColumn(COLUMNS, (column) => `sum(${column}) AS ${column}`)} FROM (${figures}) GROUP BY ${keys}`;
}

/** Daily figures of the links in the statement's `program`. */
export function linkFigures(days: DayRange): SQL {
	return rowsOf('link', days);
}

/** Figures from closed months, other days and waiting deltas. A month counts as its last day. */
function rowsOf(dimension: StoredDimension, { first, last }: DayRange): SQL {
	const months = wholeMonthsOf({ first, last });
	return sql`
		WITH months AS MATERIALIZED (
			SELECT month FROM breakdown_months
			WHERE program_id = (SELECT id FROM program) AND dimension = ${dimension} AND month BETWEEN ${months.first} AND ${months.last}
		),
		days AS MATERIALIZED (
			SELECT DISTINCT day FROM daily_performance
			WHERE program_id = (SELECT id FROM program) AND day BETWEEN ${first} AND ${last} AND substr(day, 1, 7) NOT IN (SELECT month FROM months)
		)
		SELECT b.value, b.currency, b.last_day AS day, ${eachColumn(COLUMNS, (column) => `b.${column}`)}
		FROM months CROSS JOIN monthly_breakdown b
			ON b.program_id = (SELECT id FROM program) AND b.dimension = ${dimension} AND b.month = months.month
		UNION ALL SELECT b.value, b.currency, b.day, ${eachColumn(COLUMNS, (column) => `b.${column}`)}
		FROM days CROSS JOIN daily_breakdown b
			ON b.program_id = (SELECT id FROM program) AND b.dimension = ${dimension} AND b.day = days.day
		UNION ALL SELECT ${VALUE}, ${CURRENCY}, ${DAY}, 0, ${eachColumn(BROKEN_DOWN_COLUMNS, brokenDownFigureOf)}
		FROM ${deltasBy([dimension], WAITING_OF_PROGRAM)}
		WHERE ${DAY} BETWEEN ${first} AND ${last}`;
}

/** The rest without a value is the totals minus all values. Only sales have a product. */
function totalsOf(by: Dimension, { first, last }: DayRange): SQL {
	const counts = (column: string) => by === 'product' && ['clicks', 'leads', 'conversions'].includes(column);
	return sql`
		SELECT currency, ${eachColumn(COLUMNS, (column) => (counts(column) ? `0 AS ${column}` : column))} FROM daily_performance
		WHERE program_id = (SELECT id FROM program) AND day BETWEEN ${first} AND ${last}
		UNION ALL SELECT ${CURRENCY}, 0, ${eachColumn(BROKEN_DOWN_COLUMNS, (column) => (counts(column) ? '0' : figureOf(column)))}
		FROM ${deltasOf(WAITING_OF_PROGRAM)}
		WHERE ${DAY} BETWEEN ${first} AND ${last} AND ${IS_IN_TOTALS}`;
}

/** A link's figures belong to its partner, even after the membership has ended. */
function byPartner(figuresOfLinks: SQL): SQL {
	return summedUp(
		sql`value, currency`,
		sql`SELECT cast(m.partner_id AS TEXT) AS value, currency, ${eachColumn(COLUMNS)}
			FROM (${summedUp(sql`value, currency`, figuresOfLinks)}) AS figures
			JOIN referral_links l ON l.id = cast(figures.value AS INTEGER)
			JOIN partner_programs m ON m.id = coalesce(l.partner_program_id, l.former_partner_program_id)`,
	);
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
