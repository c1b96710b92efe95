import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { ClickJob } from '../job.ts';

/** What of a click it is counted by. */
export interface CountedClick extends Pick<ClickJob, 'programId' | 'referralLinkId' | 'isTest' | 'isBot' | 'country'> {
	/** Of the program's time zone. */
	readonly clickDay: string;
	readonly source: string | null;
}

/**
 * Moves the daily rows by clicks that are new: to run in the transaction that inserts them, which fails where one of them is
 * stored already. Tests and bots are not counted. A write per row and delivery, as a trigger per click would cost too much.
 */
export function countClicks(ctx: Context, clicks: readonly CountedClick[]): Statement[] {
	const counted = clicks.filter(({ isTest, isBot }) => !isTest && !isBot);
	if (counted.length === 0) return [];
	const days = tally(counted, ({ programId, clickDay }) => [[programId, clickDay]]);
	const values = tally(counted, ({ programId, clickDay, referralLinkId, country, source }) => [
		// Whose the link is, the statement finds out.
		[programId, clickDay, 'partner', referralLinkId],
		[programId, clickDay, 'link', referralLinkId],
		[programId, clickDay, 'country', country ?? ''],
		[programId, clickDay, 'source', source ?? ''],
	]);
	return [
		ctx.db.run(sql`
			INSERT INTO daily_performance (program_id, day, currency, clicks)
			SELECT p.id, tally.value ->> 1, p.currency, tally.value ->> 2
			FROM json_each(${days}) AS tally JOIN programs p ON p.id = tally.value ->> 0 WHERE true
			ON CONFLICT (program_id, day, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
		ctx.db.run(sql`
			INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
			SELECT p.id, tally.value ->> 2, tally.value ->> 1,
				iif(tally.value ->> 2 = 'partner', coalesce((
					SELECT m.partner_id FROM referral_links l JOIN partner_programs m ON m.id = coalesce(l.partner_program_id, l.former_partner_program_id)
					WHERE l.id = tally.value ->> 3
				), ''), tally.value ->> 3),
				p.currency, tally.value ->> 4
			FROM json_each(${values}) AS tally JOIN programs p ON p.id = tally.value ->> 0 WHERE true
			ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
	];
}

/** The distinct keys of all clicks as JSON, each with how often it occurs at its end. */
function tally(clicks: readonly CountedClick[], keysOf: (click: CountedClick) => readonly (readonly (string | number)[])[]): string {
	const counts = new Map<string, number>();
	for (const key of clicks.flatMap(keysOf).map((parts) => JSON.stringify(parts))) counts.set(key, (counts.get(key) ?? 0) + 1);
	return `[${[...counts].map(([key, count]) => `${key.slice(0, -1)},${count}]`).join(',')}]`;
}
