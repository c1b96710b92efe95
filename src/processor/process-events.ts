import { type Context, describeFault } from '../context.ts';
import { decideUntilSettled, isStale, write } from '../db/client.ts';
import { sideBySide } from '../db/side-by-side.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { keepEventLetters } from '../dead-letters/keep-event-letters.ts';
import { FAULT_LIMIT, nextTryAt } from '../domain/inbox-schedule.ts';
import { eq } from 'drizzle-orm';
import { findInboxEvent } from './inbox-event.ts';
import { processEvent } from './process-event.ts';
import { settlementOf } from './settle-event.ts';

/**
 * So many events share their trips to D1: few enough that a sale of the tracking endpoints does not wait long for its one writer,
 * and that their bodies, of up to 1 MiB each, fit into memory.
 */
const EVENTS_AT_ONCE = 8;

/**
 * Processes events of the inbox, side by side where they are about different payments and customers. A fault is noted in the
 * event's row, which is tried again later and later; after the last try it has failed and there is a dead letter. One that fails
 * does not hold up the others. Throws where a fault could not even be noted: then the message is to come again.
 */
export async function processEvents(ctx: Context, ids: readonly number[]): Promise<void> {
	const unnoted: unknown[] = [];
	await sideBySide(ctx.db, [...new Set(ids)], EVENTS_AT_ONCE, async (id, db, claim) => {
		const beside = { ...ctx, db };
		try {
			await processEvent(beside, id, claim);
		} catch (error) {
			ctx.log({ level: 'error', event: 'processor_event_failed', processorEventId: id, ...describeFault(error) });
			await decideUntilSettled(() => noteFault(beside, id), isStale).catch((fault: unknown) => unnoted.push(fault));
		}
	});
	if (unnoted.length > 0) throw unnoted[0];
}

async function noteFault(ctx: Context, id: number): Promise<void> {
	const event = await findInboxEvent(ctx, id);
	if (!event || event.settledAt !== null) return;
	// Looks at a waiting event were no faults.
	const faults = event.state === 'waiting' ? 1 : event.attempts + 1;
	const what = 'an internal fault, which the logs of the Worker show as processor_event_failed';
	if (faults >= FAULT_LIMIT) {
		const reason = `Gave up after ${faults} tries: ${what}`;
		await write(ctx.db, [
			...settlementOf(ctx, event, { state: 'failed', reason, saleId: undefined, told: [] }),
			keepEventLetters(ctx, [id], reason),
		]);
		return;
	}
	await write(ctx.db, [
		ctx.db
			.update(processorEvents)
			.set({
				state: 'received',
				reason: `Tried ${faults} of ${FAULT_LIMIT} times, kept back by ${what}; it is tried again`,
				attempts: faults,
				nextAttemptAt: nextTryAt(ctx.now, faults),
				revision: event.revision + 1,
			})
			.where(eq(processorEvents.id, id)),
	]);
}
