import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type ArchivePosition, formatArchivePosition, parseArchivePosition } from '../../../domain/reporting/archive-position.ts';
import { once } from '../../../once.ts';
import { type ArchivePage, archiveProgram } from '../../../privacy/archive-program.ts';
import type { AppEnv } from '../../app-env.ts';
import { QueryCount } from '../../fields.ts';
import { NextCursor } from '../../page.ts';
import { streamFile } from '../../stream-file.ts';
import { query } from '../../validate.ts';
import { fromPrimary } from '../../replica-reads.ts';
import { requireProgram } from '../session.ts';
import { rowOnWire } from '../stored-row.ts';

export const ArchiveQuery = once(() =>
	z.object({
		cursor: z.optional(NextCursor(parseArchivePosition)),
		limit: z.optional(QueryCount(5_000)),
	}),
);

/** /api/v1/programs/:id/archive */
export const archive = new Hono<AppEnv>().get('/', fromPrimary, requireProgram('owner'), query(ArchiveQuery), async (c) => {
	const { ctx, program } = c.var;
	const name = `program-${program.id}`;
	const pages = await archiveProgram(ctx, program, c.req.valid('query'));
	const headers = { 'Content-Type': 'application/x-ndjson', 'Content-Disposition': `attachment; filename="${name}.ndjson"` };
	return streamFile(c, { name, headers }, linesOf(pages));
});

/** The last line says where the archive continues. A file without it is incomplete. */
async function* linesOf(pages: AsyncGenerator<ArchivePage>): AsyncGenerator<string, undefined> {
	let next: ArchivePosition | null = null;
	for await (const page of pages) {
		next = page.next;
		if (page.rows.length > 0) yield page.rows.map((row) => lineOf(page.record, rowOnWire(row))).join('');
	}
	yield lineOf('end', { next_cursor: next && formatArchivePosition(next) });
}

function lineOf(record: ArchivePage['record'] | 'end', fields: object): string {
	return `${JSON.stringify({ record, ...fields })}\n`;
}
