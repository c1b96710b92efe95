import type { Context } from '../context.ts';
import type { Watch } from '../domain/inbox-schedule.ts';
import {
	COMMISSION_TO_BE,
	type FactOutcome,
	paymentReason,
	reversalReason,
	SALE_TO_BE,
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
import { linkPayment } from '../payments/link-payment.ts';
import { recordLead } from '../leads/record-lead.ts';
import type { Payer } from '../payments/find-payer.ts';
import { type PaymentDraft, recordPayment } from '../payments/record-payment.ts';
import { recordReversal, type ReversalReceipt } from '../payments/record-reversal.ts';
import { endSubscription } from './bind-processor-ids.ts';
import type { Course } from './course.ts';
import type { InboxEvent } from './inbox-event.ts';
import { mayBeToldMore, resolveAttribution } from './resolve-attribution.ts';

/**
 * Gives one fact of an event its effect, by the verbs that tracking calls have too; the last one's takes along what settles the
 * event. Idempotent: `opId` is the same at every try. What is thrown is a fault.
 */
export async function applyFact(ctx: Context, event: InboxEvent, fact: ProcessorFact, opId: string, course: Course): Promise<FactOutcome> {
	switch (fact.kind) {
		case 'payment':
			return applyPayment(ctx, event, fact, opId, course);
		case 'payment_ids':
			return applyPaymentIds(ctx, event, fact, course);
		case 'reversal':
			return applyReversal(ctx, event, fact, opId, course);
		case 'binding':
			return applyBinding(fact, course);
		case 'signup':
			return applySignup(ctx, event, fact);
		case 'subscription_end':
			return applySubscriptionEnd(ctx, event, fact);
	}
}

async function applyPayment(ctx: Context, event: InboxEvent, fact: PaymentFact, opId: string, course: Course): Promise<FactOutcome> {
	const { attribution } = fact;
	// Of a test payment nothing else is read where nobody is known to have made it.
	let payer: Payer = event.isTest ? await resolveAttribution(ctx, event, attribution) : attribution;
	const followsFirstSale = event.renewalsFollowCheckout;
	if (isNobody(payer) && event.isTest) return waitForPayer(fact, followsFirstSale);
	const evidence = { attribution, followsFirstSale, resolved: (resolved: Payer) => void (payer = resolved) };
	const { customerKey, clickId } = payer;
	const who = {
		customerKey,
		clickId,
		awaitsFirstSale: ctx.now < event.expiresAt,
		evidence: mayBeToldMore(attribution) ? evidence : undefined,
	};
	try {
		// Also where nothing says who paid: the backend may have reported the sale, and then what was charged is to be known of it.
		const along = course.along(
			(draft: PaymentDraft) => paidOutcome(fact, draft),
			(draft) => ('made' in draft ? draft.made : undefined),
		);
		const receipt = await recordPayment(ctx, event.programId, { fact, ...who, isTest: event.isTest }, opId, along);
		return receipt ? paidOutcome(fact, receipt) : waitForFirstSale(fact);
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		const isUnknown = error.code === 'sale_customer_not_found' && isNobody(payer);
		return isUnknown ? waitForPayer(fact, followsFirstSale) : refusedPayment(error, fact);
	}
}

function paidOutcome({ paymentIds, attribution }: PaymentFact, draft: PaymentDraft): FactOutcome {
	const applied = { state: 'applied', told: [...paymentIds, ...attribution.processorIds] } as const;
	if (!('made' in draft)) return { ...applied, reason: paymentReason(draft), saleId: draft.saleId };
	const commissionId = draft.made.commissionId === null ? null : COMMISSION_TO_BE;
	return { ...applied, reason: paymentReason({ saleId: SALE_TO_BE, commissionId, reason: draft.reason, isNew: true }) };
}

/** A sale that was rejected: its customer may become known yet, and by which click they came; all else is final. */
function refusedPayment(rejection: Rejection, fact: PaymentFact): FactOutcome {
	const waits = { state: 'waiting', waitsFor: idsOf(fact) } as const;
	if (rejection.code === 'sale_customer_not_found') {
		return {
			...waits,
			reason: 'waits: its customer_key or click_id leads to no customer yet; report the lead',
			expiredReason: 'not attributed: its customer_key or click_id led to no customer, and no lead came',
			watch: 'often',
		};
	}
	if (rejection.code === 'paid_before_click') {
		return { state: 'ignored', reason: 'Not recorded: no partner brought it, it was paid before the click by which the customer came' };
	}
	if (rejection.code === 'subscribed_before_click') {
		return {
			state: 'ignored',
			reason: 'Not recorded: no partner brought it, its subscription began before the click by which the customer came',
		};
	}
	// A click that the event itself names has the last word; else its checkout may name one though it comes later, or a lead.
	const mayBringClick = fact.attribution.clickId === undefined;
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

async function applyPaymentIds(ctx: Context, event: InboxEvent, fact: PaymentIdsFact, course: Course): Promise<FactOutcome> {
	const { paymentIds } = fact;
	const linked = (id: number): FactOutcome => ({
		state: 'applied',
		reason: `Ids of the payment of sale ${id} linked`,
		saleId: id,
		told: paymentIds,
	});
	const saleId = await linkPayment(ctx, event.programId, event.isTest, fact, course.along(linked));
	return saleId === undefined ? { ...waitForSale(paymentIds, 'seldom'), isAside: true } : linked(saleId);
}

async function applyReversal(ctx: Context, event: InboxEvent, fact: ReversalFact, opId: string, course: Course): Promise<FactOutcome> {
	const reversed = (receipt: ReversalReceipt): FactOutcome => ({
		state: 'applied',
		reason: reversalReason(fact, receipt),
		saleId: receipt.saleId,
		told: fact.paymentIds,
	});
	const receipt = await recordReversal(ctx, event.programId, event.isTest, fact, opId, course.along(reversed));
	return receipt ? reversed(receipt) : waitForSale(fact.paymentIds, 'often');
}

function applyBinding(binding: BindingFact, course: Course): FactOutcome {
	course.bind(binding);
	const { attribution } = binding;
	const what = isNobody(attribution) ? 'since when the subscription runs; it has no tracker metadata' : namesOf(attribution);
	return { state: 'applied', reason: `Remembered for later payments: ${what}`, told: [], isAside: true };
}

async function applySignup(ctx: Context, event: InboxEvent, { attribution }: SignupFact): Promise<FactOutcome> {
	const who = await resolveAttribution(ctx, event, attribution);
	if (isNobody(who)) {
		return {
			state: 'waiting',
			reason: NOBODY_YET,
			expiredReason: 'signup not attributed: the subscription has no tracker metadata',
			waitsFor: attribution.processorIds,
			watch: 'seldom',
		};
	}
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

const NOBODY_YET = 'waits: nothing says who the customer is; an earlier event may still be on its way';

/** Another event may tell who it is, or the backend report the sale by one of its ids. */
function waitForPayer(fact: PaymentFact, followsFirstSale: boolean): FactOutcome {
	const expiredReason = unattributedPayment(fact, followsFirstSale);
	const reason = fact.sale.isRecurring ? `waits: ${expiredReason}` : NOBODY_YET;
	return { state: 'waiting', reason, expiredReason, waitsFor: idsOf(fact), watch: 'seldom' };
}

/** It is recorded without it when the wait is over. */
function waitForFirstSale(fact: PaymentFact): FactOutcome {
	return {
		state: 'waiting',
		reason: 'waits: it renews a subscription whose first payment is not recorded yet; if none comes, it is recorded when the wait is over',
		expiredReason: 'no first payment of its subscription came',
		waitsFor: idsOf(fact),
		watch: 'often',
	};
}

/** All by which others may tell more of a payment. */
function idsOf({ attribution, paymentIds }: PaymentFact): string[] {
	return [...new Set([...attribution.processorIds, ...paymentIds])];
}

/** The events and the calls that tell of it wake it. */
function waitForSale(paymentIds: readonly string[], watch: Watch): Waiting {
	return {
		state: 'waiting',
		reason: 'waits: no sale of this payment is recorded yet',
		expiredReason: 'no sale of this payment was recorded',
		waitsFor: paymentIds,
		watch,
	};
}

function isNobody({ customerKey, clickId }: Payer): boolean {
	return customerKey === undefined && clickId === undefined;
}

function namesOf({ customerKey, clickId }: ProcessorAttribution): string {
	const names = [customerKey === undefined ? [] : ['customer_key'], clickId === undefined ? [] : ['click_id']];
	return names.flat().join(' and ');
}
