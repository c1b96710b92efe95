import type { Context } from '../context.ts';
import { cronRuns } from '../db/schema/health.ts';

/** The job that runs every minute. */
export const TICK = 'tick';

/** The status warns if cron stops. */
export async function noteCronRun(ctx: Context): Promise<undefined> {
	await ctx.db
		.insert(cronRuns)
		.values({ name: TICK, ranAt: ctx.now })
		.onConflictDoUpdate({ target: cronRuns.name, set: { ranAt: ctx.now } });
}
