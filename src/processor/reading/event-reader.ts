import type { ProcessorEvent, ProcessorFact } from '../../domain/processors/processor-event.ts';
import type { AmountBasis } from '../processor.ts';

/** What a reader knows beside the event's object. */
export interface EventContext {
	readonly type: string;
	/** When the event happened, ms. */
	readonly happenedAt: number;
	readonly amountBasis: AmountBasis;
}

/** Reads the object of one family of events. Never throws: what it cannot read it says in the summary. */
export type EventReader = (object: unknown, event: EventContext) => ProcessorEvent;

export function told(summary: string, ...facts: ProcessorFact[]): ProcessorEvent {
	return { facts, summary };
}

export function nothing(summary: string): ProcessorEvent {
	return { facts: [], summary };
}
