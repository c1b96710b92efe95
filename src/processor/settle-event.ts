import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { processorEvents, processorEventWaits } from '../db/schema/processor.ts';
import { deadLetters } from '../db/schema/work.ts';
import { settledAs } from '../dead-letters/dead-letter.ts';
import { deadLetterIdOf } from '../dead-letters/keep-event-dead-letters.ts';
import { nextLookAt } from '../domain/processors/inbox-schedule.ts';
import { COMMISSION_TO_BE, type EventOutcome, SALE_TO_BE, type Settlement } from '../domain/processors/processor-outcome.ts';
import type { ReferenceFact } from '../domain/processors/processor-event.ts';
import type { InboxEvent } from './inbox-event.ts';
import { sendResumed, resume } from '../inbox/resume-events.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { commitPlan, type MadeSale, type Plan } from '../sales/plan.ts';
import { bindProcessorIds, leaveUnsold, type ReportingEvent } from './bind-processor-ids.ts';

type Revised = Pick<InboxEvent, 'id' | 'programId' | 'saleId' | 'attempts' | 'revision' | 'waitsFor' | 'hasDeadLetter' | 'hasErasures'>;

export type EventPlan = Plan<EventOutcome> & {
	readonly binding?: ReferenceFact | undefined;
	/** The body is deleted, too. */
	readonly isOfErased?: boolean | undefined;
	/** Removed from the body. */
	readonly erasedClickIds?: readonly string[] | undefined;
};

/**
 * Writes the remaining effects and the outcome, and resumes events that wait for its ids, in one batch. Aborts if the event has changed
 * since it was read.
 */
export async function settleEvent(
	ctx: Context,
	event: Revised & ReportingEvent,
	{ binding, isOfErased, erasedClickIds, ...plan }: EventPlan,
): Promise<void> {
	await commitPlan(plan, async ({ outcome, writes, made, effects }) => {
		const settlement = outcome.state === 'waiting' ? outcome.expired : outcome;
		const { reportedIds, unsoldIds = [] } = settlement;
		const resumed = await write(ctx.db, [...writes, ...settlementOf(ctx, { ...event, isOfErased, erasedClickIds }, settlement, made)], {
			...(await bindProcessorIds(ctx, event, binding, reportedIds)),
			byReported: reportedIds.length > 0 ? resume(ctx, event, reportedIds) : undefined,
			...(await leaveUnsold(ctx, event, unsoldIds)),
		});
		sendEffects(ctx, effects);
		await sendResumed(ctx, [...resumed.byReference, ...resumed.byReported, ...resumed.byUnsold]);
	});
}

/** With the sale's ids if its batch creates one. */
export function settlementOf(
	ctx: Context,
	event: Revised & Pick<EventPlan, 'isOfErased' | 'erasedClickIds'>,
	{ state, reason, saleId, isListening = false }: Settlement,
	made?: MadeSale,
): Statement[] {
	const settled = ctx.db
		.update(processorEvents)
		.set({
			state,
			reason: made ? withIds(reason, made) : reason,
			saleId: made ? made.saleId : (saleId ?? event.saleId),
			attempts: event.attempts + 1,
			nextAttemptAt: null,
			settledAt: ctx.now,
			...(event.hasErasures && {
				payload: event.isOfErased ? null : unlessOfErased(made ? made.saleId : (saleId ?? event.saleId), event.erasedClickIds),
			}),
			revision: event.revision + 1,
		})
		.where(eq(processorEvents.id, event.id));
	const waits = ctx.db.delete(processorEventWaits).where(eq(processorEventWaits.processorEventId, event.id));
	// The event no longer counts as failed, so its dead letter is closed.
	const settledDeadLetter = ctx.db
		.update(deadLetters)
		.set(settledAs(ctx, 'done'))
		.where(and(eq(deadLetters.messageId, deadLetterIdOf(event.id)), isNull(deadLetters.replayedAt)));
	// Adding a wait or dead letter changes the event's revision, so there are none besides those that were read.
	return [settled, ...(event.waitsFor.length > 0 && !isListening ? [waits] : []), ...(event.hasDeadLetter ? [settledDeadLetter] : [])];
}

/** Null if the sale belongs to an erased customer. */
function unlessOfErased(saleId: SQL<number> | number | null, clickIds: readonly string[] = []): SQL<string | null> {
	const body = clickIds.reduce((text, clickId) => sql`replace(${text}, ${clickId}, 'erased')`, sql`${processorEvents.payload}`);
	return sql`iif(EXISTS (
		SELECT 1 FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE s.id = ${saleId} AND c.erased_at IS NOT NULL
	), NULL, ${body})`;
}

function withIds(reason: string, { saleId, commissionId }: MadeSale): SQL<string> {
	const named = sql<string>`replace(${reason}, ${SALE_TO_BE}, ${saleId})`;
	return commissionId === null ? named : sql<string>`replace(${named}, ${COMMISSION_TO_BE}, ${commissionId})`;
}

/**
 * Parks an event until its next attempt or until something is reported about one of the ids. If an id is new to it, the caller tries again
 * at once, because it may have been reported already. Aborts if the event has changed since it was read.
 */
export async function park(
	ctx: Context,
	event: Revised & ReportingEvent & Pick<InboxEvent, 'expiresAt'>,
	outcome: Extract<EventOutcome, { state: 'waiting' }>,
	binding: ReferenceFact | undefined,
): Promise<void> {
	const waits = registerWaits(ctx, event, outcome.waitsFor);
	const waiting = ctx.db
		.update(processorEvents)
		.set({
			state: 'waiting',
			reason: outcome.reason,
			saleId: outcome.saleId ?? event.saleId,
			attempts: event.attempts + 1,
			nextAttemptAt: nextLookAt(ctx.now, event.expiresAt, waits.length > 0 ? 'soon' : outcome.watch),
			revision: event.revision + 1,
		})
		.where(eq(processorEvents.id, event.id));
	const { byReference } = await write(ctx.db, [waiting, ...waits], await bindProcessorIds(ctx, event, binding, []));
	await sendResumed(ctx, byReference);
}

function registerWaits(ctx: Context, { id, programId, waitsFor }: Revised, ids: readonly string[]): Statement[] {
	const newIds = ids.filter((processorId) => !waitsFor.includes(processorId));
	if (newIds.length === 0) return [];
	return [
		ctx.db.run(sql`
			INSERT INTO ${processorEventWaits} (program_id, processor_id, processor_event_id)
			SELECT ${programId}, value, ${id} FROM json_each(${JSON.stringify(newIds)}) WHERE true
			ON CONFLICT DO NOTHING`),
	];
}
