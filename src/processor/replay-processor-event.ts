import { and, eq, isNull } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { deadLetters } from '../db/schema/work.ts';
import { settledAs } from '../dead-letters/dead-letter.ts';
import { deadLetterIdOf } from '../dead-letters/keep-event-dead-letters.ts';
import { notFound } from '../domain/rejection.ts';
import { type ListedEvent, selectEvents } from './list-processor-events.ts';
import { reopenEvent } from '../inbox/reopen-event.ts';

/** Also replays its dead letter. Rejects with 404 for another program's event, and with 409 if the body was purged. */
export async function replayProcessorEvent(ctx: Context, program: ManagedProgram, id: number): Promise<ListedEvent> {
	const found = selectEvents(ctx).where(and(eq(processorEvents.id, id), eq(processorEvents.programId, program.id)));
	const [event] = await found;
	if (!event) throw notFound('Event');
	await reopenEvent(ctx, id);
	const writes = [
		ctx.db
			.update(deadLetters)
			.set(settledAs(ctx, 'replayed'))
			.where(and(eq(deadLetters.messageId, deadLetterIdOf(id)), isNull(deadLetters.replayedAt))),
		auditProgram(ctx, program, {
			action: 'processor_event.replay',
			subjectId: id,
			detail: { eventId: event.eventId, type: event.type, state: event.state },
		}),
	];
	const { events } = await write(ctx.db, writes, { events: found });
	return events[0] ?? event;
}
