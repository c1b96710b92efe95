import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commit, runBatch, type Statement } from '../db/client.ts';
import { processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import { deadLetters } from '../db/schema/work.ts';
import { letterIdOf } from '../dead-letters/keep-event-letters.ts';
import { nextLookAt } from '../domain/inbox-schedule.ts';
import type { EventOutcome, Settlement } from '../domain/processor-outcome.ts';
import type { InboxEvent } from './inbox-event.ts';
import { wake } from './wake-events.ts';

type Revised = Pick<InboxEvent, 'id' | 'programId' | 'saleId' | 'attempts' | 'revision'>;

/**
 * Writes what became of an event and wakes those that wait for what it told, in one batch: none of it is lost. Aborts where
 * another one changed the event since it was read. Returns the events that it woke, which are due now.
 */
export async function settleEvent(ctx: Context, event: Revised, settlement: Settlement): Promise<number[]> {
	const woken = await commit(ctx.db, settlementOf(ctx, event, settlement), wake(ctx, event, settlement.told));
	return woken.map(({ id }) => id);
}

/** The statements that settle an event, for the batch that does so. */
export function settlementOf(ctx: Context, event: Revised, { state, reason, saleId }: Settlement): Statement[] {
	return [
		ctx.db
			.update(processorEvents)
			.set({
				state,
				reason,
				saleId: saleId ?? event.saleId,
				attempts: event.attempts + 1,
				nextAttemptAt: null,
				settledAt: ctx.now,
				revision: event.revision + 1,
			})
			.where(eq(processorEvents.id, event.id)),
		ctx.db.delete(processorEventWaits).where(eq(processorEventWaits.processorEventId, event.id)),
		// A letter says that the event could not be processed: that is over, until it fails again.
		ctx.db
			.update(deadLetters)
			.set({ replayedAt: ctx.now })
			.where(and(eq(deadLetters.messageId, letterIdOf(event.id)), isNull(deadLetters.replayedAt))),
	];
}

/**
 * Has an event woken by whoever tells of one of the ids. In a trip of its own, before the event is looked at for the last time:
 * what comes before that look is seen by it, what comes after wakes the event.
 */
export async function registerWaits(ctx: Context, { id, programId }: Revised, waitsFor: readonly string[]): Promise<void> {
	await runBatch(ctx.db, [
		ctx.db.run(sql`
			INSERT INTO ${processorEventWaits} (program_id, processor_id, processor_event_id)
			SELECT ${programId}, value, ${id} FROM json_each(${JSON.stringify(waitsFor)}) WHERE true
			ON CONFLICT DO NOTHING`),
	]);
}

/** Lets an event wait until its next look. Aborts where another one changed it since it was read. */
export async function letWait(
	ctx: Context,
	event: Revised & Pick<InboxEvent, 'expiresAt'>,
	outcome: Extract<EventOutcome, { state: 'waiting' }>,
): Promise<void> {
	await runBatch(ctx.db, [
		ctx.db
			.update(processorEvents)
			.set({
				state: 'waiting',
				reason: outcome.reason,
				saleId: outcome.saleId ?? event.saleId,
				attempts: event.attempts + 1,
				nextAttemptAt: nextLookAt(ctx.now, event.expiresAt, outcome.watch),
				revision: event.revision + 1,
			})
			.where(eq(processorEvents.id, event.id)),
	]);
}
