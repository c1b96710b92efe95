import type { Context } from '../context.ts';
import { cronRuns } from '../db/schema/health.ts';

/** The name under which the work of every minute is noted. */
export const TICK = 'tick';

/** Notes that timed work came to its end: a clock that stands still is seen in the status of every program. */
export async function noteCronRun(ctx: Context): Promise<undefined> {
	await ctx.db
		.insert(cronRuns)
		.values({ name: TICK, ranAt: ctx.now })
		.onConflictDoUpdate({ target: cronRuns.name, set: { ranAt: ctx.now } });
}
