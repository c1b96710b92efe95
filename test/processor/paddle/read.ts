import { expect } from 'vitest';
import type { PaymentFact } from '../../../src/domain/processors/processor-event.ts';
import { paddleEnvelope, readPaddleEvent } from '../../../src/processor/paddle/read-event.ts';

/** Reads an event as the inbox does. */
export function readEvent(event: unknown, basis: 'gross' | 'net' = 'net') {
	const envelope = paddleEnvelope(event);
	if (!envelope) throw new Error('This is not an event');
	return readPaddleEvent(event, envelope, basis);
}

export function factsOf(event: unknown, basis: 'gross' | 'net' = 'net') {
	const { facts, summary } = readEvent(event, basis);
	return {
		summary,
		kinds: facts.map(({ kind }) => kind),
		binding: facts.find((fact) => fact.kind === 'binding'),
		payment: facts.find((fact): fact is PaymentFact => fact.kind === 'payment'),
		reversals: facts.filter((fact) => fact.kind === 'reversal'),
	};
}

export function nothingOf(event: unknown): string {
	const { facts, summary } = readEvent(event);
	expect(facts).toEqual([]);
	return summary;
}

/** The event with other fields in its `data`. */
export function withData<Event extends { readonly data: object }>(event: Event, fields: object): Event {
	return { ...event, data: { ...event.data, ...fields } };
}
