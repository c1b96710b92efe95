import { and, asc, count, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { processorEvents } from '../db/schema/processor.ts';
import { deadLetters } from '../db/schema/work.ts';
import { settledAs } from '../dead-letters/dead-letter.ts';
import { inStates, type ProcessorEventState } from './list-processor-events.ts';
import { reopen } from '../inbox/reopen-event.ts';
import { sendEvents } from '../inbox/send-events.ts';

/** Limited, because the caller waits while messages are sent one by one. */
export const REPLAY_LIMIT = 300;

export interface ReplayRequest {
	readonly states: readonly ProcessorEventState[];
	/** In ms. Repeated calls skip replays that failed again. */
	readonly settledBefore: number;
}

export interface Replay {
	readonly replayed: number;
	readonly remaining: number;
}

/** Replays settled events in the given states, oldest first, at most REPLAY_LIMIT, with their dead letters. Skips events without a body. */
export async function replayProcessorEvents(ctx: Context, program: ManagedProgram, request: ReplayRequest): Promise<Replay> {
	const selection = and(
		eq(processorEvents.programId, program.id),
		inStates(program.id, request.states),
		lt(processorEvents.settledAt, request.settledBefore),
		isNotNull(processorEvents.payload),
	);
	const found = await read(ctx.db, {
		events: ctx.db
			.select({ id: processorEvents.id })
			.from(processorEvents)
			.where(selection)
			.orderBy(asc(processorEvents.happenedAt), asc(processorEvents.id))
			.limit(REPLAY_LIMIT),
		matching: ctx.db.select({ count: count() }).from(processorEvents).where(selection),
	});
	const ids = found.events.map(({ id }) => id);
	await write(ctx.db, [
		...(ids.length > 0 ? reopenAll(ctx, ids) : []),
		auditProgram(ctx, program, { action: 'processor_event.replay_all', detail: { events: ids.length, states: request.states } }),
	]);
	if (ids.length > 0) await sendEvents(ctx, ids);
	return { replayed: ids.length, remaining: (found.matching[0]?.count ?? 0) - ids.length };
}

function reopenAll(ctx: Context, ids: readonly number[]): Statement[] {
	const isOfTheirs = sql`${deadLetters.messageId} IN (SELECT 'processor_event:' || value FROM json_each(${JSON.stringify(ids)}))`;
	return [
		reopen(ctx, ids),
		ctx.db
			.update(deadLetters)
			.set(settledAs(ctx, 'replayed'))
			.where(and(isOfTheirs, isNull(deadLetters.replayedAt))),
	];
}
