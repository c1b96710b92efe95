import { type SQL, sql } from 'drizzle-orm';
import { addDays, startOfDay } from '../domain/calendar.ts';
import { withProgram } from './waiting-deltas.ts';

export interface ProgramDays {
	readonly id: number;
	readonly timeZone: string;
}

/** A day whose daily rows are compared with the raw rows. */
export interface ComparedDay extends ProgramDays {
	readonly day: string;
}

/**
 * Defines the table `compared`, with a row `d` per day: its start and end, and whether its clicks are retired, so that raw rows no longer
 * show their number.
 */
export function withCompared(days: readonly ComparedDay[]): SQL {
	const values = days.map(({ id, timeZone, day }) => [id, day, startOfDay(day, timeZone), startOfDay(addDays(day, 1), timeZone)]);
	return sql`WITH compared AS MATERIALIZED (
		SELECT value ->> 0 AS program_id, value ->> 1 AS day, value ->> 2 AS starts_at, value ->> 3 AS ends_at,
			EXISTS (SELECT 1 FROM retired_click_days r WHERE r.program_id = value ->> 0 AND r.day = value ->> 1) AS is_retired
		FROM json_each(${JSON.stringify(values)}))`;
}

/** Whether customer `c` signed up on day `d`. */
export const SIGNED_UP = sql`${customersOf('affiliate_lead_events')} AND +c.signup_date = d.day`;

/** Whether customer `c` first bought on day `d`. */
export const FIRST_BOUGHT = sql`${customersOf('affiliate_sale_events')} AND +c.first_purchase_date = d.day AND +c.status = 'conversion'`;

/** Finds customers by id. `+` keeps SQLite from building an index of all customers. */
function customersOf(events: string): SQL {
	return sql`c.id IN (SELECT e.customer_id FROM ${sql.raw(events)} e
		WHERE e.program_id = d.program_id AND e.is_test = 0 AND e.created_at >= d.starts_at AND e.created_at < d.ends_at)`;
}

/** With the program `p` of each row. */
export const WAITING_OF_COMPARED = withProgram(sql`compared d CROSS JOIN outbox o ON o.program_id = d.program_id`);
