import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { ClickJob } from '../job.ts';

/** What of a click it is counted by. */
export interface CountedClick extends Pick<ClickJob, 'clickId' | 'programId' | 'referralLinkId' | 'isTest' | 'isBot' | 'country'> {
	/** Of the program's time zone. */
	readonly clickDay: string;
	readonly source: string | null;
}

/**
 * Moves the daily rows by what the delivery has new: to run before the clicks are inserted, in the same transaction. Tests and
 * bots are not counted. In sets, as a trigger per row would cost too much.
 */
export function countClicks(ctx: Context, clicks: readonly CountedClick[]): Statement[] {
	// A delivery may hold a click twice.
	const counted = [...Map.groupBy(clicks, ({ clickId }) => clickId).values()]
		.flatMap((same) => same.slice(0, 1))
		.filter(({ isTest, isBot }) => !isTest && !isBot)
		.map(({ clickId, programId, referralLinkId, clickDay, country, source }) => [
			clickId,
			programId,
			clickDay,
			referralLinkId,
			country,
			source,
		]);
	if (counted.length === 0) return [];
	const delivered = sql`(
		SELECT value ->> 0 AS click_id, value ->> 1 AS program_id, value ->> 2 AS day, value ->> 3 AS link_id, value ->> 4 AS country, value ->> 5 AS source
		FROM json_each(${JSON.stringify(counted)})
	) AS delivered`;
	const isNew = sql`NOT EXISTS (SELECT 1 FROM affiliate_click_events stored WHERE stored.click_id = delivered.click_id)`;
	return [
		ctx.db.run(sql`
			INSERT INTO daily_performance (program_id, day, currency, clicks)
			SELECT p.id, delivered.day, p.currency, count(*)
			FROM ${delivered} JOIN programs p ON p.id = delivered.program_id
			WHERE ${isNew}
			GROUP BY p.id, delivered.day
			ON CONFLICT (program_id, day, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
		ctx.db.run(sql`
			INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
			SELECT p.id, dimension.value, delivered.day,
				coalesce(CASE dimension.value
					WHEN 'partner' THEN m.partner_id WHEN 'link' THEN l.id WHEN 'country' THEN delivered.country ELSE delivered.source END, '') AS counted_under,
				p.currency, count(*)
			FROM ${delivered} JOIN programs p ON p.id = delivered.program_id
			JOIN referral_links l ON l.id = delivered.link_id
			LEFT JOIN partner_programs m ON m.id = coalesce(l.partner_program_id, l.former_partner_program_id)
			JOIN json_each('["partner", "link", "country", "source"]') AS dimension
			WHERE ${isNew}
			GROUP BY p.id, dimension.value, delivered.day, counted_under
			ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
	];
}
