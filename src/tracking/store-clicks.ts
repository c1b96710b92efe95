import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { runBatch, type Statement } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateClickEvents as clicks } from '../db/schema/tracking.ts';
import { dayOf } from '../domain/calendar.ts';
import { sourceOf } from '../domain/source.ts';
import type { ClickJob } from '../job.ts';
import { countClicks, type CountedClick } from './count-clicks.ts';

/** D1 takes 2 MB in a parameter, and a click, every character of it escaped, is at most some 32 KB of JSON. */
const ROWS_PER_STATEMENT = 50;

/** A click with its day, and the zone of it: the program's, which is fixed only once a click is stored. */
type DatedClick = ClickJob & CountedClick & { readonly programZone: string };

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
		...tellCustomers(ctx, dated),
	]);
}

/** Writes a test click at once: its answer carries the id of the row. */
export async function storeTestClick(ctx: Context, job: ClickJob, clickDay: string): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const [stored] = await ctx.db
		.insert(clicks)
		.values({ ...row, source: sourceOf(job.referrerUrl), clickDay })
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
		return { ...job, programZone, clickDay: dayOf(job.clickedAt, programZone), source: sourceOf(job.referrerUrl) };
	});
}

/**
 * The day is null, which the column refuses, where the time zone was changed since it was read: the delivery is tried again.
 * Materialized, as json_each writes its value as text anew each time that it is named.
 */
function insertClicks(ctx: Context, jobs: readonly DatedClick[]): Statement {
	return ctx.db.run(sql`
		INSERT INTO affiliate_click_events (
			click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day,
			page_url, page_title, referrer_url, session_id, user_agent, language, timezone, country, source
		)
		WITH delivered AS MATERIALIZED (SELECT value AS click FROM json_each(${JSON.stringify(jobs)}))
		SELECT click ->> 'clickId', click ->> 'programId', click ->> 'referralLinkId', click ->> 'isTest', click ->> 'isBot', click ->> 'clickedAt',
			(SELECT click ->> 'clickDay' FROM programs p WHERE p.id = click ->> 'programId' AND p.time_zone = click ->> 'programZone'),
			click ->> 'pageUrl', click ->> 'pageTitle', click ->> 'referrerUrl',
			click ->> 'sessionId', click ->> 'userAgent', click ->> 'language', click ->> 'timezone', click ->> 'country', click ->> 'source'
		FROM delivered WHERE true
		ON CONFLICT (click_id) DO NOTHING`);
}

/** Customers whose lead or sale came before their click's row take its country and source: all they have moves there with them. */
function tellCustomers(ctx: Context, jobs: readonly DatedClick[]): Statement[] {
	const telling = jobs
		.filter(({ isTest, country, source }) => !isTest && (country !== null || source !== null))
		.map(({ clickId }) => clickId);
	if (telling.length === 0) return [];
	return [
		ctx.db.run(sql`
			UPDATE customers SET country = stored.country, source = stored.source, revision = revision + 1
			FROM json_each(${JSON.stringify(telling)}) AS told CROSS JOIN affiliate_click_events AS stored
			WHERE customers.click_id = told.value AND stored.click_id = told.value
				AND (customers.country IS NOT stored.country OR customers.source IS NOT stored.source)`),
	];
}
