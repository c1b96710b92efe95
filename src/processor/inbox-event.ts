import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { processorEndpoints, processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import { erasedIds } from '../db/schema/privacy.ts';
import { programs } from '../db/schema/programs.ts';
import { deadLetters } from '../db/schema/work.ts';
import { stringsOf } from '../db/strings-of.ts';
import { namesIn } from '../domain/people/erasure.ts';
import type { ProcessorEvent } from '../domain/processors/processor-event.ts';
import type { Processor } from './processor.ts';
import { isProcessorName, loadProcessor } from './processors.ts';

export type InboxEvent = Awaited<ReturnType<typeof findInboxEvents>>[number];

/** A delivery may have 150 bodies of up to 1 MiB. */
const BODIES_AT_ONCE = 8;
const MIB = 1024 * 1024;

/** Only if it is unsettled. One trip. */
export async function findInboxEvent(ctx: Context, id: number): Promise<InboxEvent | undefined> {
	return (await findInboxEvents(ctx, [id]))[0];
}

/** The unsettled events among the ids, in order, as many as fit into memory. One trip. */
export async function findInboxEvents(ctx: Context, ids: readonly number[]) {
	const { events } = await read(ctx.db, { events: selectEvents(ctx, JSON.stringify(ids), ids.length > BODIES_AT_ONCE) });
	const inOrder = events.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
	return Promise.all(
		inOrder.map(async ({ payload, ...event }) => {
			const result = await tryToRead({ ...event, payload });
			return { ...event, ...result, idScope: result.sender.hasOwnIds ? event.programId : 0 };
		}),
	);
}

function selectEvents(ctx: Context, ids: string, areMany: boolean) {
	const fitting = sql`(SELECT id FROM (
		SELECT e.id, sum(coalesce(octet_length(e.payload), 0)) OVER (ORDER BY asked.key) AS bytes
		FROM json_each(${ids}) asked JOIN processor_events e ON e.id = asked.value WHERE e.settled_at IS NULL
	) WHERE bytes <= ${BODIES_AT_ONCE * MIB})`;
	return ctx.db
		.select({
			id: processorEvents.id,
			programId: processorEvents.programId,
			processor: processorEvents.processor,
			eventId: processorEvents.eventId,
			type: processorEvents.type,
			isTest: processorEvents.isTest,
			happenedAt: processorEvents.happenedAt,
			payload: processorEvents.payload,
			state: processorEvents.state,
			saleId: processorEvents.saleId,
			attempts: processorEvents.attempts,
			expiresAt: processorEvents.expiresAt,
			revision: processorEvents.revision,
			isActive: programs.active,
			/** Refunds and disputes of an archived program still count (decision 59). */
			isArchived: sql`${programs.archivedAt} IS NOT NULL`.mapWith(Boolean),
			renewalsFollowCheckout: programs.renewalsFollowCheckout,
			/** Null if the processor was disconnected. */
			amountBasis: processorEndpoints.amountBasis,
			/** Whether anybody was erased recently, so that the event's names must be checked. */
			hasErasures: sql`EXISTS (SELECT 1 FROM ${erasedIds} WHERE ${erasedIds.programId} = ${processorEvents.programId})`.mapWith(Boolean),
			waitsFor: sql<string>`(
				SELECT json_group_array(${processorEventWaits.processorId}) FROM ${processorEventWaits}
				WHERE ${processorEventWaits.processorEventId} = ${processorEvents.id}
			)`.mapWith(stringsOf),
			hasDeadLetter: sql`EXISTS (
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
		.where(
			and(
				isNull(processorEvents.settledAt),
				sql`${processorEvents.id} IN ${areMany ? fitting : sql`(SELECT value FROM json_each(${ids}))`}`,
			),
		);
}

type StoredEvent = Pick<
	Awaited<ReturnType<typeof selectEvents>>[number],
	'processor' | 'eventId' | 'type' | 'isTest' | 'happenedAt' | 'payload' | 'amountBasis' | 'hasErasures'
>;

interface Read {
	readonly parsed: ProcessorEvent;
	/** The people named in its body; empty if nobody was erased. */
	readonly named: ReturnType<typeof namesIn>;
	readonly sender: Pick<Processor, 'title' | 'unattributed' | 'isOwnBackend' | 'hasOwnIds'>;
	readonly fault?: unknown;
}

const NOBODY = { keys: [], clickIds: [] } as const;

/** An unreadable payload is a fault of that one event. */
async function tryToRead(event: StoredEvent): Promise<Read> {
	try {
		return await readPayload(event);
	} catch (fault) {
		return { parsed: { facts: [], summary: '' }, named: NOBODY, sender: { title: event.processor }, fault };
	}
}

async function readPayload({ processor: name, payload, amountBasis, hasErasures, ...envelope }: StoredEvent): Promise<Read> {
	if (!isProcessorName(name)) throw new Error('No such processor');
	const processor = await loadProcessor(name);
	const body: unknown = JSON.parse(payload ?? 'null');
	const named = hasErasures ? namesIn(body) : NOBODY;
	return { parsed: processor.read(body, envelope, amountBasis ?? 'net'), named, sender: processor };
}
