import type { Context } from '../context.ts';
import { decideUntilSettled, isStale } from '../db/client.ts';
import { alone, type Claim } from '../db/side-by-side.ts';
import type { ProcessorEvent, ProcessorFact } from '../domain/processor-event.ts';
import { ANOTHER_PROGRAM } from '../domain/processor-outcome.ts';
import { applyFact } from './apply-fact.ts';
import { Course } from './course.ts';
import { findInboxEvent, type InboxEvent } from './inbox-event.ts';
import { isOfAnotherProgram } from './resolve-attribution.ts';
import { sendEvents } from '../inbox/send-events.ts';
import { letWait, settleEvent } from './settle-event.ts';
import { readStripeEvent } from './stripe/read-event.ts';

/**
 * Looks at an event of the inbox: gives its facts their effect, in order, and settles it with the last. Twice,
 * or by two at once, does no harm: each effect is idempotent, and the row's revision lets one have the last word. What the event
 * made known wakes those that wait for it. What it is about is claimed, so that of two events in one delivery the later one sees
 * what the earlier did. What is thrown is a fault: the event is as due as before.
 */
export async function processEvent(ctx: Context, id: number, claim: Claim = alone): Promise<void> {
	const woken = await decideUntilSettled(() => lookAt(ctx, id, claim), isStale);
	await sendEvents(ctx, woken);
}

/** Returns the events that it woke. */
async function lookAt(ctx: Context, id: number, claim: Claim): Promise<readonly number[]> {
	const event = await findInboxEvent(ctx, id);
	if (!event || event.settledAt !== null) return [];
	const said = hindranceOf(event) === undefined ? readPayload(event) : { facts: [], summary: '' };
	if (await claim(said.facts.flatMap(namesIn))) return lookAt(ctx, id, claim);
	return bringToEnd(ctx, event, said);
}

async function bringToEnd(ctx: Context, event: InboxEvent, said: ProcessorEvent): Promise<readonly number[]> {
	const course = await apply(ctx, event, said);
	if (course.woken) return course.woken;
	const { outcome } = course;
	if (outcome.state !== 'waiting') return settleEvent(ctx, event, outcome, course.unwritten());
	const isRegistered = outcome.waitsFor.every((processorId) => event.waitsFor.includes(processorId));
	// Also where its time is over by now: only who is registered notices what is told at this moment.
	if (isRegistered && isOver(ctx, event)) return settleEvent(ctx, event, outcome.expired, course.unwritten());
	const woken = await letWait(ctx, event, outcome, course.unwritten());
	if (isRegistered) return woken;
	return [...woken, ...(await lookOnceMore(ctx, event, outcome.waitsFor, said))];
}

/**
 * What was told before an event was registered as waiting has woken nobody, and is seen by this look; what is told after it wakes
 * the event. Who dies before this look leaves the event due within a minute.
 */
async function lookOnceMore(ctx: Context, event: InboxEvent, waitsFor: readonly string[], said: ProcessorEvent) {
	const { attempts, revision } = event;
	const waiting = { ...event, waitsFor: [...new Set([...event.waitsFor, ...waitsFor])], attempts: attempts + 1, revision: revision + 1 };
	const course = await apply(ctx, waiting, said);
	if (course.woken) return course.woken;
	const { outcome } = course;
	if (outcome.state !== 'waiting') return settleEvent(ctx, waiting, outcome, course.unwritten());
	return isOver(ctx, waiting) ? settleEvent(ctx, waiting, outcome.expired, course.unwritten()) : [];
}

function isOver(ctx: Context, { expiresAt }: InboxEvent): boolean {
	return ctx.now >= expiresAt;
}

async function apply(ctx: Context, event: InboxEvent, said: ProcessorEvent): Promise<Course> {
	const course = new Course(ctx, event, said);
	const hindrance = hindranceOf(event);
	if (hindrance !== undefined) return refused(course, hindrance);
	const stranger = said.facts.find((fact) => 'attribution' in fact && isOfAnotherProgram(fact.attribution, event));
	if (stranger) return refused(course, ANOTHER_PROGRAM);

	for (const [index, fact] of said.facts.entries()) {
		const outcome = await applyFact(ctx, event, fact, `processor_event:${event.id}:${index}`, course);
		course.add(outcome);
		if (outcome.state === 'waiting' || outcome.state === 'refused') break;
	}
	return course;
}

function refused(course: Course, reason: string): Course {
	course.add({ state: 'refused', reason });
	return course;
}

/** What a fact is about: who changes one of these changes what the fact is decided upon. */
function namesIn(fact: ProcessorFact): string[] {
	const { customerKey, clickId, processorIds } = 'attribution' in fact ? fact.attribution : NOBODY;
	return [
		...('paymentIds' in fact ? fact.paymentIds : []),
		...('subscriptionId' in fact ? [fact.subscriptionId] : []),
		...processorIds,
		...[customerKey, clickId].filter((name) => name !== undefined),
	];
}

const NOBODY = { customerKey: undefined, clickId: undefined, processorIds: [] } as const;

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
