import { type Context, describeFault } from '../context.ts';

/**
 * D1 answers 1,000 queries per invocation, and a delivery has up to 50 messages (wrangler.toml). An event takes two trips, up to five if it
 * starts to wait, and seven if other events reported its payer. If all took seven, the last ones would be redelivered.
 */
const EVENTS_PER_MESSAGE = 3;

/** Best effort, because the sweep finds due events that get lost. */
export async function sendEvents(ctx: Context, ids: readonly number[]): Promise<void> {
	for (let start = 0; start < ids.length; start += EVENTS_PER_MESSAGE) {
		try {
			await ctx.effects.send({ version: 1, kind: 'processor_events', ids: ids.slice(start, start + EVENTS_PER_MESSAGE) });
		} catch (error) {
			ctx.log({ level: 'warn', event: 'processor_events_not_sent', events: ids.length - start, ...describeFault(error) });
			return;
		}
	}
}
