import { and, asc, type SQL, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { hasClickFiles } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import { read, write } from '../db/client.ts';
import { NO_BUCKET } from '../domain/people/click-files.ts';
import { conflict } from '../domain/rejection.ts';
import { ARCHIVE_RECORDS, type ArchivePosition, type ArchiveRecord } from '../domain/reporting/archive-position.ts';
import { type ClickPage, isInFiles, openClickFiles, START_OF_FILES } from './archive-clicks.ts';
import { ARCHIVED_TABLES, type ArchivedTable } from './archived-tables.ts';

const PAGE_ROWS = 1_000;
/** D1 allows 1,000 statements per request. */
const PAGES = 240;
/** The most rows of all programs that a page searches if no index covers the program. */
const LOOKED_THROUGH = 5_000;

export interface ArchiveRequest {
	/** Undefined for the first part. */
	readonly cursor?: ArchivePosition | undefined;
	/** The most rows; undefined for as many as one request can read. */
	readonly limit?: number | undefined;
}

export interface ArchivePage {
	readonly record: ArchiveRecord;
	readonly rows: readonly object[];
	/** Null at the end. */
	readonly next: ArchivePosition | null;
}

/**
 * Reads a program's rows table by table, each page after the previous one was sent. Audits the export first. It has all rows that existed
 * when it began, but may lack later ones. Rejects with 409 if retired clicks cannot be read.
 */
export async function archiveProgram(ctx: Context, program: ManagedProgram, request: ArchiveRequest): Promise<AsyncGenerator<ArchivePage>> {
	if (!ctx.clickFiles && (await hasClickFiles(ctx, program.id))) throw conflict(NO_BUCKET);
	const detail = request.cursor ? { from: request.cursor.record } : {};
	await write(ctx.db, [auditProgram(ctx, program, { action: 'program.export', detail })]);
	return pagesOf(ctx, program.id, request);
}

async function* pagesOf(ctx: Context, programId: number, { cursor, limit = Infinity }: ArchiveRequest): AsyncGenerator<ArchivePage> {
	const readFiles = openClickFiles(ctx, programId);
	let at: ArchivePosition | null = cursor ?? startOf('program');
	let left = limit;
	for (let count = 1; at && left > 0 && count <= PAGES; count += 1) {
		const most = Math.min(left, PAGE_ROWS);
		const page: ArchivePage = isInFiles(at) ? pageOfFiles(await readFiles(at, most)) : await readPage(ctx, programId, at, most);
		yield page;
		left -= page.rows.length;
		at = page.next;
	}
}

async function readPage(ctx: Context, programId: number, at: ArchivePosition, limit: number): Promise<ArchivePage> {
	const archived = ARCHIVED_TABLES[at.record];
	const { table, columns, id, key, isOfProgram } = archived;
	const lastId = archived.isLookedThrough ? at.id + LOOKED_THROUGH : null;
	const { rows, ends } = await read(ctx.db, {
		rows: ctx.db
			.select({ ...columns })
			.from(table)
			.where(
				and(isOfProgram(programId, { after: at.id, limit }), isBehind(archived, at), lastId === null ? undefined : sql`${id} <= ${lastId}`),
			)
			.orderBy(...(key ? [asc(key)] : []), asc(id))
			.limit(limit),
		ends: lastId === null ? undefined : ctx.db.select({ id: sql<number | null>`max(${id})` }).from(table),
	});
	const { record } = at;
	const last = rows.at(-1);
	if (last && rows.length === limit) return { record, rows, next: positionOf(archived, record, last) };
	if (lastId !== null && lastId < (ends?.[0]?.id ?? 0)) return { record, rows, next: { record, key: null, id: lastId } };
	return { record, rows, next: record === 'click' ? START_OF_FILES : startAfter(record) };
}

function pageOfFiles({ rows, next }: ClickPage): ArchivePage {
	return { record: 'click', rows, next: next ?? startAfter('click') };
}

function startAfter(record: ArchiveRecord): ArchivePosition | null {
	const following = ARCHIVE_RECORDS[ARCHIVE_RECORDS.indexOf(record) + 1];
	return following === undefined ? null : startOf(following);
}

function startOf(record: ArchiveRecord): ArchivePosition {
	return { record, key: null, id: 0 };
}

function isBehind({ id, key }: ArchivedTable, at: ArchivePosition): SQL | undefined {
	if (key && at.key !== null) return sql`(${key}, ${id}) > (${at.key}, ${at.id})`;
	return key ? undefined : sql`${id} > ${at.id}`;
}

function positionOf({ columns, id, key }: ArchivedTable, record: ArchiveRecord, row: Readonly<Record<string, unknown>>): ArchivePosition {
	const valueOf = (column: typeof id | undefined) => row[Object.keys(columns).find((name) => columns[name] === column) ?? ''];
	const value = valueOf(key);
	return { record, key: typeof value === 'number' || typeof value === 'string' ? value : null, id: Number(valueOf(id)) };
}
