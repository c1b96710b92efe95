import type { Context } from '../context.ts';
import { decideUntilSettled, isStale } from '../db/client.ts';
import type { ProcessorEvent } from '../domain/processor-event.ts';
import { ANOTHER_PROGRAM, type EventOutcome, type FactOutcome, outcomeOf } from '../domain/processor-outcome.ts';
import { applyFact } from './apply-fact.ts';
import { findInboxEvent, type InboxEvent } from './inbox-event.ts';
import { isOfAnotherProgram } from './resolve-attribution.ts';
import { sendEvents } from './send-events.ts';
import { letWait, registerWaits, settleEvent } from './settle-event.ts';
import { readStripeEvent } from './stripe/read-event.ts';

/**
 * Looks at an event of the inbox: gives its facts their effect, in order, and only then settles it (design/money.md, 7). Twice,
 * or by two at once, does no harm: each effect is idempotent, and the row's revision lets one have the last word. What the event
 * made known wakes those that wait for it. What is thrown is a fault: the event is as due as before.
 */
export async function processEvent(ctx: Context, id: number): Promise<void> {
	const woken = await decideUntilSettled(() => lookAt(ctx, id), isStale);
	await sendEvents(ctx, woken);
}

/** Returns the events that it woke. */
async function lookAt(ctx: Context, id: number): Promise<number[]> {
	const event = await findInboxEvent(ctx, id);
	if (!event || event.settledAt !== null) return [];
	const outcome = await apply(ctx, event);
	if (outcome.state !== 'waiting') return settleEvent(ctx, event, outcome);
	if (ctx.now >= event.expiresAt) return settleEvent(ctx, event, outcome.expired);
	if (outcome.waitsFor.some((processorId) => !event.waitsFor.includes(processorId))) {
		await registerWaits(ctx, event, outcome.waitsFor);
		return lookAt(ctx, id);
	}
	await letWait(ctx, event, outcome);
	return [];
}

async function apply(ctx: Context, event: InboxEvent): Promise<EventOutcome> {
	const hindrance = hindranceOf(event);
	if (hindrance !== undefined) return outcomeOf([{ state: 'refused', reason: hindrance }], '', event.isTest);
	const { facts, summary } = readPayload(event);
	const stranger = facts.find((fact) => 'attribution' in fact && isOfAnotherProgram(fact.attribution, event));
	if (stranger) return outcomeOf([{ state: 'refused', reason: ANOTHER_PROGRAM }], '', event.isTest);

	const outcomes: FactOutcome[] = [];
	for (const [index, fact] of facts.entries()) {
		const outcome = await applyFact(ctx, event, fact, `processor_event:${event.id}:${index}`);
		outcomes.push(outcome);
		if (outcome.state === 'waiting' || outcome.state === 'refused') break;
	}
	return outcomeOf(outcomes, summary, event.isTest);
}

/** Why nothing of the event can be applied, as things stand. */
function hindranceOf({ isActive, amountBasis }: InboxEvent): string | undefined {
	if (!isActive) return 'The program is not active. Activate it and replay the event';
	return amountBasis === null ? 'Stripe was disconnected before this event could be applied. Connect it and replay the event' : undefined;
}

/** A processor's module makes our facts of its payload; its words end there. */
function readPayload({ processor, payload, amountBasis }: InboxEvent): ProcessorEvent {
	const body: unknown = JSON.parse(payload ?? 'null');
	switch (processor) {
		case 'stripe':
			return readStripeEvent(body, amountBasis ?? 'net');
	}
}
