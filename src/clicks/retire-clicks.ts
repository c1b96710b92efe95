import { and, eq, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { RETIREMENT_LEASE_MS } from '../domain/attribution/click-retention.ts';
import { addDays, dayOf, HOUR_MS, startOfDay } from '../domain/calendar.ts';
import { type RetiredClick, versionOfFile, writeClickFile } from './click-files.ts';
import { belongsToNobody, isClaimed, lastOf, lookForOldest, readSlice, type RetiringProgram } from './old-clicks.ts';

const CLICKS_PER_FILE = 10_000;
const CLICKS_PER_LOOK = 2_000;
const AGAIN_AFTER_FAULT_MS = HOUR_MS;

export interface RetirementLimits {
	readonly programs: number;
	readonly slices: number;
	/** After this many clicks, no further slice begins. */
	readonly clicks?: number;
	/** After this time, no further slice begins. */
	readonly ms?: number;
	/** Defaults to 10,000. */
	readonly clicksPerFile?: number;
	/** After this many clicks of customers, a slice notes how far it read. Defaults to 2,000. */
	readonly clicksPerLook?: number;
}

/** The number of retired clicks: 0 if somebody else changed something in the meantime. `passed` if all clicks read belong to customers. */
type SliceOutcome = number | 'passed' | 'failed' | 'over';

/**
 * Moves clicks that are older than their program's retention from the table into files, or deletes them if no bucket is bound. Clicks of
 * customers stay. Programs take turns, one slice each, those that have waited longest first. Returns the number of retired clicks.
 */
export async function retireClicks(ctx: Context, limits: RetirementLimits): Promise<number> {
	const hasRoom = roomOf(limits);
	const waiting = await claimDue(ctx, limits.programs);
	const served = new Set<RetiringProgram>();
	let [slices, retired] = [0, 0];
	while (hasRoom(slices, retired)) {
		const program = waiting.shift();
		if (!program) break;
		const outcome = await tryToRetire(ctx, program, limits);
		if (outcome === 'failed') await release(ctx, [program], ctx.now + AGAIN_AFTER_FAULT_MS);
		else if (outcome === 'over') await release(ctx, [program], nextDay(ctx, program));
		else {
			served.add(program);
			slices += 1;
			if (outcome === 0) await release(ctx, [program], ctx.now);
			else waiting.push(program);
			if (outcome !== 'passed') retired += outcome;
		}
	}
	// Programs without a turn come first in the next tick.
	const before = waiting.filter((program) => !served.has(program));
	await release(ctx, before, ctx.now - 1);
	await release(
		ctx,
		waiting.filter((program) => served.has(program)),
		ctx.now,
	);
	return retired;
}

function roomOf({ slices: most, clicks = Infinity, ms = Infinity }: RetirementLimits): (slices: number, retired: number) => boolean {
	const begun = Date.now();
	return (slices, retired) => slices < most && retired < clicks && Date.now() - begun < ms;
}

/** Claims the programs that have waited longest, for this tick alone. */
async function claimDue(ctx: Context, limit: number): Promise<RetiringProgram[]> {
	const due = await ctx.db.all<{ id: number }>(sql`
		SELECT id FROM programs WHERE retire_clicks_at <= ${ctx.now} ORDER BY retire_clicks_at, id LIMIT ${limit}`);
	if (due.length === 0) return [];
	const claimed = await ctx.db.all<RetiringProgram>(sql`
		UPDATE programs SET retire_clicks_at = ${ctx.now + RETIREMENT_LEASE_MS}
		WHERE id IN (SELECT value ->> 'id' FROM json_each(${JSON.stringify(due)})) AND retire_clicks_at <= ${ctx.now}
		RETURNING id, time_zone AS timeZone, click_retention_days AS retentionDays, retire_clicks_at AS retireClicksAt`);
	const places = new Map(due.map(({ id }, place) => [id, place]));
	return claimed.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/** Skips a program if its owner has changed the retention, or if another tick has claimed it. */
async function release(ctx: Context, claimed: readonly RetiringProgram[], next: number): Promise<void> {
	if (claimed.length === 0) return;
	await write(
		ctx.db,
		claimed.map((program) => ctx.db.update(programs).set({ retireClicksAt: next }).where(isStillClaimed(program))),
	);
}

/** For a change of the program itself. */
function isStillClaimed({ id, retentionDays, retireClicksAt }: RetiringProgram) {
	return and(eq(programs.id, id), eq(programs.clickRetentionDays, retentionDays), eq(programs.retireClicksAt, retireClicksAt));
}

function nextDay({ now }: Context, { timeZone }: RetiringProgram): number {
	return startOfDay(addDays(dayOf(now, timeZone), 1), timeZone);
}

/** A fault does not stop other programs. */
async function tryToRetire(ctx: Context, program: RetiringProgram, limits: RetirementLimits): Promise<SliceOutcome> {
	try {
		return await retireSlice(ctx, program, limits);
	} catch (error) {
		ctx.log({ level: 'error', event: 'clicks_not_retired', programId: program.id, ...describeFault(error) });
		return 'failed';
	}
}

/**
 * Retires one file of clicks of the oldest day that has some. The file is written before the rows are deleted, so that each click is always
 * in at least one place. If the tick ends in between, the next one writes the same file again. A tick that lost its claim may still run,
 * but it knows only the old version of the file: it can neither note anything nor replace the file.
 */
async function retireSlice(
	ctx: Context,
	program: RetiringProgram,
	{ clicksPerFile = CLICKS_PER_FILE, clicksPerLook = CLICKS_PER_LOOK }: RetirementLimits,
): Promise<SliceOutcome> {
	const { clickFiles } = ctx;
	const last = await lastOf(ctx, program);
	const look = await lookForOldest(ctx, program, last.from, clicksPerLook);
	if (look.oldest === null) {
		if (look.until === look.end) return 'over';
		await notePassed(ctx, program, look.until);
		return 'passed';
	}
	const day = dayOf(look.oldest, program.timeZone);
	const of = { programId: program.id, day };
	const number = day === last.day ? last.files : 0;
	// Read before the rows: anybody who writes the file later has read them later.
	const version = clickFiles ? await versionOfFile(clickFiles, of, number) : null;
	const { rows, passed, until } = await readSlice(ctx, program, { day, from: look.oldest, most: clicksPerFile, mostPassed: clicksPerLook });
	if (rows.length === 0) return 0;
	const bytes = clickFiles ? await writeClickFile(clickFiles, of, { number, version, clicks: rows }) : 0;
	if (bytes === undefined) return 0;
	const [files, deleted] = clickFiles ? [number + 1, 0] : [number, rows.length];
	const retired = await deleteRetired(ctx, program, { day, files, bytes, rows, deleted });
	// Otherwise each slice of this day would pass over the same clicks again.
	if (retired > 0 && passed >= clicksPerLook) await notePassed(ctx, program, until);
	return retired;
}

/** The next tick need not pass over the same clicks of customers. A late click before this instant stays in the table. */
async function notePassed(ctx: Context, program: RetiringProgram, until: number): Promise<void> {
	const oldClicksFrom = sql`max(${programs.oldClicksFrom}, ${until})`;
	await write(ctx.db, [ctx.db.update(programs).set({ oldClicksFrom }).where(isStillClaimed(program))]);
}

interface Slice {
	readonly day: string;
	/** Including this one. */
	readonly files: number;
	readonly bytes: number;
	readonly rows: readonly RetiredClick[];
	/** The rows that are in no file. */
	readonly deleted: number;
}

/**
 * Notes the day and deletes the rows in one batch; the roll-up no longer counts this day's clicks. Does nothing unless the rows are
 * unchanged: if a click was erased or got a customer, the file is written again without it. Sending the batch twice is safe.
 */
async function deleteRetired(ctx: Context, program: RetiringProgram, { day, files, bytes, rows, deleted }: Slice): Promise<number> {
	const ids = JSON.stringify(rows.map(({ clickId }) => clickId));
	const unchanged = sql`(
		SELECT count(*) FROM affiliate_click_events e
		WHERE e.click_id IN (SELECT value FROM json_each(${ids})) AND ${belongsToNobody(sql`e.click_id`)})`;
	const { gone } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				INSERT INTO retired_click_days (program_id, day, clicks, files, bytes, retired_at, deleted)
				SELECT ${program.id}, ${day}, ${rows.length}, ${files}, ${bytes}, ${ctx.now}, ${deleted}
				WHERE ${isClaimed(program)} AND ${unchanged} = ${rows.length}
				ON CONFLICT (program_id, day) DO UPDATE SET clicks = clicks + excluded.clicks, files = excluded.files,
					bytes = bytes + excluded.bytes, retired_at = excluded.retired_at, deleted = deleted + excluded.deleted`),
			ctx.db.run(sql`
				DELETE FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(iif(changes() > 0, ${ids}, '[]')))`),
		],
		{ gone: ctx.db.select({ clicks: sql<number>`changes()` }).from(sql`(SELECT 1)`) },
	);
	return gone[0]?.clicks ?? 0;
}
