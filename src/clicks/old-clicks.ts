import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { addDays, DAY_MS, dayOf, startOfDay } from '../domain/calendar.ts';
import type { ClickDay, RetiredClick } from './click-files.ts';

// Finds the clicks that may be retired. Each statement reads a bounded number of rows, even if all clicks belong to customers.

/** A Worker has 128 MB of memory and holds a file several times. */
const CHARACTERS_PER_FILE = 8_000_000;
/** A file ends with the read that fills it. A click may have 13,000 characters, so this adds at most 6.5 million. */
const CLICKS_PER_READ = 500;

export interface RetiringProgram {
	readonly id: number;
	readonly timeZone: string;
	readonly retentionDays: number;
	/** Set by the claim. While it stays, nobody else has claimed the program. */
	readonly retireClicksAt: number;
}

/** Whether this tick still holds the claim and the owner has not changed the retention. */
export function isClaimed({ id, retentionDays, retireClicksAt }: RetiringProgram): SQL {
	return sql`EXISTS (
		SELECT 1 FROM programs WHERE id = ${id} AND click_retention_days = ${retentionDays} AND retire_clicks_at = ${retireClicksAt})`;
}

export function belongsToNobody(clickId: SQL): SQL {
	return sql`NOT EXISTS (SELECT 1 FROM customers c WHERE c.click_id = ${clickId})`;
}

interface LastRetired {
	/** Undefined if no day was retired. */
	readonly day: string | undefined;
	readonly files: number;
	/** No earlier click may go, except late ones. */
	readonly from: number;
}

/** The last retired day, and where to look for further clicks. Days before it have none left. */
export async function lastOf({ db }: Context, { id, timeZone }: RetiringProgram): Promise<LastRetired> {
	const [last] = await db.all<{ day: string | null; files: number | null; passedUntil: number }>(sql`
		SELECT r.day AS day, r.files AS files, p.old_clicks_from AS passedUntil
		FROM programs p LEFT JOIN retired_click_days r
			ON r.program_id = p.id AND r.day = (SELECT max(day) FROM retired_click_days WHERE program_id = p.id)
		WHERE p.id = ${id}`);
	const { day, files, passedUntil = 0 } = last ?? {};
	return { day: day ?? undefined, files: files ?? 0, from: Math.max(day ? startOfDay(day, timeZone) : 0, passedUntil) };
}

interface Look {
	/** The time of the oldest click that may go. Null if there is none before `until`. */
	readonly oldest: number | null;
	/** The time up to which this read. */
	readonly until: number;
	/** The end of the last day that may be retired. */
	readonly end: number;
}

/** Reads up to `most` clicks to find the oldest that may go. */
export async function lookForOldest(ctx: Context, program: RetiringProgram, from: number, most: number): Promise<Look> {
	const { id, timeZone, retentionDays } = program;
	const end = startOfDay(dayOf(ctx.now - retentionDays * DAY_MS, timeZone), timeZone);
	const since = sql`program_id = ${id} AND clicked_at >= ${from}`;
	const [look] = await ctx.db.all<{ oldest: number | null; until: number }>(sql`
		WITH looked AS MATERIALIZED (
			SELECT coalesce((
				SELECT max(clicked_at, ${from + 1}) FROM affiliate_click_events
				WHERE ${since} AND clicked_at < ${end} ORDER BY clicked_at, id LIMIT 1 OFFSET ${most}), ${end}) AS until)
		SELECT until, (
			SELECT clicked_at FROM affiliate_click_events e
			WHERE ${since} AND clicked_at < until AND ${belongsToNobody(sql`e.click_id`)} ORDER BY clicked_at, id LIMIT 1) AS oldest
		FROM looked`);
	return { oldest: look?.oldest ?? null, until: look?.until ?? end, end };
}

interface SliceLimits {
	readonly day: ClickDay['day'];
	/** The time of the first click. */
	readonly from: number;
	readonly most: number;
	/** The most clicks of customers to pass over. */
	readonly mostPassed: number;
}

interface OldClicks {
	readonly rows: readonly RetiredClick[];
	/** How many clicks of customers were passed over. */
	readonly passed: number;
	/** The time of the last click that was read. */
	readonly until: number;
}

/** The day's first clicks that may go. Empty if another tick has claimed the program. */
export async function readSlice(ctx: Context, program: RetiringProgram, { day, from, most, mostPassed }: SliceLimits): Promise<OldClicks> {
	const end = startOfDay(addDays(day, 1), program.timeZone);
	const rows: RetiredClick[] = [];
	let [characters, passed] = [0, 0];
	let position = { at: from, id: 0 };
	while (rows.length < most && passed < mostPassed && characters < CHARACTERS_PER_FILE) {
		const wanted = Math.min(CLICKS_PER_READ, most - rows.length);
		const { page } = await read(ctx.db, {
			page: ctx.db
				.select({ ...getTableColumns(clicks), isFree: sql`${belongsToNobody(sql`${clicks.clickId}`)}`.mapWith(Boolean) })
				.from(clicks)
				.where(
					sql`${clicks.programId} = ${program.id} AND (${clicks.clickedAt}, ${clicks.id}) > (${position.at}, ${position.id})
						AND ${clicks.clickedAt} < ${end} AND ${isClaimed(program)}`,
				)
				.orderBy(clicks.clickedAt, clicks.id)
				.limit(wanted),
		});
		for (const { isFree, ...row } of page) {
			if (isFree) rows.push(row);
			else passed += 1;
		}
		const lastRow = page.at(-1);
		if (!lastRow) break;
		position = { at: lastRow.clickedAt, id: lastRow.id };
		if (page.length < wanted) break;
		characters += page.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
	}
	return { rows, passed, until: position.at };
}
