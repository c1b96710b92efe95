import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { affiliateClickEvents as clicks } from '../db/schema/tracking.ts';
import type { ClickJob } from '../job.ts';

/** D1 takes 2 MB in a parameter; clicks are at most some 8 KB each. */
const ROWS_PER_STATEMENT = 200;

/** Writes clicks in bulk. A click that is stored already, from an earlier delivery, stays as it is. */
export async function storeClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<void> {
	for (let start = 0; start < jobs.length; start += ROWS_PER_STATEMENT) {
		await ctx.db.run(insertClicks(jobs.slice(start, start + ROWS_PER_STATEMENT)));
	}
}

/** Writes a test click at once: its answer carries the id of the row. */
export async function storeTestClick(ctx: Context, job: ClickJob): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const [stored] = await ctx.db.insert(clicks).values(row).returning({ id: clicks.id });
	if (!stored) throw new Error('The test click was not stored');
	return stored.id;
}

function insertClicks(jobs: readonly ClickJob[]) {
	return sql`
		INSERT INTO affiliate_click_events (
			click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day,
			page_url, page_title, referrer_url, session_id, user_agent, language, timezone, country
		)
		SELECT value ->> 'clickId', value ->> 'programId', value ->> 'referralLinkId', value ->> 'isTest', value ->> 'isBot',
			value ->> 'clickedAt', value ->> 'clickDay', value ->> 'pageUrl', value ->> 'pageTitle', value ->> 'referrerUrl',
			value ->> 'sessionId', value ->> 'userAgent', value ->> 'language', value ->> 'timezone', value ->> 'country'
		FROM json_each(${JSON.stringify(jobs)}) WHERE true
		ON CONFLICT (click_id) DO NOTHING`;
}
