import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type ComparedDay, FIRST_BOUGHT, SIGNED_UP, WAITING_OF_COMPARED, withCompared } from './compared-days.ts';
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
} from './waiting-deltas.ts';
import { STORED_DIMENSIONS } from '../domain/reporting/changed-figures.ts';

export const BREAKDOWN_FIGURES = ['clicks', ...BROKEN_DOWN_COLUMNS] as const;
type Figure = (typeof BREAKDOWN_FIGURES)[number];

export interface BreakdownKey {
	readonly program_id: number;
	readonly day: string;
	readonly dimension: string;
	readonly value: string;
	readonly currency: string;
}
export type DailyBreakdownRow = BreakdownKey & Readonly<Record<Figure, number>>;

const LISTED = JSON.stringify(STORED_DIMENSIONS);

const KEPT = sql`compared d CROSS JOIN daily_breakdown kept
	ON kept.program_id = d.program_id AND kept.dimension IN (SELECT value FROM json_each(${LISTED})) AND kept.day = d.day`;

export function selectBreakdowns({ db }: Pick<Context, 'db'>, days: readonly ComparedDay[]) {
	return db.all<DailyBreakdownRow>(sql`${withCompared(days)} SELECT kept.* FROM ${KEPT}`);
}

/** Writes and returns the rows that differ from the raw rows minus waiting deltas. One statement. */
export function repairBreakdowns({ db }: Pick<Context, 'db'>, days: readonly ComparedDay[]) {
	return db.all<DailyBreakdownRow>(sql`
		${withCompared(days)}
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, ${list((figure) => figure)})
		SELECT derived.program_id, derived.dimension, derived.day, derived.value, derived.currency, ${list((figure) => `derived.${figure}`)}
		FROM (
			SELECT program_id, day, dimension, value, currency, ${list((figure) => `sum(${figure}) AS ${figure}`)}
			FROM (${derivedRows()}) WHERE value <> '' GROUP BY program_id, day, dimension, value, currency
		) AS derived
		LEFT JOIN daily_breakdown AS kept ON kept.program_id = derived.program_id AND kept.dimension = derived.dimension
			AND kept.day = derived.day AND kept.value = derived.value AND kept.currency = derived.currency
		WHERE (${list((figure) => `derived.${figure}`)}) <> (${list((figure) => `coalesce(kept.${figure}, 0)`)})
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET ${list((figure) => `${figure} = excluded.${figure}`)}
		RETURNING program_id, day, dimension, value, currency, ${list((figure) => figure)}`);
}

/** Raw rows minus waiting deltas, plus zeros for each stored row, which alone knows a retired day's clicks. */
function derivedRows(): SQL {
	return sql`
		SELECT raw.program_id, raw.day, dimension.value AS dimension, cast(CASE dimension.value
				WHEN 'link' THEN raw.referral_link_id WHEN 'product' THEN raw.product_id WHEN 'country' THEN raw.country ELSE raw.source
			END AS TEXT) AS value, raw.currency, ${list((figure) => `raw.${figure}`)}
		FROM (${rawFigures()}) AS raw JOIN json_each(${LISTED}) AS dimension
		UNION ALL
		SELECT d.program_id, d.day, ${DIMENSION}, ${VALUE}, ${CURRENCY}, 0,
			${eachColumn(BROKEN_DOWN_COLUMNS, (column) => `-${brokenDownFigureOf(column)}`)}
		FROM ${deltasBy(STORED_DIMENSIONS, WAITING_OF_COMPARED)} WHERE ${DAY} = d.day
		UNION ALL
		SELECT d.program_id, d.day, kept.dimension, kept.value, kept.currency,
			${list((figure) => (figure === 'clicks' ? 'iif(d.is_retired, kept.clicks, 0)' : '0'))}
		FROM ${KEPT}`;
}

/** Without duplicates, and within D1's limit of five terms. Events without a value have no row. */
function rawFigures(): SQL {
	const buyer = sql`c.referral_link_id, c.country, c.source`;
	const groups = sql`GROUP BY d.program_id, d.day, ${buyer}`;
	const days = sql`compared d CROSS JOIN programs p ON p.id = d.program_id`;
	return sql`
		${figures(sql`p.currency`, buyer, sql`NULL`, { clicks: sql`count(*)` })}
		FROM ${days} CROSS JOIN affiliate_click_events c
			ON NOT d.is_retired AND c.program_id = d.program_id AND c.clicked_at >= d.starts_at AND c.clicked_at < d.ends_at
			AND c.click_day = d.day AND c.is_test = 0 AND c.is_bot = 0
		${groups}
		UNION ALL ${figures(sql`p.currency`, buyer, sql`NULL`, { leads: sql`count(*)` })}
		FROM ${days} CROSS JOIN customers c ON ${SIGNED_UP} AND c.status IN ('lead', 'conversion') ${groups}
		UNION ALL ${figures(sql`p.currency`, buyer, sql`NULL`, { conversions: sql`count(*)` })}
		FROM ${days} CROSS JOIN customers c ON ${FIRST_BOUGHT} ${groups}
		UNION ALL ${figures(sql`s.currency`, buyer, sql`s.product_id`, {
			sales: sql`count(*)`,
			revenue_cents: sql`sum(s.amount_cents)`,
			refunded_cents: sql`sum(s.refunded_cents)`,
		})}
		FROM compared d CROSS JOIN affiliate_sale_events s
			ON s.program_id = d.program_id AND s.created_at >= d.starts_at AND s.created_at < d.ends_at AND s.sale_day = d.day AND s.is_test = 0
			AND s.duplicate_of_sale_id IS NULL
			CROSS JOIN customers c ON c.id = s.customer_id
		${groups}, s.product_id, s.currency
		UNION ALL ${figures(sql`m.currency`, buyer, sql`s.product_id`, {
			commission_cents: sql`sum(m.amount_cents)`,
			deducted_cents: sql`sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents))`,
		})}
		FROM compared d CROSS JOIN commissions m ON m.program_id = d.program_id AND m.created_day = d.day
			CROSS JOIN affiliate_sale_events s ON s.id = m.sale_id AND s.duplicate_of_sale_id IS NULL
			CROSS JOIN customers c ON c.id = s.customer_id
		${groups}, s.product_id, m.currency`;
}

function figures(currency: SQL, attribution: SQL, productId: SQL, values: Partial<Record<Figure, SQL>>): SQL {
	const keys = sql`d.program_id, d.day, ${currency} AS currency, ${attribution}, ${productId} AS product_id`;
	return selectFigures(BREAKDOWN_FIGURES, keys, values);
}

function list(each: (figure: Figure) => string): SQL {
	return eachColumn(BREAKDOWN_FIGURES, each);
}
