import { type Context, describeFault } from '../context.ts';
import { isAnyDue } from './claim-due.ts';
import type { Tables } from './delivery-channel.ts';

/** Sends the message after the response. If it is lost, cron finds the deliveries. */
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

/** Cron wakes the sender for retries and lost messages. */
export async function wakeForDue(ctx: Context, tables: Tables): Promise<undefined> {
	if (await isAnyDue(ctx, tables)) await ctx.webhooks.send({ version: 1, kind: 'webhooks', channel: tables.name });
}
