import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { parseClickId } from '../domain/attribution/click-id.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { type ClickDay, type ClickFile, listClickFiles, readClickFile, type RetiredClick } from './click-files.ts';

/** The shortest time that clicks are kept: an attribution window of a day, and a week. */
const KEPT_AT_LEAST_MS = 8 * DAY_MS;

/** Whether a click is old enough to have been retired. Its id says when it was. */
export function mayBeRetired({ now }: Pick<Context, 'now'>, clickId: string): boolean {
	const click = parseClickId(clickId);
	return click !== undefined && click.clickedAt < now - KEPT_AT_LEAST_MS;
}

/**
 * The clicks among these ids that are in a program's files. One trip to the database, and none if no click is old enough. Rows of the same
 * clicks may still be in the table: then the row counts.
 */
export async function findRetiredClicks(ctx: Context, programId: number, clickIds: readonly string[]): Promise<RetiredClick[]> {
	const { clickFiles } = ctx;
	if (!clickFiles) return [];
	const found: RetiredClick[] = [];
	for (const { file, ids } of await filesOf(ctx, programId, clickIds)) {
		const clicks = (await readClickFile(clickFiles, file.key)) ?? [];
		found.push(...clicks.filter(({ clickId }) => ids.has(clickId)));
	}
	return found;
}

/** The files that may hold these clicks, each with the ids to look for. */
export async function filesOf(
	ctx: Context,
	programId: number,
	clickIds: readonly string[],
): Promise<{ readonly file: ClickFile; readonly ids: ReadonlySet<string> }[]> {
	const { clickFiles } = ctx;
	const old = clickIds.filter((clickId) => mayBeRetired(ctx, clickId));
	if (!clickFiles || old.length === 0) return [];
	const timeZone = await timeZoneOf(ctx, programId);
	const files = [];
	for (const [day, ids] of byDay(old, timeZone)) {
		for (const file of await listClickFiles(clickFiles, { programId, day })) {
			const within = ids.filter((id) => isWithin(file, id));
			if (within.length > 0) files.push({ file, ids: new Set(within) });
		}
	}
	return files;
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
