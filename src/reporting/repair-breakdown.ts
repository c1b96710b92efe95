import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { addDays, startOfDay } from '../domain/calendar.ts';
import { firstBought, isRetiredDay, type ProgramDays, signedUp } from './repair-day.ts';
import {
	BROKEN_DOWN_COLUMNS,
	brokenDownFigureOf,
	CURRENCY,
	DAY,
	DIMENSION,
	eachColumn,
	deltasBy,
	selectFigures,
	VALUE,
	withProgram,
} from './waiting-deltas.ts';
import { STORED_DIMENSIONS } from '../domain/reporting/changed-figures.ts';

export const BREAKDOWN_FIGURES = ['clicks', ...BROKEN_DOWN_COLUMNS] as const;
type Figure = (typeof BREAKDOWN_FIGURES)[number];

export interface BreakdownKey {
	readonly dimension: string;
	readonly value: string;
	readonly currency: string;
}
export type DailyBreakdownRow = BreakdownKey & Readonly<Record<Figure, number>>;

const LISTED = JSON.stringify(STORED_DIMENSIONS);

export function selectBreakdown(ctx: Context, program: ProgramDays, day: string) {
	return ctx.db.all<DailyBreakdownRow>(sql`SELECT * FROM daily_breakdown WHERE ${isOf(program, day)}`);
}

function isOf({ id }: ProgramDays, day: string): SQL {
	return sql`program_id = ${id} AND dimension IN (SELECT value FROM json_each(${LISTED})) AND day = ${day}`;
}

/** Writes the day's rows that differ from the raw rows minus waiting deltas, and returns them. One statement. */
export function repairBreakdown({ db }: Pick<Context, 'db'>, program: ProgramDays, day: string) {
	return db.all<DailyBreakdownRow>(sql`
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, ${list((figure) => figure)})
		SELECT ${program.id}, derived.dimension, ${day}, derived.value, derived.currency, ${list((figure) => `derived.${figure}`)}
		FROM (
			SELECT dimension, value, currency, ${list((figure) => `sum(${figure}) AS ${figure}`)}
			FROM (${derivedRowsOf(program, day)}) WHERE value <> '' GROUP BY dimension, value, currency
		) AS derived
		LEFT JOIN daily_breakdown AS kept ON kept.program_id = ${program.id} AND kept.dimension = derived.dimension AND kept.day = ${day}
			AND kept.value = derived.value AND kept.currency = derived.currency
		WHERE (${list((figure) => `derived.${figure}`)}) <> (${list((figure) => `coalesce(kept.${figure}, 0)`)})
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET ${list((figure) => `${figure} = excluded.${figure}`)}
		RETURNING dimension, value, currency, ${list((figure) => figure)}`);
}

/**
 * Figures by dimension from the raw rows minus waiting deltas, plus zeros for each existing row of the day, because only these rows still
 * have the number of a retired day's clicks.
 */
function derivedRowsOf(program: ProgramDays, day: string): SQL {
	return sql`
		SELECT dimension.value AS dimension, cast(CASE dimension.value
				WHEN 'link' THEN raw.referral_link_id WHEN 'product' THEN raw.product_id WHEN 'country' THEN raw.country ELSE raw.source
			END AS TEXT) AS value, raw.currency, ${list((figure) => `raw.${figure}`)}
		FROM (${rawFiguresOf(program, day)}) AS raw JOIN json_each(${LISTED}) AS dimension
		UNION ALL
		SELECT ${DIMENSION}, ${VALUE}, ${CURRENCY}, 0, ${eachColumn(BROKEN_DOWN_COLUMNS, (column) => `-${brokenDownFigureOf(column)}`)}
		FROM ${deltasBy(STORED_DIMENSIONS, withProgram(sql`outbox o`))} WHERE o.program_id = ${program.id} AND ${DAY} = ${day}
		UNION ALL
		SELECT dimension, value, currency, ${list((figure) => (figure === 'clicks' ? 'iif(is_retired, clicks, 0)' : '0'))}
		FROM daily_breakdown CROSS JOIN (SELECT ${isRetiredDay(program.id, day)} AS is_retired) WHERE ${isOf(program, day)}`;
}

/** The day's figures from the raw rows, without duplicates and within D1's limit of five terms. Events without a value have no row. */
function rawFiguresOf({ id, timeZone }: ProgramDays, day: string): SQL {
	const [start, end] = [startOfDay(day, timeZone), startOfDay(addDays(day, 1), timeZone)];
	const currency = sql`(SELECT currency FROM programs WHERE id = ${id})`;
	const buyer = sql`c.referral_link_id, c.country, c.source`;
	const groups = sql`GROUP BY ${buyer}`;
	return sql`
		${figures(currency, buyer, sql`NULL`, { clicks: sql`count(*)` })}
		FROM affiliate_click_events c
		WHERE NOT ${isRetiredDay(id, day)} AND c.program_id = ${id} AND c.clicked_at >= ${start} AND c.clicked_at < ${end} AND c.click_day = ${day} AND c.is_test = 0 AND c.is_bot = 0
		${groups}
		UNION ALL ${figures(currency, buyer, sql`NULL`, { leads: sql`count(*)` })}
		FROM customers c WHERE ${signedUp({ id, timeZone }, day)} AND c.status IN ('lead', 'conversion') ${groups}
		UNION ALL ${figures(currency, buyer, sql`NULL`, { conversions: sql`count(*)` })}
		FROM customers c WHERE ${firstBought({ id, timeZone }, day)} ${groups}
		UNION ALL ${figures(sql`s.currency`, buyer, sql`s.product_id`, {
			sales: sql`count(*)`,
			revenue_cents: sql`sum(s.amount_cents)`,
			refunded_cents: sql`sum(s.refunded_cents)`,
		})}
		FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id
		WHERE s.program_id = ${id} AND s.created_at >= ${start} AND s.created_at < ${end} AND s.sale_day = ${day} AND s.is_test = 0
			AND s.duplicate_of_sale_id IS NULL
		${groups}, s.product_id, s.currency
		UNION ALL ${figures(sql`m.currency`, buyer, sql`s.product_id`, {
			commission_cents: sql`sum(m.amount_cents)`,
			deducted_cents: sql`sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents))`,
		})}
		FROM commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id JOIN customers c ON c.id = s.customer_id
		WHERE m.program_id = ${id} AND m.created_day = ${day} AND s.duplicate_of_sale_id IS NULL
		${groups}, s.product_id, m.currency`;
}

function figures(currency: SQL, attribution: SQL, productId: SQL, values: Partial<Record<Figure, SQL>>): SQL {
	return selectFigures(BREAKDOWN_FIGURES, sql`${currency} AS currency, ${attribution}, ${productId} AS product_id`, values);
}

function list(each: (figure: Figure) => string): SQL {
	return eachColumn(BREAKDOWN_FIGURES, each);
}
