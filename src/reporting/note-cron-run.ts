import type { Context } from '../context.ts';
import { cronRuns } from '../db/schema/health.ts';

/** The name of the job that runs every minute. */
export const TICK = 'tick';

/** Records that the cron job finished; the status warns if it stops. */
export async function noteCronRun(ctx: Context): Promise<undefined> {
	await ctx.db
		.insert(cronRuns)
		.values({ name: TICK, ranAt: ctx.now })
		.onConflictDoUpdate({ target: cronRuns.name, set: { ranAt: ctx.now } });
}
