import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { type Statement, violates, write } from '../db/client.ts';
import { runs } from '../db/schema/runs.ts';
import type { AuditAction } from '../domain/people/audit-action.ts';
import { conflict } from '../domain/rejection.ts';
import type { RunKind } from '../domain/run.ts';
import { type Run, runOf, selectRuns } from './run.ts';
import { sendRun } from './send-run.ts';

export interface NewRun {
	readonly kind: RunKind;
	/** Its fields depend on the kind. A search text is always in `search`. */
	readonly selection: object;
	readonly expectedCount: number;
	readonly audited: { readonly action: AuditAction; readonly detail: Record<string, unknown> };
}

/** The first slice runs after the response. Rejects with 409 if the program has a running one of this kind. */
export async function startRun(ctx: Context, program: ManagedProgram, run: NewRun): Promise<Run> {
	const operation = crypto.randomUUID();
	const newest = sql<number>`(SELECT max(id) FROM runs WHERE program_id = ${program.id})`;
	const audited = auditProgram(ctx, program, { ...run.audited, subjectId: newest });
	const started = await startOnce(ctx, program, { kind: run.kind, operation }, async () => {
		const answer = await write(ctx.db, [insertRun(ctx, program, run, operation), audited], {
			started: selectRuns(ctx, program.id, eq(runs.id, newest)),
		});
		return answer.started[0];
	});
	ctx.defer(sendRun(ctx, started));
	return runOf(started);
}

type Row = Awaited<ReturnType<typeof selectRuns>>[number];

/** If D1's response was lost after the commit, the batch is sent again and finds this run in progress. */
async function startOnce(
	ctx: Context,
	program: ManagedProgram,
	{ kind, operation }: { readonly kind: RunKind; readonly operation: string },
	start: () => Promise<Row | undefined>,
): Promise<Row> {
	try {
		const started = await start();
		if (started) return started;
	} catch (error) {
		if (!violates(error, 'runs.program_id')) throw error;
		const [underWay] = await selectRuns(ctx, program.id, sql`${runs.kind} = ${kind} AND ${runs.state} = 'running'`).limit(1);
		if (underWay?.opId === operation) return underWay;
	}
	throw conflict(UNDER_WAY[kind]);
}

const UNDER_WAY: Readonly<Record<RunKind, string>> = {
	pay: 'A pay run of this program is in progress. Wait until it is done or stop it',
	approve: 'Commissions of this program are being approved. Wait until that run is done or stop it',
	reject: 'Commissions of this program are being rejected. Wait until that run is done or stop it',
};

function insertRun(ctx: Context, program: ManagedProgram, { kind, selection, expectedCount }: NewRun, operation: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO runs (program_id, kind, selection, until_id, expected_count, op_id, created_by, created_at, lease_until)
		VALUES (${program.id}, ${kind}, ${JSON.stringify(selection)}, (SELECT coalesce(max(id), 0) FROM commissions),
			${expectedCount}, ${operation}, ${program.actor.userId}, ${ctx.now}, ${ctx.now})`);
}
