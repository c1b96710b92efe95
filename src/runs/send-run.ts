import { type Context, describeFault } from '../context.ts';

/** Requests the next slice. If the message is lost, cron continues the run. */
export async function sendRun(ctx: Context, { id, programId }: { readonly id: number; readonly programId: number }): Promise<void> {
	try {
		await ctx.effects.send({ version: 1, kind: 'run', programId, runId: id });
	} catch (error) {
		ctx.log({ level: 'warn', event: 'run_not_sent', runId: id, ...describeFault(error) });
	}
}
