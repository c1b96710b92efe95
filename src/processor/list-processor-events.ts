import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { processorEvents } from '../db/schema/processor.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { PROCESSOR_NAMES } from './processors.ts';

export type ProcessorEventState = (typeof processorEvents.$inferSelect)['state'];

export interface ProcessorEventFilter extends PageRequest {
	readonly state: ProcessorEventState | undefined;
	readonly processor: string | undefined;
	/** For example `invoice.paid`. */
	readonly type: string | undefined;
	readonly eventId: string | undefined;
	readonly isTest: boolean | undefined;
}

export type ListedEvent = Awaited<ReturnType<typeof selectEvents>>[number];

/** Newest first. One trip. */
export async function listProcessorEvents(ctx: Context, programId: number, filter: ProcessorEventFilter): Promise<Page<ListedEvent>> {
	const { processor, state, type, eventId, isTest } = filter;
	const isCommon = state !== undefined && !RARE.includes(state) && !UNSETTLED.includes(state);
	const list = {
		order: newestFirst(processorEvents.id),
		where: and(
			eq(processorEvents.programId, programId),
			eventId === undefined ? undefined : isOfId(programId, processor, eventId),
			state === undefined || isCommon ? undefined : inStates(programId, [state]),
		),
		filter: and(
			isCommon ? inStates(programId, [state]) : undefined,
			type === undefined ? undefined : eq(processorEvents.type, type),
			processor === undefined || eventId !== undefined ? undefined : ofProcessors(processor),
			isTest === undefined ? undefined : eq(processorEvents.isTest, isTest),
		),
	};
	return readPage(ctx.db, list, filter, (isOnPage, limit) =>
		selectEvents(ctx).where(isOnPage).orderBy(desc(processorEvents.id)).limit(limit),
	);
}

/** Naming the processors lets SQLite look up the id in the unique index. */
function isOfId(programId: number, processor: string | undefined, eventId: string): SQL {
	return sql`id IN (SELECT id FROM processor_events INDEXED BY processor_events_once
		WHERE program_id = ${programId} AND ${ofProcessors(processor)} AND event_id = ${eventId})`;
}

/** Without a name: from any known processor. */
export function ofProcessors(processor?: string): SQL {
	return inArray(processorEvents.processor, processor === undefined ? [...PROCESSOR_NAMES] : [processor]);
}

const RARE: readonly ProcessorEventState[] = ['refused', 'expired', 'failed'];
const UNSETTLED: readonly ProcessorEventState[] = ['received', 'waiting'];

/** Rare states use an index that SQLite would not choose by itself. */
export function inStates(programId: number, states: readonly ProcessorEventState[]): SQL {
	const isAsked = sql`state IN (SELECT value FROM json_each(${JSON.stringify(states)}))`;
	const found = sql`SELECT id FROM processor_events INDEXED BY`;
	if (states.every((state) => UNSETTLED.includes(state))) {
		return sql`id IN (${found} processor_events_due WHERE next_attempt_at IS NOT NULL AND program_id = ${programId} AND ${isAsked})`;
	}
	if (!states.every((state) => RARE.includes(state))) return isAsked;
	return sql`id IN (${found} processor_events_by_state WHERE program_id = ${programId} AND state IN ('refused', 'expired', 'failed') AND ${isAsked})`;
}

/** Events without their bodies. */
export function selectEvents(ctx: Context) {
	return ctx.db
		.select({
			id: processorEvents.id,
			processor: processorEvents.processor,
			eventId: processorEvents.eventId,
			type: processorEvents.type,
			isTest: processorEvents.isTest,
			state: processorEvents.state,
			reason: processorEvents.reason,
			saleId: processorEvents.saleId,
			attempts: processorEvents.attempts,
			happenedAt: processorEvents.happenedAt,
			receivedAt: processorEvents.receivedAt,
			nextAttemptAt: processorEvents.nextAttemptAt,
			expiresAt: processorEvents.expiresAt,
			settledAt: processorEvents.settledAt,
			hasPayload: sql`${processorEvents.payload} IS NOT NULL`.mapWith(Boolean),
		})
		.from(processorEvents);
}
