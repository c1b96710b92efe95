import { env } from 'cloudflare:workers';
import { listClickFiles, readClickFile } from '../../../src/clicks/click-files.ts';
import { retireClicks } from '../../../src/clicks/retire-clicks.ts';
import { DAY_MS, dayOf } from '../../../src/domain/calendar.ts';
import { PROGRAM_ID } from '../../../testing/scale/size.ts';
import { contextAt, mintClickId } from '../../support/clock.ts';
import { NOW } from './filled.ts';

/** The window of the filled programs is 90 days. */
const RETENTION_DAYS = 97;
/** A day with a file of 10,000 clicks. It is younger than the days that the tick of the cron tests retires. */
const FULL_DAY = NOW - 92 * DAY_MS;
const FULL_DAY_RETIRED_AT = NOW + 10 * DAY_MS;
const CLICKS_OF_FULL_DAY = 10_000;

/** All programs keep clicks for 97 days, and the next tick begins to retire older ones. */
export async function retainClicks(): Promise<void> {
	await env.DB.prepare(`UPDATE programs SET click_retention_days = ${RETENTION_DAYS}, retire_clicks_at = 0`).run();
}

/** Retires a day with a full file. Returns the id of one of its clicks, which belongs to no customer. */
export async function aRetiredClick(): Promise<string> {
	const clickId = await mintClickId(1, { clickedAt: FULL_DAY });
	const day = dayOf(FULL_DAY, 'UTC');
	await env.DB.prepare(`DELETE FROM affiliate_click_events WHERE program_id = ${PROGRAM_ID} AND clicked_at < ?1
		AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.click_id = affiliate_click_events.click_id)`)
		.bind(FULL_DAY)
		.run();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CLICKS_OF_FULL_DAY})
		INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
		SELECT iif(i = 1, ?1, 'full-' || i), 900000 + i, ${PROGRAM_ID}, 1, 0, 0, ?2, ?3 FROM n`,
	)
		.bind(clickId, FULL_DAY, day)
		.run();
	await env.DB.prepare(`UPDATE programs SET retire_clicks_at = iif(id = ${PROGRAM_ID}, 0, ?1)`)
		.bind(NOW + 30 * DAY_MS)
		.run();
	await retireClicks(contextAt(FULL_DAY_RETIRED_AT), { programs: 1, slices: 20 });
	if (!(await textsOfRetired()).includes(clickId)) throw new Error('The click was not retired');
	return clickId;
}

export async function textsOfRetired(): Promise<string> {
	const files = await listClickFiles(env.CLICK_FILES, { programId: PROGRAM_ID, day: dayOf(FULL_DAY, 'UTC') });
	return JSON.stringify(await Promise.all(files.map(({ key }) => readClickFile(env.CLICK_FILES, key))));
}
