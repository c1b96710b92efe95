import { type Context, describeFault } from '../context.ts';

/**
 * An event takes up to six trips to the database where it goes alone, and D1 answers 1,000 queries of one invocation: a delivery of
 * 50 messages (wrangler.toml) must stay below that.
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
