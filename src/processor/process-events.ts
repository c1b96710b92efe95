import { eq } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { retryOnConflict, isStale, write } from '../db/client.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { keepEventDeadLetters } from '../dead-letters/keep-event-dead-letters.ts';
import { FAULT_LIMIT, nextTryAt } from '../domain/processors/inbox-schedule.ts';
import { namesIn } from '../domain/processors/processor-event.ts';
import { groupsByName } from '../domain/groups-by-name.ts';
import { findInboxEvent, findInboxEvents, type InboxEvent } from './inbox-event.ts';
import { processEvent } from './process-event.ts';
import { settlementOf } from './settle-event.ts';

/** Measured at 40 ms a trip: 50 events take 1.0 s in 101 trips; eight events per trip would take 27 trips, but 1.5 s. */
const GROUPS_AT_ONCE = 6;

/**
 * Events about the same payments or customers run one after another, others concurrently. A fault is recorded in the row and retried with
 * growing delay; after the last try, the event becomes a dead letter. Throws if a fault could not be recorded, so that the message is
 * redelivered.
 */
export async function processEvents(ctx: Context, ids: readonly number[]): Promise<void> {
	const unnoted: unknown[] = [];
	for (let left = [...new Set(ids)]; left.length > 0;) {
		const events = await findInboxEvents(ctx, left);
		const groups = groupsByName(events, ({ parsed }) => parsed.facts.flatMap(namesIn)).values();
		const work = async () => {
			for (const group of groups) {
				for (const event of group) await processOrNote(ctx, event).catch((fault: unknown) => unnoted.push(fault));
			}
		};
		await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, work));
		const last = events.at(-1);
		left = last ? left.slice(left.indexOf(last.id) + 1) : [];
	}
	if (unnoted.length > 0) throw unnoted[0];
}

async function processOrNote(ctx: Context, event: InboxEvent): Promise<void> {
	try {
		await processEvent(ctx, event);
	} catch (error) {
		ctx.log({ level: 'error', event: 'processor_event_failed', processorEventId: event.id, ...describeFault(error) });
		await retryOnConflict(() => noteFault(ctx, event.id), isStale);
	}
}

async function noteFault(ctx: Context, id: number): Promise<void> {
	const event = await findInboxEvent(ctx, id);
	if (!event) return;
	// Attempts of a waiting event are not faults.
	const faults = event.state === 'waiting' ? 1 : event.attempts + 1;
	const what = 'an internal fault, which the logs of the Worker show as processor_event_failed';
	if (faults >= FAULT_LIMIT) {
		const reason = `Gave up after ${faults} tries: ${what}`;
		await write(ctx.db, [
			...settlementOf(ctx, event, { state: 'failed', reason, saleId: undefined, reportedIds: [] }),
			keepEventDeadLetters(ctx, [id], reason),
		]);
		return;
	}
	await write(ctx.db, [
		ctx.db
			.update(processorEvents)
			.set({
				state: 'received',
				reason: `Attempt ${faults} of ${FAULT_LIMIT} failed because of ${what}. It will be retried`,
				attempts: faults,
				nextAttemptAt: nextTryAt(ctx.now, faults),
				revision: event.revision + 1,
			})
			.where(eq(processorEvents.id, id)),
	]);
}
