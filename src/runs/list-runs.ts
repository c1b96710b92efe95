import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { runs } from '../db/schema/runs.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import type { RunKind, RunState } from '../domain/run.ts';
import { type Run, runOf, selectRuns } from './run.ts';

export interface RunsRequest extends PageRequest {
	readonly kind?: RunKind | undefined;
	readonly state?: RunState | undefined;
}

/** Newest first. */
export async function listRuns(ctx: Context, program: { readonly id: number }, request: RunsRequest): Promise<Page<Run>> {
	const { kind, state } = request;
	const list = {
		order: newestFirst(runs.id),
		where: eq(runs.programId, program.id),
		filter: and(kind === undefined ? undefined : eq(runs.kind, kind), state === undefined ? undefined : eq(runs.state, state)),
	};
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) => selectRuns(ctx, program.id, isOnPage).limit(limit));
	return mapPage(page, runOf);
}

/** Rejects with 404. */
export async function readRun(ctx: Context, program: { readonly id: number }, runId: number): Promise<Run> {
	const [row] = await selectRuns(ctx, program.id, eq(runs.id, runId));
	if (!row) throw notFound('Run');
	return runOf(row);
}
