import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { notFound } from '../domain/rejection.ts';
import { type ListedEvent, selectEvents } from './list-processor-events.ts';

/** The body is null once purged. Rejects with 404. */
export async function readProcessorEvent(
	ctx: Context,
	programId: number,
	id: number,
): Promise<{ readonly event: ListedEvent; readonly payload: unknown }> {
	const isAsked = and(eq(processorEvents.id, id), eq(processorEvents.programId, programId));
	const { events, bodies } = await read(ctx.db, {
		events: selectEvents(ctx).where(isAsked),
		bodies: ctx.db.select({ payload: processorEvents.payload }).from(processorEvents).where(isAsked),
	});
	const [event] = events;
	if (!event) throw notFound('Event');
	const payload: unknown = JSON.parse(bodies[0]?.payload ?? 'null');
	return { event, payload };
}
