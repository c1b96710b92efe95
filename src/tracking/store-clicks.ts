import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { runBatch, type Statement } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/tracking.ts';
import type { ClickJob } from '../job.ts';

/** D1 takes 2 MB in a parameter, and a click, every character of it escaped, is at most some 32 KB of JSON. */
const ROWS_PER_STATEMENT = 50;

/** Writes clicks in bulk, in one trip. A click that is stored already, from an earlier delivery, stays as it is. */
export async function storeClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<void> {
	const starts = Array.from({ length: Math.ceil(jobs.length / ROWS_PER_STATEMENT) }, (_, index) => index * ROWS_PER_STATEMENT);
	await runBatch(
		ctx.db,
		starts.map((start) => insertClicks(ctx, jobs.slice(start, start + ROWS_PER_STATEMENT))),
	);
}

/** Writes a test click at once: its answer carries the id of the row. */
export async function storeTestClick(ctx: Context, job: ClickJob): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const [stored] = await ctx.db.insert(clicks).values(row).returning({ id: clicks.id });
	if (!stored) throw new Error('The test click was not stored');
	return stored.id;
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
