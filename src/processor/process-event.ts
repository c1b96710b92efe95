import type { Context } from '../context.ts';
import { erasedAmong, isOfErased } from '../customers/erased-ids.ts';
import { retryOnConflict, isRaced, write } from '../db/client.ts';
import { ANOTHER_PROGRAM, type FactOutcome, outcomeOf } from '../domain/processors/processor-outcome.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { mapOutcome, planNothing } from '../sales/plan.ts';
import { findInboxEvent, type InboxEvent } from './inbox-event.ts';
import { planFact } from './plan-fact.ts';
import type { ProcessorFact } from '../domain/processors/processor-event.ts';
import { type EventPlan, park, settleEvent } from './settle-event.ts';

/**
 * Applies an event's facts in order, settles it with the last one, and resumes events that wait for it. Safe to repeat and to run twice at
 * once: effects are idempotent, and the row's revision lets one consumer settle the event. A thrown error leaves the event due.
 */
export async function processEvent(ctx: Context, found: InboxEvent): Promise<void> {
	await retryOnConflict(async (attempt) => {
		const event = attempt === 1 ? found : await findInboxEvent(ctx, found.id);
		if (event) await evaluate(ctx, event);
	}, isOvertaken);
}

/** Another consumer was faster, or an erasure removed its ids. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || isOfErased(error);
}

async function evaluate(ctx: Context, event: InboxEvent): Promise<void> {
	const plan = await planEvent(ctx, event);
	const { outcome } = plan;
	if (outcome.state !== 'waiting') return settleEvent(ctx, event, plan);
	const isRegistered = outcome.waitsFor.every((processorId) => event.waitsFor.includes(processorId));
	// Even an expired event is registered before it settles, or it would miss what is reported at this moment.
	if (isRegistered && (outcome.isOrganic === true || isOver(ctx, event))) return settleEvent(ctx, event, plan);
	await park(ctx, event, outcome, plan.binding);
	if (!isRegistered) await evaluateAgain(ctx, event, outcome.waitsFor);
}

/**
 * Evaluates once more, because something may have been reported before the event was registered as waiting. It stays due within a minute,
 * in case the consumer crashes.
 */
async function evaluateAgain(ctx: Context, event: InboxEvent, waitsFor: readonly string[]): Promise<void> {
	const { attempts, revision } = event;
	const waiting = { ...event, waitsFor: [...new Set([...event.waitsFor, ...waitsFor])], attempts: attempts + 1, revision: revision + 1 };
	const plan = await planEvent(ctx, waiting);
	if (plan.outcome.state !== 'waiting' || plan.outcome.isOrganic === true) await settleEvent(ctx, waiting, plan);
}

function isOver(ctx: Context, { expiresAt }: InboxEvent): boolean {
	return ctx.now >= expiresAt;
}

/** The last fact is written when the event is settled. */
async function planEvent(ctx: Context, event: InboxEvent): Promise<EventPlan> {
	const { summary } = event.parsed;
	const outcomeWith = (...outcomes: FactOutcome[]) => outcomeOf(outcomes, summary, event.isTest);
	const { facts, ...rest }: FactsLeft = event.hasErasures ? await withoutErased(ctx, event) : { facts: event.parsed.facts };
	const refusal = refusalOf(event);
	if (refusal !== undefined)
		return { ...planNothing(outcomeWith({ state: 'refused', reason: refusal, unsoldIds: unsoldHere(event, refusal) })), ...rest };
	if (event.fault !== undefined) throw event.fault;
	if (facts === undefined) return { ...planNothing(outcomeWith({ state: 'refused', reason: OF_ERASED })), isOfErased: true };

	const binding = facts.find((fact) => fact.kind === 'binding');
	const done: FactOutcome[] = [];
	for (const [index, fact] of facts.entries()) {
		const plan = await planFact(ctx, event, fact, `processor_event:${event.id}:${index}`);
		const isLast = index === facts.length - 1 || plan.outcome.state === 'waiting' || plan.outcome.state === 'refused';
		if (isLast) return { ...mapOutcome(plan, (outcome) => outcomeWith(...done, outcome)), binding, ...rest };
		await write(ctx.db, plan.writes);
		sendEffects(ctx, plan.effects);
		done.push(plan.outcome);
	}
	return { ...planNothing(outcomeWith()), ...rest };
}

const OF_ERASED = 'Not recorded: its customer was erased';

interface FactsLeft extends Pick<EventPlan, 'isOfErased' | 'erasedClickIds'> {
	readonly facts: readonly ProcessorFact[] | undefined;
}

/**
 * Drops erased clicks, but keeps the facts of somebody who shared such a click and has their own key. If the payer was erased, only refunds
 * of their payments remain. A body that names an erased person is removed.
 */
async function withoutErased(ctx: Context, { programId, parsed, named }: InboxEvent): Promise<FactsLeft> {
	const attributions = parsed.facts.flatMap((fact) => ('attribution' in fact ? [fact.attribution] : []));
	const clickIds = attributions.flatMap(({ clickId = [] }) => clickId);
	const others = attributions.flatMap(({ customerKey = [], reference = [], processorIds }) =>
		[...processorIds].concat(customerKey, reference),
	);
	const erased = await erasedAmong(ctx, programId, [...new Set([...clickIds, ...others, ...named.keys, ...named.clickIds])]);
	const isErased = (clickId: string | undefined) => clickId !== undefined && erased.has(clickId);
	const isGone =
		others.some((name) => erased.has(name)) || attributions.some((one) => one.customerKey === undefined && isErased(one.clickId));
	return {
		facts: isGone ? undefined : parsed.facts.map((fact) => withoutClick(fact, isErased)),
		isOfErased: named.keys.some((key) => erased.has(key)),
		erasedClickIds: [...new Set([...clickIds, ...named.clickIds])].filter(isErased),
	};
}

function withoutClick<Fact extends ProcessorFact>(fact: Fact, isErased: (clickId: string | undefined) => boolean): Fact {
	if (!('attribution' in fact) || !isErased(fact.attribution.clickId)) return fact;
	return { ...fact, attribution: { ...fact.attribution, clickId: undefined } };
}

function unsoldHere({ parsed }: InboxEvent, refusal: string): string[] {
	return refusal === ANOTHER_PROGRAM ? parsed.facts.flatMap((fact) => (fact.kind === 'payment' ? fact.paymentIds : [])) : [];
}

function refusalOf({ isActive, isArchived, amountBasis, programId, parsed, sender }: InboxEvent): string | undefined {
	if (!isActive && !isArchived) return 'The program is not active. Activate it and replay the event';
	if (amountBasis === null) return `${sender.title} was disconnected before this event could be applied. Connect it and replay the event`;
	const named = parsed.facts.flatMap((fact) => ('attribution' in fact ? [fact.attribution.programId] : []));
	return named.some((other) => other !== undefined && other !== String(programId)) ? ANOTHER_PROGRAM : undefined;
}
