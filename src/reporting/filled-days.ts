import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { STORED_DIMENSIONS } from '../domain/reporting/changed-figures.ts';
import { type ComparedDay, withCompared } from './compared-days.ts';

/** A day with events or daily rows. */
export interface FilledDay {
	/** The program's id. */
	readonly id: number;
	readonly day: string;
	/** Clicks, leads and sales in its daily rows. */
	readonly events: number;
	readonly hasCommissions: 0 | 1;
	/** Whether the program keeps sums of commissions. */
	readonly hasSums: 0 | 1;
	/** Whether it is the first day of a closed month. */
	readonly isMonth: 0 | 1;
}

const DIMENSIONS = JSON.stringify(STORED_DIMENSIONS);

/** Omits days without raw rows and daily rows, because those agree. Reads a few rows per day, however many events it has. */
export function selectFilled({ db }: Pick<Context, 'db'>, days: readonly ComparedDay[]) {
	return db.all<FilledDay>(sql`
		${withCompared(days)}
		SELECT d.program_id AS id, d.day, max(coalesce(d.events, 0), 0) AS events, d.hasCommissions, d.hasSums, d.isMonth
		FROM (
			SELECT *,
				(SELECT sum(clicks + leads + sales) FROM daily_performance kept WHERE kept.program_id = d.program_id AND kept.day = d.day) AS events,
				EXISTS (SELECT 1 FROM commissions m WHERE m.program_id = d.program_id AND m.created_day = d.day) AS hasCommissions,
				EXISTS (SELECT 1 FROM commission_sum_scopes scope WHERE scope.program_id = d.program_id) AS hasSums,
				iif(d.day LIKE '%-01', EXISTS (SELECT 1 FROM breakdown_months closed WHERE closed.program_id = d.program_id
					AND closed.dimension IN (SELECT value FROM json_each(${DIMENSIONS})) AND closed.month = substr(d.day, 1, 7)), 0) AS isMonth
			FROM compared d
		) AS d
		WHERE CASE
			WHEN d.events IS NOT NULL OR d.hasCommissions OR d.hasSums OR d.isMonth THEN 1
			WHEN EXISTS (SELECT 1 FROM affiliate_click_events c
				WHERE c.program_id = d.program_id AND c.clicked_at >= d.starts_at AND c.clicked_at < d.ends_at) THEN 1
			WHEN EXISTS (SELECT 1 FROM affiliate_lead_events e
				WHERE e.program_id = d.program_id AND e.created_at >= d.starts_at AND e.created_at < d.ends_at) THEN 1
			WHEN EXISTS (SELECT 1 FROM affiliate_sale_events s
				WHERE s.program_id = d.program_id AND s.created_at >= d.starts_at AND s.created_at < d.ends_at) THEN 1
			WHEN EXISTS (SELECT 1 FROM partner_programs m
				WHERE m.program_id = d.program_id AND m.created_at >= d.starts_at AND m.created_at < d.ends_at) THEN 1
			WHEN EXISTS (SELECT 1 FROM outbox o WHERE o.program_id = d.program_id) THEN 1
			ELSE EXISTS (SELECT 1 FROM daily_breakdown kept WHERE kept.program_id = d.program_id
				AND kept.dimension IN (SELECT value FROM json_each(${DIMENSIONS})) AND kept.day = d.day)
		END`);
}
