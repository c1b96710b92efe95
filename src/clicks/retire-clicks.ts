import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { read, write } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { programs } from '../db/schema/programs.ts';
import { RETIREMENT_LEASE_MS } from '../domain/attribution/click-retention.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, startOfDay } from '../domain/calendar.ts';
import { type ClickDay, type RetiredClick, versionOfFile, writeClickFile } from './click-files.ts';

const CLICKS_PER_FILE = 10_000;
/** A Worker has 128 MB of memory, and a file is held in it several times. */
const CHARACTERS_PER_FILE = 8_000_000;
/** A file ends with the read that fills it. A click may have 13,000 characters, so this adds 6.5 million at most. */
const CLICKS_PER_READ = 500;
const AGAIN_AFTER_FAULT_MS = HOUR_MS;

/** How much one tick does: how many programs it checks, and how many slices of clicks it retires. */
export interface RetirementLimits {
	readonly programs: number;
	readonly slices: number;
	/** Defaults to 10,000. */
	readonly clicksPerFile?: number;
}

interface RetiringProgram {
	readonly id: number;
	readonly timeZone: string;
	readonly retentionDays: number;
	/** As the claim set it: nobody else has claimed the program while it stays. */
	readonly retireClicksAt: number;
}

/** The number of clicks retired: 0 if somebody else has changed something meanwhile. */
type SliceOutcome = number | 'failed' | 'over';

/**
 * Retires clicks that are older than their program's retention period: moves them from the table into files, or deletes them if no bucket
 * is bound. Clicks of customers stay. Programs take turns, and those that have waited longest come first. Returns how many clicks it
 * retired.
 */
export async function retireClicks(
	ctx: Context,
	{ programs: most, slices, clicksPerFile = CLICKS_PER_FILE }: RetirementLimits,
): Promise<number> {
	const waiting = await claimDue(ctx, most);
	let [left, retired] = [slices, 0];
	for (let program = waiting.shift(); program; program = waiting.shift()) {
		if (left === 0) {
			await release(ctx, program, ctx.now);
			continue;
		}
		const outcome = await tryToRetire(ctx, program, clicksPerFile);
		if (outcome === 'failed') await release(ctx, program, ctx.now + AGAIN_AFTER_FAULT_MS);
		else if (outcome === 'over') await release(ctx, program, nextDay(ctx, program));
		else {
			if (outcome === 0) await release(ctx, program, ctx.now);
			else waiting.push(program);
			left -= 1;
			retired += outcome;
		}
	}
	return retired;
}

/** Takes programs for this tick alone. */
async function claimDue(ctx: Context, limit: number): Promise<RetiringProgram[]> {
	return ctx.db.all<RetiringProgram>(sql`
		UPDATE programs SET retire_clicks_at = ${ctx.now + RETIREMENT_LEASE_MS} WHERE id IN (
			SELECT id FROM programs WHERE retire_clicks_at <= ${ctx.now} ORDER BY retire_clicks_at LIMIT ${limit})
		RETURNING id, time_zone AS timeZone, click_retention_days AS retentionDays, retire_clicks_at AS retireClicksAt`);
}

/** Unless an owner has changed the retention meanwhile, or another tick has claimed the program since. */
async function release(ctx: Context, { id, retentionDays, retireClicksAt }: RetiringProgram, next: number): Promise<void> {
	await write(ctx.db, [
		ctx.db
			.update(programs)
			.set({ retireClicksAt: next })
			.where(and(eq(programs.id, id), eq(programs.clickRetentionDays, retentionDays), eq(programs.retireClicksAt, retireClicksAt))),
	]);
}

function nextDay({ now }: Context, { timeZone }: RetiringProgram): number {
	return startOfDay(addDays(dayOf(now, timeZone), 1), timeZone);
}

/** A fault does not stop other programs. */
async function tryToRetire(ctx: Context, program: RetiringProgram, most: number): Promise<SliceOutcome> {
	try {
		return await retireSlice(ctx, program, most);
	} catch (error) {
		ctx.log({ level: 'error', event: 'clicks_not_retired', programId: program.id, ...describeFault(error) });
		return 'failed';
	}
}

/**
 * Retires a file's worth of clicks of the oldest day that has some. The file is written before the rows are deleted, so that a click that is
 * in neither place cannot exist. If the tick ends in between, the next one writes the same file again. A tick that has lost its claim may
 * still be running: it can neither note anything nor replace a file, because it knows only the file's version of before.
 */
async function retireSlice(ctx: Context, program: RetiringProgram, most: number): Promise<SliceOutcome> {
	const { clickFiles } = ctx;
	const [last] = await ctx.db.all<{ day: string; files: number }>(sql`
		SELECT day, files FROM retired_click_days WHERE program_id = ${program.id} ORDER BY day DESC LIMIT 1`);
	const day = await oldestDay(ctx, program, last?.day);
	if (day === undefined) return 'over';
	const of = { programId: program.id, day };
	const number = day === last?.day ? last.files : 0;
	// Before the rows are read: whoever writes the file after that has read them later.
	const version = clickFiles ? await versionOfFile(clickFiles, of, number) : null;
	const rows = await readSlice(ctx, program, day, most);
	if (rows.length === 0) return 0;
	const bytes = clickFiles ? await writeClickFile(clickFiles, of, { number, version, clicks: rows }) : 0;
	return bytes === undefined ? 0 : deleteRetired(ctx, program, { day, files: number + (clickFiles ? 1 : 0), bytes, rows });
}

/** The day of the oldest click that may go. Days before the last retired one have none left. */
async function oldestDay(ctx: Context, program: RetiringProgram, lastDay: string | undefined): Promise<string | undefined> {
	const { id, timeZone, retentionDays } = program;
	const from = lastDay === undefined ? 0 : startOfDay(lastDay, timeZone);
	const end = startOfDay(dayOf(ctx.now - retentionDays * DAY_MS, timeZone), timeZone);
	const [oldest] = await ctx.db.all<{ day: string }>(sql`
		SELECT click_day AS day FROM ${clicks}
		WHERE program_id = ${id} AND clicked_at >= ${from} AND clicked_at < ${end} AND ${belongsToNobody(sql`${clicks.clickId}`)}
		ORDER BY clicked_at, id LIMIT 1`);
	return oldest?.day;
}

/** The first clicks of the day. None if another tick has claimed the program. */
async function readSlice(ctx: Context, program: RetiringProgram, day: ClickDay['day'], most: number): Promise<readonly RetiredClick[]> {
	const { id, timeZone } = program;
	const end = startOfDay(addDays(day, 1), timeZone);
	const rows: RetiredClick[] = [];
	let characters = 0;
	let position = { at: startOfDay(day, timeZone), id: 0 };
	while (rows.length < most && characters < CHARACTERS_PER_FILE) {
		const wanted = Math.min(CLICKS_PER_READ, most - rows.length);
		const { page } = await read(ctx.db, {
			page: ctx.db
				.select()
				.from(clicks)
				.where(
					sql`${clicks.programId} = ${id} AND (${clicks.clickedAt}, ${clicks.id}) > (${position.at}, ${position.id})
						AND ${clicks.clickedAt} < ${end} AND ${belongsToNobody(sql`${clicks.clickId}`)} AND ${isClaimed(program)}`,
				)
				.orderBy(clicks.clickedAt, clicks.id)
				.limit(wanted),
		});
		rows.push(...page);
		const lastRow = page.at(-1);
		if (!lastRow || page.length < wanted) break;
		characters += page.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
		position = { at: lastRow.clickedAt, id: lastRow.id };
	}
	return rows;
}

function belongsToNobody(clickId: SQL): SQL {
	return sql`NOT EXISTS (SELECT 1 FROM customers c WHERE c.click_id = ${clickId})`;
}

/** Whether this tick still has the program for itself, and the owner keeps clicks as long as before. */
function isClaimed({ id, retentionDays, retireClicksAt }: RetiringProgram): SQL {
	return sql`EXISTS (
		SELECT 1 FROM programs WHERE id = ${id} AND click_retention_days = ${retentionDays} AND retire_clicks_at = ${retireClicksAt})`;
}

interface Slice {
	readonly day: string;
	/** The number of the day's files, including this one. */
	readonly files: number;
	readonly bytes: number;
	readonly rows: readonly RetiredClick[];
}

/**
 * Notes the day and deletes the rows in one batch. From then on the roll-up no longer counts the day's clicks. Nothing happens unless the
 * rows are as they were read: if one was erased meanwhile or belongs to a customer, the file is written again without it. That also holds
 * if the batch is sent twice.
 */
async function deleteRetired(ctx: Context, program: RetiringProgram, { day, files, bytes, rows }: Slice): Promise<number> {
	const ids = JSON.stringify(rows.map(({ clickId }) => clickId));
	const unchanged = sql`(
		SELECT count(*) FROM affiliate_click_events e
		WHERE e.click_id IN (SELECT value FROM json_each(${ids})) AND ${belongsToNobody(sql`e.click_id`)})`;
	const { gone } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				INSERT INTO retired_click_days (program_id, day, clicks, files, bytes, retired_at)
				SELECT ${program.id}, ${day}, ${rows.length}, ${files}, ${bytes}, ${ctx.now}
				WHERE ${isClaimed(program)} AND ${unchanged} = ${rows.length}
				ON CONFLICT (program_id, day) DO UPDATE SET clicks = clicks + excluded.clicks, files = excluded.files,
					bytes = bytes + excluded.bytes, retired_at = excluded.retired_at`),
			ctx.db.run(sql`
				DELETE FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(iif(changes() > 0, ${ids}, '[]')))`),
		],
		{ gone: ctx.db.select({ clicks: sql<number>`changes()` }).from(sql`(SELECT 1)`) },
	);
	return gone[0]?.clicks ?? 0;
}
