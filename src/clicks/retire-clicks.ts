import { and, eq, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { read, write } from '../db/client.ts';
import { affiliateClickEvents as clicks } from '../db/schema/clicks.ts';
import { programs } from '../db/schema/programs.ts';
import { RETIREMENT_LEASE_MS } from '../domain/attribution/click-retention.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, startOfDay } from '../domain/calendar.ts';
import { type RetiredClick, writeClickFile } from './click-files.ts';

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
}

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
	let retired = 0;
	for (let left = slices; waiting.length > 0;) {
		const [program] = waiting.splice(0, 1);
		if (!program) break;
		if (left <= 0) {
			await release(ctx, program, ctx.now);
			continue;
		}
		const clicksOfSlice = await tryToRetire(ctx, program, clicksPerFile);
		if (clicksOfSlice === undefined) await release(ctx, program, ctx.now + AGAIN_AFTER_FAULT_MS);
		else if (clicksOfSlice === 0) await release(ctx, program, nextDay(ctx, program));
		else {
			waiting.push(program);
			left -= 1;
		}
		retired += clicksOfSlice ?? 0;
	}
	return retired;
}

/** Claims programs for this tick alone, so that two ticks never write the same file. */
async function claimDue(ctx: Context, limit: number): Promise<RetiringProgram[]> {
	return ctx.db.all<RetiringProgram>(sql`
		UPDATE programs SET retire_clicks_at = ${ctx.now + RETIREMENT_LEASE_MS} WHERE id IN (
			SELECT id FROM programs WHERE retire_clicks_at <= ${ctx.now} ORDER BY retire_clicks_at LIMIT ${limit})
		RETURNING id, time_zone AS timeZone, click_retention_days AS retentionDays`);
}

/** If somebody has changed the retention in the meantime, the new one counts as soon as the lease ends. */
async function release(ctx: Context, { id, retentionDays }: RetiringProgram, next: number): Promise<void> {
	await write(ctx.db, [
		ctx.db
			.update(programs)
			.set({ retireClicksAt: next })
			.where(and(eq(programs.id, id), eq(programs.clickRetentionDays, retentionDays))),
	]);
}

function nextDay({ now }: Context, { timeZone }: RetiringProgram): number {
	return startOfDay(addDays(dayOf(now, timeZone), 1), timeZone);
}

/** Undefined after a fault, which does not stop other programs. */
async function tryToRetire(ctx: Context, program: RetiringProgram, most: number): Promise<number | undefined> {
	try {
		return await retireSlice(ctx, program, most);
	} catch (error) {
		ctx.log({ level: 'error', event: 'clicks_not_retired', programId: program.id, ...describeFault(error) });
		return undefined;
	}
}

/**
 * Retires a file's worth of clicks of the oldest day that has some. The file is written before the rows are deleted, so that no click is
 * ever missing from both places. If the tick ends in between, the next one writes the same file again.
 */
async function retireSlice(ctx: Context, program: RetiringProgram, most: number): Promise<number> {
	const [last] = await ctx.db.all<{ day: string; files: number }>(sql`
		SELECT day, files FROM retired_click_days WHERE program_id = ${program.id} ORDER BY day DESC LIMIT 1`);
	const { day, rows } = await readSlice(ctx, program, { lastDay: last?.day, most });
	if (day === undefined) return 0;
	const files = day === last?.day ? last.files : 0;
	const bytes = ctx.clickFiles ? await writeClickFile(ctx.clickFiles, { programId: program.id, day }, files, rows) : 0;
	return deleteRetired(ctx, program, { day, files: files + (ctx.clickFiles ? 1 : 0), bytes, rows });
}

/** The oldest clicks that may be retired, all of one day. Days before the last retired one have none left. */
async function readSlice(
	ctx: Context,
	program: RetiringProgram,
	{ lastDay, most }: { readonly lastDay: string | undefined; readonly most: number },
): Promise<{ readonly day: string | undefined; readonly rows: readonly RetiredClick[] }> {
	const { id, timeZone, retentionDays } = program;
	const end = startOfDay(dayOf(ctx.now - retentionDays * DAY_MS, timeZone), timeZone);
	const rows: RetiredClick[] = [];
	let characters = 0;
	let position = { at: lastDay === undefined ? 0 : startOfDay(lastDay, timeZone), id: 0 };
	while (rows.length < most && characters < CHARACTERS_PER_FILE) {
		const wanted = Math.min(CLICKS_PER_READ, most - rows.length);
		const { page } = await read(ctx.db, {
			page: ctx.db
				.select()
				.from(clicks)
				.where(
					sql`${clicks.programId} = ${id} AND (${clicks.clickedAt}, ${clicks.id}) > (${position.at}, ${position.id})
						AND ${clicks.clickedAt} < ${end} AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.click_id = ${clicks.clickId})`,
				)
				.orderBy(clicks.clickedAt, clicks.id)
				.limit(wanted),
		});
		const day = rows[0]?.clickDay ?? page[0]?.clickDay;
		const ofDay = page.filter(({ clickDay }) => clickDay === day);
		rows.push(...ofDay);
		const lastRow = ofDay.at(-1);
		if (!lastRow || ofDay.length < wanted) break;
		characters += ofDay.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
		position = { at: lastRow.clickedAt, id: lastRow.id };
	}
	return { day: rows[0]?.clickDay, rows };
}

interface Slice {
	readonly day: string;
	/** The number of the day's files, including this one. */
	readonly files: number;
	readonly bytes: number;
	readonly rows: readonly RetiredClick[];
}

/**
 * Records the day and deletes the rows in one batch, unless the owner has changed the retention in the meantime. From then on, the roll-up
 * no longer counts the day's clicks. A customer's click stays in the table as well. Nothing is recorded unless the table still has every
 * click: one may have been erased since it was read, and then the file is written again without the person. This also applies if the batch
 * is sent again.
 */
async function deleteRetired(ctx: Context, program: RetiringProgram, { day, files, bytes, rows }: Slice): Promise<number> {
	const ids = JSON.stringify(rows.map(({ clickId }) => clickId));
	const { noted } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				INSERT INTO retired_click_days (program_id, day, clicks, files, bytes, retired_at)
				SELECT id, ${day}, ${rows.length}, ${files}, ${bytes}, ${ctx.now} FROM programs
				WHERE id = ${program.id} AND click_retention_days = ${program.retentionDays}
					AND (SELECT count(*) FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(${ids}))) = ${rows.length}
				ON CONFLICT (program_id, day) DO UPDATE SET clicks = clicks + excluded.clicks, files = excluded.files,
					bytes = bytes + excluded.bytes, retired_at = excluded.retired_at`),
			ctx.db.run(sql`
				DELETE FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(iif(changes() > 0, ${ids}, '[]')))
					AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.click_id = affiliate_click_events.click_id)`),
		],
		{ noted: ctx.db.select({ days: programs.clickRetentionDays }).from(programs).where(eq(programs.id, program.id)) },
	);
	return noted[0]?.days === program.retentionDays ? rows.length : 0;
}
