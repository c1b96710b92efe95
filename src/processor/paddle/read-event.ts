import * as z from 'zod/mini';
import type { ProcessorEvent } from '../../domain/processors/processor-event.ts';
import type { AmountBasis, Envelope } from '../processor.ts';
import { type EventReader, nothing } from '../reading/event-reader.ts';
import { identifierIn, read } from '../reading/fields.ts';
import { readAdjustment } from './adjustments.ts';
import { readDiscount } from './discounts.ts';
import { Instant } from './fields.ts';
import { readCanceledSubscription, readChangedSubscription, readNewSubscription } from './subscriptions.ts';
import { readCompletedTransaction } from './transactions.ts';

/** Integrators select these event types. */
const READERS: ReadonlyMap<string, EventReader> = new Map([
	['transaction.completed', readCompletedTransaction],
	['adjustment.created', readAdjustment],
	['adjustment.updated', readAdjustment],
	['subscription.created', readNewSubscription],
	['subscription.updated', readChangedSubscription],
	['subscription.canceled', readCanceledSubscription],
	['discount.created', readDiscount],
	['discount.updated', readDiscount],
]);

export const PADDLE_EVENT_TYPES: readonly string[] = [...READERS.keys()];

const Identifier = z.pipe(z.optional(z.unknown()), z.transform(identifierIn));

export const Around = z.object({ event_id: Identifier, event_type: Identifier, occurred_at: Instant });

/** Lacks the mode, which only the secret reveals. Undefined if this is not an event. */
export function paddleEnvelope(event: unknown): Omit<Envelope, 'isTest'> | undefined {
	const { event_id: eventId, event_type: type, occurred_at: happenedAt } = read(Around, event) ?? {};
	return eventId === undefined || type === undefined || happenedAt === undefined ? undefined : { eventId, type, happenedAt };
}

const Payload = z.object({ data: z.unknown() });

/** Pure, and never throws: an unreadable event has no facts and a summary that says so. */
export function readPaddleEvent(
	event: unknown,
	{ type, happenedAt }: Pick<Envelope, 'happenedAt' | 'type'>,
	amountBasis: AmountBasis,
): ProcessorEvent {
	const reader = READERS.get(type);
	if (!reader) return nothing(`${type} is not read`);
	return reader(read(Payload, event)?.data, { type, happenedAt, amountBasis });
}
