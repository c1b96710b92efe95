import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { affiliateClickEvents as clicks } from '../db/schema/tracking.ts';
import type { ClickJob } from '../job.ts';

/** D1 takes 2 MB in a parameter, and a character is at most 3 bytes. A click is at most some 32,000 characters. */
const CHARACTERS_PER_STATEMENT = 600_000;

/** Writes clicks in bulk. A click that is stored already, from an earlier delivery, stays as it is. */
export async function storeClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<void> {
	for (const rows of chunksOf(jobs.map((job) => JSON.stringify(job)))) await ctx.db.run(insertClicks(rows));
}

/** Writes a test click at once: its answer carries the id of the row. */
export async function storeTestClick(ctx: Context, job: ClickJob): Promise<number> {
	const { version: _version, kind: _kind, ...row } = job;
	const [stored] = await ctx.db.insert(clicks).values(row).returning({ id: clicks.id });
	if (!stored) throw new Error('The test click was not stored');
	return stored.id;
}

function chunksOf(rows: readonly string[]): string[][] {
	const chunks: string[][] = [];
	let size = Infinity;
	for (const row of rows) {
		size += row.length + 1;
		if (size > CHARACTERS_PER_STATEMENT) {
			chunks.push([]);
			size = row.length + 2;
		}
		chunks.at(-1)?.push(row);
	}
	return chunks;
}

/** The rows are clicks, each as JSON. */
function insertClicks(rows: readonly string[]) {
	return sql`
		INSERT INTO affiliate_click_events (
			click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day,
			page_url, page_title, referrer_url, session_id, user_agent, language, timezone, country
		)
		SELECT value ->> 'clickId', value ->> 'programId', value ->> 'referralLinkId', value ->> 'isTest', value ->> 'isBot',
			value ->> 'clickedAt', value ->> 'clickDay', value ->> 'pageUrl', value ->> 'pageTitle', value ->> 'referrerUrl',
			value ->> 'sessionId', value ->> 'userAgent', value ->> 'language', value ->> 'timezone', value ->> 'country'
		FROM json_each(${`[${rows.join(',')}]`}) WHERE true
		ON CONFLICT (click_id) DO NOTHING`;
}
