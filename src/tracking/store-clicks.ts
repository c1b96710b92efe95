import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { runBatch, type Statement } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateClickEvents as clicks } from '../db/schema/tracking.ts';
import { dayOf } from '../domain/calendar.ts';
import type { ClickJob } from '../job.ts';

/** D1 takes 2 MB in a parameter, and a click, every character of it escaped, is at most some 32 KB of JSON. */
const ROWS_PER_STATEMENT = 50;

/** A click with its day: of the program's time zone, which is fixed only once a click is stored. */
interface DatedClick extends ClickJob {
	readonly programZone: string;
	readonly clickDay: string;
}

/**
 * Writes clicks in bulk and counts them in their daily rows: a read of the time zones, and one write batch. A click that is
 * stored already, from an earlier delivery, stays as it is and is not counted again.
 */
export async function storeClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<void> {
	const dated = await dateClicks(ctx, jobs);
	const starts = Array.from({ length: Math.ceil(dated.length / ROWS_PER_STATEMENT) }, (_, index) => index * ROWS_PER_STATEMENT);
	await runBatch(ctx.db, [
		...countClicks(ctx, dated),
		...starts.map((start) => insertClicks(ctx, dated.slice(start, start + ROWS_PER_STATEMENT))),
	]);
}

/** Writes a test click at once: its answer carries the id of the row. */
export async function storeTestClick(ctx: Context, job: ClickJob, clickDay: string): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const [stored] = await ctx.db
		.insert(clicks)
		.values({ ...row, clickDay })
		.returning({ id: clicks.id });
	if (!stored) throw new Error('The test click was not stored');
	return stored.id;
}

async function dateClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<DatedClick[]> {
	const ids = [...new Set(jobs.map((job) => job.programId))];
	const found = await ctx.db
		.select({ id: programs.id, timeZone: programs.timeZone })
		.from(programs)
		.where(sql`${programs.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
	const zones = new Map(found.map(({ id, timeZone }) => [id, timeZone]));
	return jobs.map((job) => {
		const programZone = zones.get(job.programId) ?? 'UTC';
		return { ...job, programZone, clickDay: dayOf(job.clickedAt, programZone) };
	});
}

/** Moves the daily rows by what the delivery has new; before the insert, in its transaction. */
function countClicks(ctx: Context, jobs: readonly DatedClick[]): Statement[] {
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

/** The day is null, which the column refuses, where the time zone was changed since it was read: the delivery is tried again. */
function insertClicks(ctx: Context, jobs: readonly DatedClick[]): Statement {
	return ctx.db.run(sql`
		INSERT INTO affiliate_click_events (
			click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day,
			page_url, page_title, referrer_url, session_id, user_agent, language, timezone, country
		)
		SELECT value ->> 'clickId', value ->> 'programId', value ->> 'referralLinkId', value ->> 'isTest', value ->> 'isBot', value ->> 'clickedAt',
			(SELECT value ->> 'clickDay' FROM programs p WHERE p.id = value ->> 'programId' AND p.time_zone = value ->> 'programZone'),
			value ->> 'pageUrl', value ->> 'pageTitle', value ->> 'referrerUrl',
			value ->> 'sessionId', value ->> 'userAgent', value ->> 'language', value ->> 'timezone', value ->> 'country'
		FROM json_each(${JSON.stringify(jobs)}) WHERE true
		ON CONFLICT (click_id) DO NOTHING`);
}
