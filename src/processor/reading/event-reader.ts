import type { ProcessorEvent, ProcessorFact } from '../../domain/processors/processor-event.ts';
import type { AmountBasis } from '../processor.ts';

export interface EventContext {
	readonly type: string;
	/** In ms. */
	readonly happenedAt: number;
	readonly amountBasis: AmountBasis;
}

/** Never throws: the summary says what is unreadable. */
export type EventReader = (object: unknown, event: EventContext) => ProcessorEvent;

export function withFacts(summary: string, ...facts: ProcessorFact[]): ProcessorEvent {
	return { facts, summary };
}

export function nothing(summary: string): ProcessorEvent {
	return { facts: [], summary };
}
