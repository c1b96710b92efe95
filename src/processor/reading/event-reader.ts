import type { ProcessorEvent, ProcessorFact } from '../../domain/processors/processor-event.ts';
import type { AmountBasis } from '../processor.ts';

/** What a reader receives in addition to the event's object. */
export interface EventContext {
	readonly type: string;
	/** When the event happened, in ms. */
	readonly happenedAt: number;
	readonly amountBasis: AmountBasis;
}

/** Reads the objects of one kind of event. Never throws: the summary says what is unreadable. */
export type EventReader = (object: unknown, event: EventContext) => ProcessorEvent;

export function withFacts(summary: string, ...facts: ProcessorFact[]): ProcessorEvent {
	return { facts, summary };
}

export function nothing(summary: string): ProcessorEvent {
	return { facts: [], summary };
}
