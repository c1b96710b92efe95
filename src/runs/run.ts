import { and, desc, eq, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { runs } from '../db/schema/runs.ts';
import type { Counts } from '../domain/run.ts';

/** Work on everything that matches a selection, in slices (decision 64). */
export type Run = ReturnType<typeof runOf>;

/** One batch writes the slice and the run's progress. */
export interface Slice {
	readonly statements: readonly Statement[];
	/** Undefined after the last slice. */
	readonly cursor: string | undefined;
	/** Added to the run's counts. */
	readonly counts: Counts;
	/** Added to the run's sums: a query of `currency` and `cents` over the statements' rows. */
	readonly sums?: SQL | undefined;
	/** For the list of results. */
	readonly results: readonly RunResult[];
}

export interface RunResult {
	readonly outcome: string;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly detail: Counts;
}

export interface SliceTry {
	/** The op_id of everything that the slice writes. Outbox rows whose ids begin with it and a colon are sent after the commit. */
	readonly operation: string;
	/** Starts at 1. After a conflict, the next attempt should process less. */
	readonly attempt: number;
}

/** Writes nothing. */
export type PlanSlice = (ctx: Context, run: Run, attempt: SliceTry) => Promise<Slice>;

const Numbers = z.record(z.string(), z.number());

/** Newest first. */
export function selectRuns(ctx: Context, programId: number, condition?: SQL) {
	return ctx.db
		.select({
			id: runs.id,
			programId: runs.programId,
			kind: runs.kind,
			state: runs.state,
			selection: runs.selection,
			untilId: runs.untilId,
			cursor: runs.cursor,
			expectedCount: runs.expectedCount,
			counts: runs.counts,
			sums: runs.sums,
			opId: runs.opId,
			createdBy: runs.createdBy,
			creatorName: users.name,
			createdAt: runs.createdAt,
			finishedAt: runs.finishedAt,
			failureReason: runs.failureReason,
			failures: runs.failures,
			revision: runs.revision,
		})
		.from(runs)
		.innerJoin(users, eq(users.id, runs.createdBy))
		.where(and(eq(runs.programId, programId), condition))
		.orderBy(desc(runs.id));
}

/** The selection's format depends on the kind. */
export function runOf(row: Awaited<ReturnType<typeof selectRuns>>[number]) {
	const selection: unknown = JSON.parse(row.selection);
	return { ...row, selection, counts: Numbers.parse(JSON.parse(row.counts)), sums: Numbers.parse(JSON.parse(row.sums)) };
}
