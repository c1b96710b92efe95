import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type ComparedDay, FIRST_BOUGHT, SIGNED_UP, WAITING_OF_COMPARED, withCompared } from './compared-days.ts';
import { CURRENCY, DAY, eachColumn, figureOf, IS_IN_TOTALS, MOVED_COLUMNS, deltasOf, selectFigures } from './waiting-deltas.ts';

export const FIGURES = ['clicks', ...MOVED_COLUMNS] as const;
type Figure = (typeof FIGURES)[number];
export type DailyRow = Readonly<Record<Figure, number>> & {
	readonly program_id: number;
	readonly day: string;
	readonly currency: string;
};

/** Writes and returns the rows that differ from the raw rows minus waiting deltas. One statement. */
export function repairDays({ db }: Pick<Context, 'db'>, days: readonly ComparedDay[]) {
	return db.all<DailyRow>(sql`
		${withCompared(days)}
		INSERT INTO daily_performance (program_id, day, currency, ${list((figure) => figure)})
		SELECT derived.program_id, derived.day, derived.currency, ${list((figure) => `derived.${figure}`)}
		FROM (
			SELECT program_id, day, currency, ${list((figure) => `sum(${figure}) AS ${figure}`)}
			FROM (${rawFigures()}) GROUP BY program_id, day, currency
		) AS derived
		LEFT JOIN daily_performance AS kept
			ON kept.program_id = derived.program_id AND kept.day = derived.day AND kept.currency = derived.currency
		WHERE (${list((figure) => `derived.${figure}`)}) <> (${list((figure) => `coalesce(kept.${figure}, 0)`)})
		ON CONFLICT (program_id, day, currency) DO UPDATE SET ${list((figure) => `${figure} = excluded.${figure}`)}
		RETURNING program_id, day, currency, ${list((figure) => figure)}`);
}

export function selectDays({ db }: Pick<Context, 'db'>, days: readonly ComparedDay[]) {
	return db.all<DailyRow>(sql`
		${withCompared(days)}
		SELECT kept.* FROM compared d CROSS JOIN daily_performance kept ON kept.program_id = d.program_id AND kept.day = d.day`);
}

/**
 * Raw rows without duplicates and waiting deltas, plus zeros for each daily row, which alone knows a retired day's clicks. Within D1's
 * limit of five terms.
 */
function rawFigures(): SQL {
	const clicks = sql`SELECT count(*) FROM affiliate_click_events c
		WHERE NOT d.is_retired AND c.program_id = d.program_id AND c.clicked_at >= d.starts_at AND c.clicked_at < d.ends_at
			AND c.click_day = d.day AND c.is_test = 0 AND c.is_bot = 0`;
	const signups = sql`SELECT count(*) FROM customers c WHERE ${SIGNED_UP}`;
	const buyers = sql`SELECT count(*) FROM customers c WHERE ${FIRST_BOUGHT}`;
	const partners = sql`SELECT count(*) FROM partner_programs m
		WHERE m.program_id = d.program_id AND m.created_at >= d.starts_at AND m.created_at < d.ends_at AND m.created_day = d.day`;
	const waiting = Object.fromEntries(MOVED_COLUMNS.map((column) => [column, sql.raw(`-${figureOf(column)}`)]));
	return sql`
		${figures(sql`p.currency`, {
			clicks: sql`(${clicks})`,
			leads: sql`(${signups} AND c.status IN ('lead', 'conversion'))`,
			open_leads: sql`(${signups} AND c.status = 'lead')`,
			conversions: sql`(${buyers})`,
			partners: sql`(${partners})`,
		})}
		FROM compared d CROSS JOIN programs p ON p.id = d.program_id
		UNION ALL ${figures(sql`s.currency`, {
			sales: sql`count(*)`,
			revenue_cents: sql`sum(s.amount_cents)`,
			refunded_cents: sql`sum(s.refunded_cents)`,
		})}
		FROM compared d CROSS JOIN affiliate_sale_events s
			ON s.program_id = d.program_id AND s.created_at >= d.starts_at AND s.created_at < d.ends_at AND s.sale_day = d.day AND s.is_test = 0
			AND s.duplicate_of_sale_id IS NULL
		GROUP BY d.program_id, d.day, s.currency
		UNION ALL ${figures(sql`m.currency`, {
			commission_cents: sql`sum(m.amount_cents)`,
			deducted_cents: sql`sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents))`,
		})}
		FROM compared d CROSS JOIN commissions m ON m.program_id = d.program_id AND m.created_day = d.day
			CROSS JOIN affiliate_sale_events s ON s.id = m.sale_id AND s.duplicate_of_sale_id IS NULL
		GROUP BY d.program_id, d.day, m.currency
		UNION ALL ${figures(CURRENCY, waiting)}
		FROM ${deltasOf(WAITING_OF_COMPARED)} WHERE ${DAY} = d.day AND ${IS_IN_TOTALS}
		UNION ALL ${figures(sql`kept.currency`, { clicks: sql`iif(d.is_retired, kept.clicks, 0)` })}
		FROM compared d CROSS JOIN daily_performance kept ON kept.program_id = d.program_id AND kept.day = d.day`;
}

function figures(currency: SQL, values: Partial<Record<Figure, SQL>>): SQL {
	return selectFigures(FIGURES, sql`d.program_id, d.day, ${currency} AS currency`, values);
}

function list(each: (figure: Figure) => string): SQL {
	return eachColumn(FIGURES, each);
}
