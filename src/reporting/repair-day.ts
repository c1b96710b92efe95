import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { addDays, startOfDay } from '../domain/calendar.ts';
import {
	CURRENCY,
	DAY,
	eachColumn,
	figureOf,
	IS_IN_TOTALS,
	MOVED_COLUMNS,
	deltasOf,
	selectFigures,
	withProgram,
} from './waiting-deltas.ts';

export interface ProgramDays {
	readonly id: number;
	readonly timeZone: string;
}

export const FIGURES = ['clicks', ...MOVED_COLUMNS] as const;
type Figure = (typeof FIGURES)[number];
export type DailyRow = Readonly<Record<Figure, number>> & { readonly currency: string };

/** Writes the day's rows that differ from the raw rows minus waiting deltas, and returns them. One statement. */
export function repairDay({ db }: Pick<Context, 'db'>, program: ProgramDays, day: string) {
	return db.all<DailyRow>(sql`
		INSERT INTO daily_performance (program_id, day, currency, ${list((figure) => figure)})
		SELECT ${program.id}, ${day}, derived.currency, ${list((figure) => `derived.${figure}`)}
		FROM (
			SELECT currency, ${list((figure) => `sum(${figure}) AS ${figure}`)}
			FROM (${rawFiguresOf(program, day)}) GROUP BY currency
		) AS derived
		LEFT JOIN daily_performance AS kept ON kept.program_id = ${program.id} AND kept.day = ${day} AND kept.currency = derived.currency
		WHERE (${list((figure) => `derived.${figure}`)}) <> (${list((figure) => `coalesce(kept.${figure}, 0)`)})
		ON CONFLICT (program_id, day, currency) DO UPDATE SET ${list((figure) => `${figure} = excluded.${figure}`)}
		RETURNING currency, ${list((figure) => figure)}`);
}

/**
 * The day's figures from the raw rows, without duplicates and waiting deltas, plus zeros for each daily row, because only these rows still
 * have the number of a retired day's clicks. Within D1's limit of five terms.
 */
function rawFiguresOf({ id, timeZone }: ProgramDays, day: string): SQL {
	const [start, end] = [startOfDay(day, timeZone), startOfDay(addDays(day, 1), timeZone)];
	const isRetired = isRetiredDay(id, day);
	const clicks = sql`SELECT count(*) FROM affiliate_click_events
		WHERE NOT ${isRetired} AND program_id = ${id} AND clicked_at >= ${start} AND clicked_at < ${end} AND click_day = ${day} AND is_test = 0 AND is_bot = 0`;
	const signups = sql`SELECT count(*) FROM customers c WHERE ${signedUp({ id, timeZone }, day)}`;
	const buyers = sql`SELECT count(*) FROM customers c WHERE ${firstBought({ id, timeZone }, day)}`;
	const partners = sql`SELECT count(*) FROM partner_programs
		WHERE program_id = ${id} AND created_at >= ${start} AND created_at < ${end} AND created_day = ${day}`;
	const waiting = Object.fromEntries(MOVED_COLUMNS.map((column) => [column, sql.raw(`-${figureOf(column)}`)]));
	return sql`
		${figures(sql`(SELECT currency FROM programs WHERE id = ${id})`, {
			clicks: sql`(${clicks})`,
			leads: sql`(${signups} AND status IN ('lead', 'conversion'))`,
			open_leads: sql`(${signups} AND status = 'lead')`,
			conversions: sql`(${buyers})`,
			partners: sql`(${partners})`,
		})}
		UNION ALL ${figures(sql`currency`, {
			sales: sql`count(*)`,
			revenue_cents: sql`sum(amount_cents)`,
			refunded_cents: sql`sum(refunded_cents)`,
		})}
		FROM affiliate_sale_events
		WHERE program_id = ${id} AND created_at >= ${start} AND created_at < ${end} AND sale_day = ${day} AND is_test = 0
			AND duplicate_of_sale_id IS NULL
		GROUP BY currency
		UNION ALL ${figures(sql`m.currency`, {
			commission_cents: sql`sum(m.amount_cents)`,
			deducted_cents: sql`sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents))`,
		})}
		FROM commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id
		WHERE m.program_id = ${id} AND m.created_day = ${day} AND s.duplicate_of_sale_id IS NULL GROUP BY m.currency
		UNION ALL ${figures(CURRENCY, waiting)}
		FROM ${deltasOf(withProgram(sql`outbox o`))} WHERE o.program_id = ${id} AND ${DAY} = ${day} AND ${IS_IN_TOTALS}
		UNION ALL ${figures(sql`currency`, { clicks: sql`iif(${isRetired}, clicks, 0)` })} FROM daily_performance WHERE program_id = ${id} AND day = ${day}`;
}

/** Whether clicks of the day have been retired, so that the remaining rows no longer show how many there were. */
export function isRetiredDay(programId: number, day: string): SQL {
	return sql`EXISTS (SELECT 1 FROM retired_click_days WHERE program_id = ${programId} AND day = ${day})`;
}

/** Whether the customer `c` signed up on the day, which is the day of its lead. */
export function signedUp(program: ProgramDays, day: string): SQL {
	return sql`c.id IN (${customersOf(sql`affiliate_lead_events`, program, day)}) AND c.signup_date = ${day}`;
}

/** Whether the customer `c` first bought on the day, which is the day of its conversion. */
export function firstBought(program: ProgramDays, day: string): SQL {
	return sql`c.id IN (${customersOf(sql`affiliate_sale_events`, program, day)}) AND c.first_purchase_date = ${day} AND c.status = 'conversion'`;
}

function customersOf(events: SQL, { id, timeZone }: ProgramDays, day: string): SQL {
	return sql`SELECT customer_id FROM ${events} WHERE program_id = ${id} AND is_test = 0
		AND created_at >= ${startOfDay(day, timeZone)} AND created_at < ${startOfDay(addDays(day, 1), timeZone)}`;
}

function figures(currency: SQL, values: Partial<Record<Figure, SQL>>): SQL {
	return selectFigures(FIGURES, sql`${currency} AS currency`, values);
}

function list(each: (figure: Figure) => string): SQL {
	return eachColumn(FIGURES, each);
}
