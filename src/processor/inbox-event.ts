import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { processorEndpoints, processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import { programs } from '../db/schema/programs.ts';
import { deadLetters } from '../db/schema/work.ts';
import { parseOrigins as parseStrings } from '../programs/program-of-link.ts';

export type InboxEvent = NonNullable<Awaited<ReturnType<typeof findInboxEvent>>>;

/** An event with all that its processing asks of its program; one trip. */
export async function findInboxEvent(ctx: Context, id: number) {
	const events = ctx.db
		.select({
			id: processorEvents.id,
			programId: processorEvents.programId,
			processor: processorEvents.processor,
			isTest: processorEvents.isTest,
			happenedAt: processorEvents.happenedAt,
			payload: processorEvents.payload,
			state: processorEvents.state,
			saleId: processorEvents.saleId,
			attempts: processorEvents.attempts,
			expiresAt: processorEvents.expiresAt,
			settledAt: processorEvents.settledAt,
			revision: processorEvents.revision,
			isActive: programs.active,
			renewalsFollowCheckout: programs.renewalsFollowCheckout,
			/** Null: the processor was disconnected since. */
			amountBasis: processorEndpoints.amountBasis,
			waitsFor: sql<string>`(
				SELECT json_group_array(${processorEventWaits.processorId}) FROM ${processorEventWaits}
				WHERE ${processorEventWaits.processorEventId} = ${processorEvents.id}
			)`.mapWith(parseStrings),
			/** Whether a dead letter of it waits. */
			hasLetter: sql`EXISTS (
				SELECT 1 FROM ${deadLetters}
				WHERE ${deadLetters.messageId} = 'processor_event:' || ${processorEvents.id} AND ${deadLetters.replayedAt} IS NULL
			)`.mapWith(Boolean),
		})
		.from(processorEvents)
		.innerJoin(programs, eq(programs.id, processorEvents.programId))
		.leftJoin(
			processorEndpoints,
			and(eq(processorEndpoints.programId, processorEvents.programId), eq(processorEndpoints.processor, processorEvents.processor)),
		)
		.where(eq(processorEvents.id, id));
	const found = await read(ctx.db, { events });
	return found.events[0];
}
