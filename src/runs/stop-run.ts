import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { runs } from '../db/schema/runs.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { type Run, runOf, selectRuns } from './run.ts';
import { withoutTexts } from './work-run.ts';

/** Finished slices stay. Rejects with 404, and with 409 if the run has ended. */
export async function stopRun(ctx: Context, program: ManagedProgram, runId: number): Promise<Run> {
	const own = selectRuns(ctx, program.id, eq(runs.id, runId));
	const [found] = await own;
	if (!found) throw notFound('Run');
	if (found.state !== 'running') throw conflict(`Run ${runId} has already ended`);
	const { stopped } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				UPDATE runs SET state = 'stopped', finished_at = ${ctx.now}, revision = revision + 1, selection = ${withoutTexts()}
				WHERE id = ${runId} AND state = 'running'`),
			auditProgram(ctx, program, { action: 'run.stop', subjectId: runId, detail: { kind: found.kind } }),
		],
		{ stopped: own },
	);
	if (!stopped[0]) throw notFound('Run');
	return runOf(stopped[0]);
}
