import { sql } from 'drizzle-orm';
import type { Bucket, Context } from '../context.ts';
import { parseClickId } from '../domain/attribution/click-id.ts';
import { isErasedName } from '../domain/attribution/customer-key.ts';
import { leastRetentionDays } from '../domain/attribution/click-retention.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { type ClickDay, type ClickFile, listClickFiles, readClickFile, type RetiredClick } from './click-files.ts';

/** The shortest retention, for an attribution window of a day. */
const KEPT_AT_LEAST_MS = leastRetentionDays(1) * DAY_MS;

/** Whether a click is old enough to have been retired. Its id contains its time. */
export function mayBeRetired({ now }: Pick<Context, 'now'>, clickId: string): boolean {
	const click = parseClickId(clickId);
	return click !== undefined && click.clickedAt < now - KEPT_AT_LEAST_MS;
}

/**
 * The retired clicks among these ids, from files that the database knows. After a restore there may be other files, whose clicks are in the
 * table again; if a click is in both, its row counts. Queries the database only if a click is old enough.
 */
export async function findRetiredClicks(ctx: Context, programId: number, clickIds: readonly string[]): Promise<RetiredClick[]> {
	return readClicks(ctx, await notedFilesOf(ctx, programId, clickIds));
}

/**
 * The ids whose clicks were retired into files, even if they were erased there. The file tells, because after the restore of an older
 * backup the note of the erasure is gone. Clicks that an earlier version erased have no hash; their link and time identify them, so another
 * click of the same link and millisecond is mistaken for them.
 */
export async function findRetiredIds(ctx: Context, programId: number, clickIds: readonly string[]): Promise<string[]> {
	const found: string[] = [];
	for (const { file, ids } of await notedFilesOf(ctx, programId, clickIds)) {
		const clicks = (await readClickFile(requireClickFiles(ctx), file.key)) ?? [];
		const filed = new Set(clicks.map(({ clickId }) => clickId));
		const erased = clicks.filter(({ clickId }) => isErasedName(clickId));
		const hashes = new Set(erased.flatMap(({ erasedHash }) => erasedHash ?? []));
		const places = new Set(erased.filter(({ erasedHash }) => erasedHash === undefined).map(placeOf));
		for (const id of ids) {
			const isHashed = hashes.size > 0 && (await ctx.secrets.erasedHashes(id)).some((hash) => hashes.has(hash));
			if (filed.has(id) || isHashed || places.has(placeOf(parseClickId(id)))) found.push(id);
		}
	}
	return found;
}

function placeOf(click: Pick<RetiredClick, 'referralLinkId' | 'clickedAt'> | undefined): string {
	return `${click?.referralLinkId} ${click?.clickedAt}`;
}

async function notedFilesOf(ctx: Context, programId: number, clickIds: readonly string[]): Promise<FileToSearch[]> {
	const days = await oldDaysOf(ctx, programId, clickIds);
	if (days.size === 0) return [];
	const noted = await ctx.db.all<{ day: string; files: number }>(sql`
		SELECT day, files FROM retired_click_days
		WHERE program_id = ${programId} AND files > 0 AND day IN (SELECT value FROM json_each(${JSON.stringify([...days.keys()])}))`);
	const known: FileToSearch[] = [];
	for (const { day, files } of noted) {
		const among = await filesOfDay(requireClickFiles(ctx), { programId, day }, days.get(day) ?? []);
		known.push(...among.filter(({ file }) => file.number < files));
	}
	return known;
}

/** Searches all files of the bucket. Throws if the program has files but no bucket is bound. */
export async function findClicksInFiles(ctx: Context, programId: number, clickIds: readonly string[]): Promise<RetiredClick[]> {
	return readClicks(ctx, await filesOf(ctx, programId, clickIds));
}

export interface FileToSearch {
	readonly file: ClickFile;
	readonly ids: ReadonlySet<string>;
}

/**
 * The files of the bucket that may contain these clicks, including those that a restored database does not know. Throws if the program has
 * files but no bucket is bound.
 */
export async function filesOf(ctx: Context, programId: number, clickIds: readonly string[]): Promise<FileToSearch[]> {
	const days = await oldDaysOf(ctx, programId, clickIds);
	// If a bucket is bound, it may have files that the database does not know.
	if (days.size === 0 || !(ctx.clickFiles || (await hasClickFiles(ctx, programId)))) return [];
	const files = [];
	for (const [day, ids] of days) files.push(...(await filesOfDay(requireClickFiles(ctx), { programId, day }, ids)));
	return files;
}

/** Whether the database knows files of the program. */
export async function hasClickFiles({ db }: Context, programId: number): Promise<boolean> {
	const noted = await db.all(sql`SELECT 1 FROM retired_click_days WHERE program_id = ${programId} AND files > 0 LIMIT 1`);
	return noted.length > 0;
}

export function requireClickFiles({ clickFiles }: Pick<Context, 'clickFiles'>): Bucket {
	if (!clickFiles) throw new Error('Old clicks are in files, but no bucket is bound as CLICK_FILES');
	return clickFiles;
}

async function filesOfDay(bucket: Bucket, day: ClickDay, clickIds: readonly string[]): Promise<FileToSearch[]> {
	const files = (await listClickFiles(bucket, day)).map((file) => ({ file, ids: new Set(clickIds.filter((id) => isWithin(file, id))) }));
	return files.filter(({ ids }) => ids.size > 0);
}

async function readClicks(ctx: Context, files: readonly FileToSearch[]): Promise<RetiredClick[]> {
	const found: RetiredClick[] = [];
	for (const { file, ids } of files) {
		const clicks = (await readClickFile(requireClickFiles(ctx), file.key)) ?? [];
		found.push(...clicks.filter(({ clickId }) => ids.has(clickId)));
	}
	return found;
}

async function oldDaysOf(ctx: Context, programId: number, clickIds: readonly string[]): Promise<Map<ClickDay['day'], string[]>> {
	const old = clickIds.filter((clickId) => mayBeRetired(ctx, clickId));
	return old.length === 0 ? new Map() : byDay(old, await timeZoneOf(ctx, programId));
}

async function timeZoneOf({ db }: Context, programId: number): Promise<string> {
	const [program] = await db.all<{ timeZone: string }>(sql`SELECT time_zone AS timeZone FROM programs WHERE id = ${programId}`);
	if (!program) throw new Error('The program of a click does not exist');
	return program.timeZone;
}

function byDay(clickIds: readonly string[], timeZone: string): Map<ClickDay['day'], string[]> {
	const days = new Map<string, string[]>();
	for (const clickId of clickIds) {
		const day = dayOf(timeOf(clickId), timeZone);
		days.set(day, [...(days.get(day) ?? []), clickId]);
	}
	return days;
}

function isWithin({ from, until }: ClickFile, clickId: string): boolean {
	const at = timeOf(clickId);
	return at >= from && at <= until;
}

function timeOf(clickId: string): number {
	return parseClickId(clickId)?.clickedAt ?? 0;
}
