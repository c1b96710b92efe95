import { type Context, describeFault } from '../context.ts';
import { isAnyDue } from './claim-due.ts';
import type { Tables } from './delivery-channel.ts';

/** Says that deliveries are due, now or in some seconds, without holding the answer. What is lost here, cron finds. */
export function wakeSender(ctx: Context, channel: Tables['name'], delaySeconds = 0): void {
	ctx.defer(tryWake(ctx, channel, delaySeconds));
}

async function tryWake(ctx: Context, channel: Tables['name'], delaySeconds: number): Promise<void> {
	try {
		await ctx.webhooks.send({ version: 1, kind: 'webhooks', channel }, { delaySeconds });
	} catch (error) {
		ctx.log({ level: 'warn', event: 'sender_not_woken', channel, ...describeFault(error) });
	}
}

/** For cron: what waited for its next attempt, and what no message told of. */
export async function wakeForDue(ctx: Context, tables: Tables): Promise<undefined> {
	if (await isAnyDue(ctx, tables)) await ctx.webhooks.send({ version: 1, kind: 'webhooks', channel: tables.name });
}
