import type { Context } from '../context.ts';
import type { Watch } from '../domain/inbox-schedule.ts';
import {
	type FactOutcome,
	paymentReason,
	reversalReason,
	TAKEN_ELSEWHERE,
	unattributedPayment,
	type Waiting,
} from '../domain/processor-outcome.ts';
import type {
	BindingFact,
	PaymentFact,
	PaymentIdsFact,
	ProcessorAttribution,
	ProcessorFact,
	ReversalFact,
	SignupFact,
	SubscriptionEndFact,
} from '../domain/processor-event.ts';
import { Rejection } from '../domain/rejection.ts';
import { linkPayment } from '../tracking/link-payment.ts';
import { recordLead } from '../tracking/record-lead.ts';
import { recordPayment } from '../tracking/record-payment.ts';
import { recordReversal } from '../tracking/record-reversal.ts';
import { bindProcessorIds, endSubscription } from './bind-processor-ids.ts';
import type { InboxEvent } from './inbox-event.ts';
import { sendEvents } from './send-events.ts';
import { resolveAttribution, type ResolvedAttribution } from './resolve-attribution.ts';

/**
 * Gives one fact of an event its effect, by the verbs that tracking calls have too. Idempotent: `opId` is the same at every try.
 * What is thrown is a fault.
 */
export async function applyFact(ctx: Context, event: InboxEvent, fact: ProcessorFact, opId: string): Promise<FactOutcome> {
	switch (fact.kind) {
		case 'payment':
			return applyPayment(ctx, event, fact, opId);
		case 'payment_ids':
			return applyPaymentIds(ctx, event, fact);
		case 'reversal':
			return applyReversal(ctx, event, fact, opId);
		case 'binding':
			return applyBinding(ctx, event, fact);
		case 'signup':
			return applySignup(ctx, event, fact);
		case 'subscription_end':
			return applySubscriptionEnd(ctx, event, fact);
	}
}

async function applyPayment(ctx: Context, event: InboxEvent, fact: PaymentFact, opId: string): Promise<FactOutcome> {
	const { attribution } = fact;
	const who = await resolveAttribution(ctx, event, attribution);
	if (isNobody(who) && event.isTest) return waitForEvidence(attribution, unattributedPayment(fact));
	try {
		// Also where nothing says who paid: the backend may have reported the sale, and then what was charged is to be known of it.
		const receipt = await recordPayment(ctx, event.programId, { fact, ...who, isTest: event.isTest }, opId);
		return {
			state: 'applied',
			reason: paymentReason(receipt),
			saleId: receipt.saleId,
			told: [...fact.paymentIds, ...attribution.processorIds],
		};
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		const isUnknown = error.code === 'sale_customer_not_found' && isNobody(who);
		return isUnknown ? waitForEvidence(attribution, unattributedPayment(fact)) : refusedPayment(error, attribution);
	}
}

/** A sale that was rejected: its customer may become known yet, and by which click they came; all else is final. */
function refusedPayment(rejection: Rejection, { clickId, processorIds }: ProcessorAttribution): FactOutcome {
	const waits = { state: 'waiting', waitsFor: processorIds } as const;
	if (rejection.code === 'sale_customer_not_found') {
		return {
			...waits,
			reason: 'waits: its customer_key or click_id leads to no customer yet; report the lead',
			expiredReason: 'not attributed: its customer_key or click_id led to no customer, and no lead came',
			watch: 'often',
		};
	}
	// A click that the event itself names has the last word; else the checkout may name one, though it comes after its invoice.
	const mayBringClick = clickId === undefined && processorIds.length > 0;
	if (rejection.code === 'customer_unattributed') {
		if (!mayBringClick) return { state: 'ignored', reason: 'Not recorded: the customer came by no partner' };
		return {
			...waits,
			reason: 'waits: the customer came by no partner as far as is known; a later event or lead may still name a click',
			expiredReason: 'not recorded: the customer came by no partner',
			watch: 'seldom',
		};
	}
	if (rejection.code === 'sale_customer_elsewhere' && mayBringClick) {
		return {
			...waits,
			reason: 'waits: its customer_key is known in another program only; a later event or lead may still name a click of this one',
			expiredReason: 'not attributed: its customer_key is known in another program only',
			watch: 'seldom',
		};
	}
	if (rejection.code === 'transaction_recorded_elsewhere') return { state: 'refused', reason: TAKEN_ELSEWHERE };
	return { state: 'refused', reason: `Refused: ${rejection.message}` };
}

async function applyPaymentIds(ctx: Context, event: InboxEvent, fact: PaymentIdsFact): Promise<FactOutcome> {
	const { paymentIds } = fact;
	const saleId = await linkPayment(ctx, event.programId, event.isTest, fact);
	if (saleId === undefined) return { ...waitForSale(paymentIds, 'seldom'), isAside: true };
	return { state: 'applied', reason: `Ids of the payment of sale ${saleId} linked`, saleId, told: paymentIds };
}

async function applyReversal(ctx: Context, event: InboxEvent, fact: ReversalFact, opId: string): Promise<FactOutcome> {
	const receipt = await recordReversal(ctx, event.programId, event.isTest, fact, opId);
	if (!receipt) return waitForSale(fact.paymentIds, 'often');
	return { state: 'applied', reason: reversalReason(fact, receipt), saleId: receipt.saleId, told: fact.paymentIds };
}

async function applyBinding(ctx: Context, event: InboxEvent, { attribution }: BindingFact): Promise<FactOutcome> {
	if (isNobody(attribution)) return { state: 'ignored', reason: 'Nothing to remember: it has no tracker metadata' };
	await sendEvents(ctx, await bindProcessorIds(ctx, event, attribution));
	return { state: 'applied', reason: `Remembered for later payments: ${namesOf(attribution)}`, told: [], isAside: true };
}

async function applySignup(ctx: Context, event: InboxEvent, { attribution }: SignupFact): Promise<FactOutcome> {
	const who = await resolveAttribution(ctx, event, attribution);
	if (isNobody(who)) return waitForEvidence(attribution, 'signup not attributed: the subscription has no tracker metadata');
	const told = attribution.processorIds;
	try {
		const lead = { ...who, email: undefined, isTest: event.isTest };
		const { leadId } = await recordLead(ctx, lead, { mode: 'processor', programId: event.programId });
		return { state: 'applied', reason: `Lead ${leadId} recorded`, told };
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		if (error.code === 'lead_status_locked') return { state: 'applied', reason: 'The customer is a lead already, or has bought', told };
		return { state: 'refused', reason: `Refused: ${error.message}` };
	}
}

async function applySubscriptionEnd(ctx: Context, event: InboxEvent, fact: SubscriptionEndFact): Promise<FactOutcome> {
	const isKnown = await endSubscription(ctx, event, fact.subscriptionId, fact.endedAt);
	if (!isKnown) return { state: 'ignored', reason: 'The subscription ended; nothing is remembered of it' };
	return { state: 'applied', reason: 'The end of the subscription is noted', told: [] };
}

function waitForEvidence({ processorIds }: ProcessorAttribution, expiredReason: string): FactOutcome {
	// No other event can tell more of it.
	if (processorIds.length === 0) return { state: 'ignored', reason: expiredReason };
	const reason = 'waits: nothing says who the customer is; an earlier event may still be on its way';
	return { state: 'waiting', reason, expiredReason, waitsFor: processorIds, watch: 'seldom' };
}

/** The events that tell of it wake it; but the sale may also come by POST /track/sale, which wakes nobody. */
function waitForSale(paymentIds: readonly string[], watch: Watch): Waiting {
	return {
		state: 'waiting',
		reason: 'waits: no sale of this payment is recorded yet',
		expiredReason: 'no sale of this payment was recorded',
		waitsFor: paymentIds,
		watch,
	};
}

function isNobody({ customerKey, clickId }: ResolvedAttribution): boolean {
	return customerKey === undefined && clickId === undefined;
}

function namesOf({ customerKey, clickId }: ProcessorAttribution): string {
	const names = [customerKey === undefined ? [] : ['customer_key'], clickId === undefined ? [] : ['click_id']];
	return names.flat().join(' and ');
}
