import { sql } from 'drizzle-orm';
import { type ClickDay, readNumberedFile, type RetiredClick } from '../clicks/click-files.ts';
import { requireClickFiles } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import type { ArchivePosition } from '../domain/reporting/archive-position.ts';

// Files are read after rows, so a click that is retired in between is never lost, but may appear twice.

/** `read` counts the clicks of the file that earlier pages returned. */
interface FilePosition {
	readonly day: ClickDay['day'];
	readonly number: number;
	readonly read: number;
}

/** More than a file has clicks. */
const POSITIONS_PER_FILE = 100_000;

export const START_OF_FILES: ArchivePosition = { record: 'click', key: '0000-00-00', id: 0 };

export function isInFiles({ record, key }: ArchivePosition): boolean {
	return record === 'click' && typeof key === 'string';
}

function filePositionOf({ key, id }: ArchivePosition): FilePosition {
	return { day: String(key), number: Math.floor(id / POSITIONS_PER_FILE), read: id % POSITIONS_PER_FILE };
}

function positionOf({ day, number, read }: FilePosition): ArchivePosition {
	return { record: 'click', key: day, id: number * POSITIONS_PER_FILE + read };
}

export interface ClickPage {
	readonly rows: readonly RetiredClick[];
	/** Null after the last file. */
	readonly next: ArchivePosition | null;
}

/** Reads a file once for all its pages. */
export function openClickFiles(ctx: Context, programId: number): (at: ArchivePosition, limit: number) => Promise<ClickPage> {
	let open: { readonly name: string; readonly clicks: readonly RetiredClick[] } | undefined;
	return async (at, limit) => {
		const from = filePositionOf(at);
		const file = await nextFile(ctx, programId, from);
		if (!file) return { rows: [], next: null };
		const name = `${file.day}/${file.number}`;
		if (open?.name !== name) open = { name, clicks: await clicksOf(ctx, { programId, day: file.day }, file.number) };
		const page = open.clicks.slice(file.read, file.read + limit);
		const isOver = file.read + limit >= open.clicks.length;
		const next = isOver ? { ...file, number: file.number + 1, read: 0 } : { ...file, read: file.read + limit };
		return { rows: await withoutRows(ctx, page), next: positionOf(next) };
	};
}

/** The file at the position, or the next one. Only files that the database knows: a restore may leave others. */
async function nextFile({ db }: Context, programId: number, { day, number, read }: FilePosition): Promise<FilePosition | undefined> {
	const [next] = await db.all<{ day: string }>(sql`
		SELECT day FROM retired_click_days
		WHERE program_id = ${programId} AND files > iif(day = ${day}, ${number}, 0) AND day >= ${day} ORDER BY day LIMIT 1`);
	if (!next) return undefined;
	return next.day === day ? { day, number, read } : { day: next.day, number: 0, read: 0 };
}

/** An operator may have deleted old files. */
async function clicksOf(ctx: Context, day: ClickDay, number: number): Promise<readonly RetiredClick[]> {
	const clicks = await readNumberedFile(requireClickFiles(ctx), day, number);
	if (!clicks) ctx.log({ level: 'warn', event: 'click_file_missing', ...day, number });
	return clicks ?? [];
}

/** The row of a click was archived before, and may be newer. */
async function withoutRows({ db }: Context, clicks: readonly RetiredClick[]): Promise<RetiredClick[]> {
	const ids = JSON.stringify(clicks.map(({ clickId }) => clickId));
	const stored = await db.all<{ clickId: string }>(sql`
		SELECT click_id AS clickId FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(${ids}))`);
	const known = new Set(stored.map(({ clickId }) => clickId));
	return clicks.filter(({ clickId }) => !known.has(clickId));
}
