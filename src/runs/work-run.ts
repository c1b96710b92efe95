import { eq, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { retryOnConflict, isRaced, refusedWith, type Statement, write } from '../db/client.ts';
import { runs } from '../db/schema/runs.ts';
import { outbox } from '../db/schema/work.ts';
import { addCounts, FAILURE_LIMIT, LEASE_MS, nextTryAt, type RunKind } from '../domain/run.ts';
import type { RunJob } from '../job.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { type PlanSlice, type Run, type RunResult, runOf, selectRuns, type Slice } from './run.ts';
import { sendRun } from './send-run.ts';

const MESSAGE_ROWS = 50;

/**
 * Processes one slice and requests the next. Of two consumers, only the one with the lease writes its slice. Cron retries a failed slice;
 * after several failures the run fails.
 */
export async function workRun(ctx: Context, { programId, runId }: RunJob, kinds: Readonly<Record<RunKind, PlanSlice>>): Promise<void> {
	const run = await takeLease(ctx, programId, runId);
	if (!run) return;
	try {
		if (await doSlice(ctx, run, kinds[run.kind])) await sendRun(ctx, run);
	} catch (error) {
		ctx.log({ level: 'error', event: 'run_slice_failed', runId, failures: run.failures + 1, ...describeFault(error) });
		await noteFailure(ctx, run);
	}
}

async function takeLease(ctx: Context, programId: number, runId: number): Promise<Run | undefined> {
	const take = ctx.db
		.update(runs)
		.set({ leaseUntil: ctx.now + LEASE_MS, revision: sql`${runs.revision} + 1` })
		.where(sql`${runs.id} = ${runId} AND ${runs.state} = 'running' AND ${runs.leaseUntil} <= ${ctx.now}`)
		.returning({ id: runs.id });
	const { taken, found } = await write(ctx.db, [], { taken: take, found: selectRuns(ctx, programId, eq(runs.id, runId)) });
	return taken.length > 0 && found[0] ? runOf(found[0]) : undefined;
}

/** Returns whether there is more work. */
async function doSlice(ctx: Context, run: Run, plan: PlanSlice): Promise<boolean> {
	const operation = crypto.randomUUID();
	return retryOnConflict(async (attempt) => {
		if (attempt > 1) {
			const [now] = await selectRuns(ctx, run.programId, sql`${runs.id} = ${run.id}`);
			// The run was stopped, continued elsewhere, or advanced by an attempt whose response was lost.
			if (now?.revision !== run.revision) return now?.state === 'running';
		}
		const slice = await plan(ctx, run, { operation, attempt });
		const { effects } = await write(ctx.db, [...slice.statements, ...resultsOf(ctx, run, slice.results), advance(ctx, run, slice)], {
			effects: selectEffects(ctx, run.programId, operation),
		});
		for (let start = 0; start < effects.length; start += MESSAGE_ROWS) {
			sendEffects(
				ctx,
				effects.slice(start, start + MESSAGE_ROWS).map(({ id }) => [run.programId, id]),
			);
		}
		return slice.cursor !== undefined;
	}, isOvertaken);
}

/** The rows have changed since the read, or the run has advanced. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || refusedWith(error, 'NOT NULL constraint failed');
}

/** The revision is null, which fails the batch, if the run has changed since the lease was taken. */
function advance(ctx: Context, run: Run, { cursor, counts, sums }: Slice): Statement {
	const isDone = cursor === undefined;
	const added = sums ?? sql`SELECT '' AS currency, 0 AS cents WHERE false`;
	return ctx.db.run(sql`
		UPDATE runs SET
			revision = iif(revision = ${run.revision}, revision + 1, NULL),
			cursor = ${cursor ?? null},
			counts = ${JSON.stringify(addCounts(run.counts, counts))},
			sums = (
				SELECT json_group_object(currency, cents) FROM (
					SELECT currency, sum(cents) AS cents FROM (
						SELECT key AS currency, value AS cents FROM json_each(${JSON.stringify(run.sums)}) UNION ALL SELECT currency, cents FROM (${added})
					) GROUP BY currency)),
			failures = 0,
			lease_until = ${ctx.now},
			state = ${isDone ? 'done' : 'running'},
			finished_at = ${isDone ? ctx.now : null},
			selection = ${isDone ? withoutTexts() : sql`selection`}
		WHERE id = ${run.id}`);
}

/** The texts may name a person, and a finished run does not need them. */
export function withoutTexts() {
	return sql`json_remove(selection, '$.search', '$.reason')`;
}

function resultsOf(ctx: Context, run: Run, results: readonly RunResult[]): Statement[] {
	if (results.length === 0) return [];
	const rows = JSON.stringify(
		results.map(({ outcome, partnerProgramId, currency, detail }) => [outcome, partnerProgramId, currency, JSON.stringify(detail)]),
	);
	return [
		ctx.db.run(sql`
			INSERT INTO run_results (run_id, outcome, partner_program_id, currency, detail)
			SELECT ${run.id}, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${rows})`),
	];
}

function selectEffects(ctx: Context, programId: number, operation: string) {
	return ctx.db
		.select({ id: outbox.id })
		.from(outbox)
		.where(sql`${outbox.programId} = ${programId} AND ${outbox.id} > ${`${operation}:`} AND ${outbox.id} < ${`${operation};`}`);
}

async function noteFailure(ctx: Context, run: Run): Promise<void> {
	const failures = run.failures + 1;
	const hasFailed = failures >= FAILURE_LIMIT;
	await write(ctx.db, [
		ctx.db.run(sql`
			UPDATE runs SET
				failures = ${failures},
				revision = revision + 1,
				lease_until = ${nextTryAt(ctx.now, failures)},
				state = ${hasFailed ? 'failed' : 'running'},
				finished_at = ${hasFailed ? ctx.now : null},
				failure_reason = ${hasFailed ? `Failed ${FAILURE_LIMIT} times in a row` : null},
				selection = ${hasFailed ? withoutTexts() : sql`selection`}
			WHERE id = ${run.id} AND revision = ${run.revision}`),
	]);
}
