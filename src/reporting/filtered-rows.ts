import { type SQL, sql } from 'drizzle-orm';
import { readableProgram } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { isIdentified, type ReportFilter, storedDimensionOf } from '../domain/reporting/breakdown.ts';
import type { DayRange } from '../domain/reporting/report-range.ts';
import { BREAKDOWN_FIGURES } from './repair-breakdown.ts';
import {
	BROKEN_DOWN_COLUMNS,
	brokenDownFigureOf,
	CURRENCY,
	DAY,
	eachColumn,
	deltasBy,
	deltasOf,
	VALUE,
	WAITING_OF_PROGRAM,
} from './waiting-deltas.ts';

// Figures for one value of a dimension, in the statement's `program`.

/** Includes links that the membership lost when it ended. */
export function linksOf(membershipId: SQL | number): SQL {
	return sql`(
		SELECT id, short_link FROM referral_links WHERE partner_program_id = ${membershipId}
		UNION ALL SELECT id, short_link FROM referral_links WHERE former_partner_program_id = ${membershipId} AND partner_program_id IS NULL
	)`;
}

/**
 * Rows by day, value and currency, including waiting deltas. Looks up each day with figures, so the cost does not depend on clicks or other
 * values.
 */
export function filteredRows(filter: ReportFilter, { first, last }: DayRange): SQL {
	const dimension = storedDimensionOf(filter.by);
	return sql`
		WITH selected AS MATERIALIZED (${valuesOf(filter)}),
		days AS (
			SELECT DISTINCT day FROM daily_performance WHERE program_id = (SELECT id FROM program) AND day BETWEEN ${first} AND ${last}
			UNION ALL SELECT DISTINCT ${DAY} FROM ${deltasOf(WAITING_OF_PROGRAM)}
			WHERE ${DAY} BETWEEN ${first} AND ${last}
				AND NOT EXISTS (SELECT 1 FROM daily_performance WHERE program_id = p.id AND day = ${DAY})
		)
		SELECT b.day AS day, b.value AS value, b.currency AS currency, ${eachColumn(BREAKDOWN_FIGURES, (column) => `b.${column} AS ${column}`)}
		FROM days CROSS JOIN selected CROSS JOIN daily_breakdown b
			ON b.program_id = (SELECT id FROM program) AND b.dimension = ${dimension} AND b.day = days.day AND b.value = selected.value
		UNION ALL SELECT ${DAY}, ${VALUE}, ${CURRENCY}, 0, ${eachColumn(BROKEN_DOWN_COLUMNS, brokenDownFigureOf)}
		FROM ${deltasBy([dimension], WAITING_OF_PROGRAM)}
		WHERE ${DAY} BETWEEN ${first} AND ${last} AND ${VALUE} IN (SELECT value FROM selected)`;
}

function valuesOf({ by, value }: ReportFilter): SQL {
	if (by !== 'partner') return sql`SELECT ${value} AS value`;
	return sql`SELECT cast(id AS TEXT) AS value FROM ${linksOf(membershipOf(value))}`;
}

function membershipOf(partnerId: string): SQL {
	return sql`(SELECT id FROM partner_programs WHERE program_id = (SELECT id FROM program) AND partner_id = cast(${partnerId} AS INTEGER))`;
}

/** Null if the program has no such partner or link. */
export function selectLabel(ctx: Pick<Context, 'db' | 'now'>, tokenHash: string, programId: number, { by, value }: ReportFilter) {
	if (!isIdentified(by)) return undefined;
	const label =
		by === 'partner'
			? sql`SELECT name FROM partners WHERE id = cast(${value} AS INTEGER) AND EXISTS ${membershipOf(value)}`
			: sql`SELECT short_link FROM referral_links WHERE id = cast(${value} AS INTEGER) AND program_id = (SELECT id FROM program)`;
	return ctx.db
		.select({ label: sql<string | null>`label` })
		.from(sql`(WITH program AS MATERIALIZED ${readableProgram(ctx, tokenHash, programId)} SELECT (${label}) AS label)`);
}

/** Other dimensions than partner and link show the value itself. */
export function describeFilter(filter: ReportFilter, found: readonly { readonly label: string | null }[]) {
	const [row] = found;
	return { ...filter, label: row ? row.label : filter.value };
}
