import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { runBatch, type Statement } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/tracking.ts';
import type { ClickJob } from '../job.ts';

/** D1 takes 2 MB in a parameter, and a click, every character of it escaped, is at most some 32 KB of JSON. */
const ROWS_PER_STATEMENT = 50;

/**
 * Writes clicks in bulk and counts them in their daily rows, in one trip. A click that is stored already, from an earlier
 * delivery, stays as it is and is not counted again.
 */
export async function storeClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<void> {
	const starts = Array.from({ length: Math.ceil(jobs.length / ROWS_PER_STATEMENT) }, (_, index) => index * ROWS_PER_STATEMENT);
	await runBatch(ctx.db, [
		...countClicks(ctx, jobs),
		...starts.map((start) => insertClicks(ctx, jobs.slice(start, start + ROWS_PER_STATEMENT))),
	]);
}

/** Writes a test click at once: its answer carries the id of the row. */
export async function storeTestClick(ctx: Context, job: ClickJob): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const [stored] = await ctx.db.insert(clicks).values(row).returning({ id: clicks.id });
	if (!stored) throw new Error('The test click was not stored');
	return stored.id;
}

/** Moves the daily rows by what the delivery has new; before the insert, in its transaction. */
function countClicks(ctx: Context, jobs: readonly ClickJob[]): Statement[] {
	const counted = jobs
		.filter((job) => !job.isTest && !job.isBot)
		.map(({ clickId, programId, clickDay }) => ({ clickId, programId, clickDay }));
	if (counted.length === 0) return [];
	return [
		ctx.db.run(sql`
			INSERT INTO daily_performance (program_id, day, currency, clicks)
			SELECT p.id, delivered.day, p.currency, count(DISTINCT delivered.click_id)
			FROM (
				SELECT value ->> 'clickId' AS click_id, value ->> 'programId' AS program_id, value ->> 'clickDay' AS day
				FROM json_each(${JSON.stringify(counted)})
			) AS delivered
			JOIN programs p ON p.id = delivered.program_id
			WHERE NOT EXISTS (SELECT 1 FROM affiliate_click_events stored WHERE stored.click_id = delivered.click_id)
			GROUP BY p.id, delivered.day
			ON CONFLICT (program_id, day, currency) DO UPDATE SET clicks = clicks + excluded.clicks`),
	];
}

function insertClicks(ctx: Context, jobs: readonly ClickJob[]): Statement {
	return ctx.db.run(sql`
		INSERT INTO affiliate_click_events (
			click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day,
			page_url, page_title, referrer_url, session_id, user_agent, language, timezone, country
		)
		SELECT value ->> 'clickId', value ->> 'programId', value ->> 'referralLinkId', value ->> 'isTest', value ->> 'isBot',
			value ->> 'clickedAt', value ->> 'clickDay', value ->> 'pageUrl', value ->> 'pageTitle', value ->> 'referrerUrl',
			value ->> 'sessionId', value ->> 'userAgent', value ->> 'language', value ->> 'timezone', value ->> 'country'
		FROM json_each(${JSON.stringify(jobs)}) WHERE true
		ON CONFLICT (click_id) DO NOTHING`);
}
