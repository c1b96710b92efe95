import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { GRACE_MS } from '../domain/run.ts';
import { sendRun } from './send-run.ts';

const Rows = z.array(z.object({ id: z.number(), programId: z.number() }));

/** Continues runs whose message was lost, whose consumer crashed or whose slice failed. Returns how many. */
export async function continueRuns(ctx: Context, limit: number): Promise<number> {
	const stuck = Rows.parse(
		await ctx.db.all(sql`
			SELECT id, program_id AS programId FROM runs INDEXED BY runs_one_at_a_time
			WHERE state = 'running' AND lease_until <= ${ctx.now - GRACE_MS} LIMIT ${limit}`),
	);
	for (const run of stuck) await sendRun(ctx, run);
	return stuck.length;
}
