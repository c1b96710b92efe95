import { inArray, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import { GRACE_MS, WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import { sendEvents } from '../inbox/send-events.ts';

/**
 * Sends due events again. The next sweep skips them for a minute, later for as long as their age, up to an hour, so that a stopped queue is
 * not flooded. Returns how many.
 */
export async function sweepEvents(ctx: Context, limit: number): Promise<number> {
	const due = ctx.db
		.select({ id: processorEvents.id })
		.from(processorEvents)
		.where(lte(processorEvents.nextAttemptAt, ctx.now))
		.orderBy(processorEvents.nextAttemptAt, processorEvents.happenedAt)
		.limit(limit);
	const ageMs = sql`${ctx.now} - (${processorEvents.expiresAt} - ${WAIT_MS})`;
	const swept = await ctx.db
		.update(processorEvents)
		.set({
			nextAttemptAt: sql`${ctx.now} + min(max(${ageMs}, ${GRACE_MS}), ${HOUR_MS})`,
			revision: sql`${processorEvents.revision} + 1`,
		})
		.where(inArray(processorEvents.id, due))
		.returning({ id: processorEvents.id });
	await sendEvents(
		ctx,
		swept.map(({ id }) => id),
	);
	return swept.length;
}
