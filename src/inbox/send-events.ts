import { type Context, describeFault } from '../context.ts';

/**
 * D1 answers 1,000 queries of one invocation, and a delivery has up to 50 messages (wrangler.toml). An event takes two trips of its own,
 * three to five where it begins to wait; seven where others told of its payer too: should all of them do so, the last come again.
 */
const EVENTS_PER_MESSAGE = 3;

/** Sends events to be processed. Best-effort: what is lost here, the sweep sends, as the events are due in their rows. */
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
