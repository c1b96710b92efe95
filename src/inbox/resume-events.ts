import { and, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type StatementContext, type Placeholders, type Param, prepare } from '../db/prepare.ts';
import { processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { sendEvents } from './send-events.ts';

/** Who tells of something: an event of the inbox, or a call of the program, which is none. */
interface ReportingEvent {
	readonly id?: number;
	readonly programId: Param<number>;
}

/** Conditions, on the wait and on the event that has it. */
interface Only {
	readonly waits?: SQL;
	readonly events?: SQL;
}

/**
 * Makes due what waits for one of the ids, or listens, but for the event that tells of them: a statement for the batch that writes what
 * is told, which gives the events that it woke.
 */
export function wake(
	{ db, now }: StatementContext,
	{ id, programId }: ReportingEvent,
	told: readonly string[] | SQL<string>,
	only: Only = {},
) {
	const ids = Array.isArray(told) ? JSON.stringify(told) : told;
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

/** Wakes what waits for one of the ids of a sale that the backend reports. */
export function resumeBySale(
	ctx: Context,
	programId: number,
	{ transactionId, subscriptionId }: Pick<Sale, 'transactionId' | 'subscriptionId'>,
) {
	const told = JSON.stringify([transactionId, ...(subscriptionId === undefined ? [] : [subscriptionId])]);
	return wakeByCall(ctx, { programId, told });
}

const wakeByCall = prepare((asking, { programId, told }: Placeholders<{ programId: number; told: string }>) =>
	wake(asking, { programId }, told),
);

/** Sends what was woken on its way, once that is committed. */
export async function sendWoken(ctx: Context, woken: readonly { readonly id: number }[]): Promise<void> {
	await sendEvents(
		ctx,
		woken.map(({ id }) => id),
	);
}
