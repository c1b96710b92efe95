import { and, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type StatementContext, type Placeholders, type Param, prepare } from '../db/prepare.ts';
import { processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { sendEvents } from './send-events.ts';

/** An inbox event, or a call of the program, which has no event id. */
interface ReportingEvent {
	readonly id?: number;
	readonly programId: Param<number>;
}

/** Conditions on the wait and on the waiting event. */
interface Only {
	readonly waits?: SQL;
	readonly events?: SQL;
}

/**
 * Makes the events due that wait for or listen to one of the ids, except the event that reported it. For the batch that stores the report;
 * returns the resumed events.
 */
export function resume(
	{ db, now }: StatementContext,
	{ id, programId }: ReportingEvent,
	processorIds: readonly string[] | SQL<string>,
	only: Only = {},
) {
	const ids = Array.isArray(processorIds) ? JSON.stringify(processorIds) : processorIds;
	const waiters = db
		.select({ id: processorEventWaits.processorEventId })
		.from(processorEventWaits)
		.where(
			and(
				sql`${processorEventWaits.programId} = ${programId}`,
				sql`${processorEventWaits.processorId} IN (SELECT value FROM json_each(${ids}))`,
				only.waits,
			),
		);
	return db
		.update(processorEvents)
		.set({
			state: sql`iif(${processorEvents.settledAt} IS NULL, ${processorEvents.state}, 'waiting')`,
			nextAttemptAt: sql`${now}`,
			settledAt: null,
			revision: sql`${processorEvents.revision} + 1`,
		})
		.where(
			and(
				inArray(processorEvents.id, waiters),
				isNotNull(processorEvents.payload),
				only.events,
				id === undefined ? undefined : ne(processorEvents.id, id),
			),
		)
		.returning({ id: processorEvents.id });
}

/** Resumes events that wait for an id of the reported sale. */
export function resumeBySale(
	ctx: Context,
	programId: number,
	{ transactionId, subscriptionId }: Pick<Sale, 'transactionId' | 'subscriptionId'>,
) {
	const processorIds = JSON.stringify([transactionId, ...(subscriptionId === undefined ? [] : [subscriptionId])]);
	return resumeByCall(ctx, { programId, processorIds });
}

const resumeByCall = prepare((ctx, { programId, processorIds }: Placeholders<{ programId: number; processorIds: string }>) =>
	resume(ctx, { programId }, processorIds),
);

/** Call it after the commit. */
export async function sendResumed(ctx: Context, resumed: readonly { readonly id: number }[]): Promise<void> {
	await sendEvents(
		ctx,
		resumed.map(({ id }) => id),
	);
}
