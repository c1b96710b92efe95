import { and, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import { conflict } from '../domain/rejection.ts';
import { sendEvents } from './send-events.ts';

/** Processes an event again without repeating earlier effects. Rejects with 409 if its body was purged. */
export async function reopenEvent(ctx: Context, id: number): Promise<void> {
	const reopened = await reopen(ctx, [id]);
	if (reopened.length === 0) throw conflict('The body of this event was purged, so it cannot be replayed');
	await sendEvents(ctx, [id]);
}

/** Makes events due again unless their body was purged. Returns those. */
export function reopen(ctx: Context, ids: readonly number[]) {
	return ctx.db
		.update(processorEvents)
		.set({
			state: 'received',
			reason: null,
			attempts: 0,
			nextAttemptAt: ctx.now,
			expiresAt: ctx.now + WAIT_MS,
			settledAt: null,
			revision: sql`${processorEvents.revision} + 1`,
		})
		.where(and(sql`${processorEvents.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, isNotNull(processorEvents.payload)))
		.returning({ id: processorEvents.id });
}
