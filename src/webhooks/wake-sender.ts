import { type Context, describeFault } from '../context.ts';
import { isAnyDue } from './claim-deliveries.ts';

/** Says that deliveries are due, now or in some seconds, without holding the answer. What is lost here, cron finds. */
export function wakeSender(ctx: Context, delaySeconds = 0): void {
	ctx.defer(tryWake(ctx, delaySeconds));
}

async function tryWake(ctx: Context, delaySeconds: number): Promise<void> {
	try {
		await ctx.webhooks.send({ version: 1, kind: 'webhooks' }, { delaySeconds });
	} catch (error) {
		ctx.log({ level: 'warn', event: 'webhooks_not_woken', ...describeFault(error) });
	}
}

/** For cron: what waited for its next attempt, and what no message told of. */
export async function wakeForDue(ctx: Context): Promise<undefined> {
	if (await isAnyDue(ctx)) await ctx.webhooks.send({ version: 1, kind: 'webhooks' });
}
