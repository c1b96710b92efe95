import { and, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import type { InboxEvent } from './inbox-event.ts';

/**
 * Makes due what waits for one of the ids, but for the event that tells of them: a statement for the batch that writes what is
 * told, which gives the events that it woke. `condition` is asked of each wait.
 */
export function wake(ctx: Context, { id, programId }: Pick<InboxEvent, 'id' | 'programId'>, told: readonly string[], condition?: SQL) {
	const waiters = ctx.db
		.select({ id: processorEventWaits.processorEventId })
		.from(processorEventWaits)
		.where(
			and(
				eq(processorEventWaits.programId, programId),
				sql`${processorEventWaits.processorId} IN (SELECT value FROM json_each(${JSON.stringify(told)}))`,
				condition,
			),
		);
	return ctx.db
		.update(processorEvents)
		.set({ nextAttemptAt: ctx.now, revision: sql`${processorEvents.revision} + 1` })
		.where(and(inArray(processorEvents.id, waiters), isNull(processorEvents.settledAt), ne(processorEvents.id, id)))
		.returning({ id: processorEvents.id });
}

const Woken = z.array(z.object({ id: z.number() }));

/** The events that the statements of a batch woke, which are due now. */
export function wokenIn(answers: readonly unknown[]): number[] {
	return answers.flatMap((answer) => Woken.safeParse(answer).data ?? []).map(({ id }) => id);
}
