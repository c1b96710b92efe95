import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { CHECKOUT_WAIT_MS, WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import type {
	PaymentFact,
	PaymentIdsFact,
	ProcessorFact,
	ReversalFact,
	SignupFact,
	SubscriptionEndFact,
} from '../domain/processors/processor-event.ts';
import { type FactOutcome, foreignOutcome, type ForeignReversal, reversalReason } from '../domain/processors/processor-outcome.ts';
import { Rejection } from '../domain/rejection.ts';
import { recordLead } from '../leads/record-lead.ts';
import { planLink } from '../payments/plan-link.ts';
import { planPayment } from '../payments/plan-payment.ts';
import { planReversal } from '../payments/plan-reversal.ts';
import { isNobody, payerOf, readsForPayer } from '../payments/read-payment.ts';
import { mapOutcome, type Plan, planNothing } from '../sales/plan.ts';
import { endOfSubscription } from './bind-processor-ids.ts';
import {
	ARCHIVED,
	boundReference,
	delayedPayment,
	recordedPayment,
	rejectedPayment,
	unsoldPayment,
	waitForSale,
	waitForSignup,
} from './fact-outcome.ts';
import type { InboxEvent } from './inbox-event.ts';
import { notifyOfRefusal } from './notify-of-refusal.ts';
import { planCoupon } from './remember-coupon.ts';

/**
 * Plans the effect of one fact, as a tracking call would; only a signup is recorded at once. Idempotent, because `opId` is the same at
 * every attempt. Throws only faults.
 */
export async function planFact(ctx: Context, event: InboxEvent, fact: ProcessorFact, opId: string): Promise<Plan<FactOutcome>> {
	switch (fact.kind) {
		case 'payment':
			return planPaid(ctx, event, fact, opId);
		case 'payment_ids':
			return planIds(ctx, event, fact);
		case 'reversal':
			return planReversed(ctx, event, fact, opId);
		case 'binding':
			return planNothing(boundReference(event, fact));
		case 'signup':
			return planNothing(await signUp(ctx, event, fact));
		case 'subscription_end':
			return planEnd(ctx, event, fact);
		case 'coupon':
			return planCoupon(ctx, event, fact);
	}
}

async function planPaid(ctx: Context, event: InboxEvent, fact: PaymentFact, opId: string): Promise<Plan<FactOutcome>> {
	const { processor, renewalsFollowCheckout: followsFirstSale, expiresAt } = event;
	const awaitsCheckout = ctx.now < expiresAt - WAIT_MS + CHECKOUT_WAIT_MS;
	try {
		const payment = { fact, processor, followsFirstSale, awaitsFirstSale: ctx.now < expiresAt, awaitsCheckout };
		const plan = await planPayment(ctx, event, payment, opId);
		if (typeof plan === 'string') return planNothing(delayedPayment(event, fact, plan));
		return mapOutcome(plan, (draft) => recordedPayment(fact, draft));
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		return planNothing(rejectedPayment(event, fact, error));
	}
}

async function planIds(ctx: Context, event: InboxEvent, fact: PaymentIdsFact): Promise<Plan<FactOutcome>> {
	const { paymentIds } = fact;
	const plan = await planLink(ctx, event, fact);
	if (plan === 'unsold') return planNothing({ ...unsoldPayment(paymentIds, 'Ids of a payment without a recorded sale'), isAside: true });
	if (!plan) return planNothing({ ...waitForSale(paymentIds, 'seldom'), isAside: true });
	return mapOutcome(plan, ({ saleId }) => ({
		state: 'applied',
		reason: `Ids of the payment of sale ${saleId} linked`,
		saleId,
		reportedIds: paymentIds,
	}));
}

async function planReversed(ctx: Context, event: InboxEvent, fact: ReversalFact, opId: string): Promise<Plan<FactOutcome>> {
	const { paymentIds } = fact;
	const plan = await planReversal(ctx, event, fact, opId);
	if (plan === 'unsold') return planNothing(unsoldPayment(paymentIds, 'Nothing to deduct: no sale of this payment is recorded'));
	if (!plan) return planNothing(waitForSale(paymentIds, 'often'));
	if ('chargedIn' in plan) return planForeign(ctx, event, fact, plan);
	return mapOutcome(plan, (receipt) => ({
		state: 'applied',
		reason: reversalReason(fact, receipt),
		saleId: receipt.saleId,
		reportedIds: paymentIds,
	}));
}

async function planForeign(ctx: Context, event: InboxEvent, fact: ReversalFact, foreign: ForeignReversal): Promise<Plan<FactOutcome>> {
	const outcome = foreignOutcome(fact, foreign);
	if (outcome.state !== 'refused') return planNothing(outcome);
	const { saleId } = foreign;
	// Hides the refund's id, because an erasure does not search `outbox_id`.
	const key = await ctx.secrets.pseudonym(`refused ${saleId} ${fact.reversal.kind} ${fact.reversal.id}`);
	return { outcome, writes: [notifyOfRefusal(ctx, event, { saleId, reason: outcome.reason, key })], effects: [] };
}

async function signUp(ctx: Context, event: InboxEvent, { attribution }: SignupFact): Promise<FactOutcome> {
	if (event.isArchived) return ARCHIVED;
	const found = await read(ctx.db, readsForPayer(ctx, event, attribution));
	const { customerKey, clickId } = payerOf(attribution, found);
	const isOrganic = found.bindings.some(({ isUnsold }) => isUnsold === true);
	if (isNobody({ customerKey, clickId })) return waitForSignup(attribution, isOrganic);
	const reportedIds = attribution.processorIds;
	try {
		const lead = { customerKey, clickId, email: undefined, isTest: event.isTest };
		const settlesClaims = event.sender.isOwnBackend === true && attribution.clickId !== undefined;
		const { leadId } = await recordLead(ctx, lead, { mode: 'processor', programId: event.programId, settlesClaims });
		return { state: 'applied', reason: `Lead ${leadId} recorded`, reportedIds };
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		if (error.code === 'lead_status_locked')
			return { state: 'applied', reason: 'The customer is a lead already, or has bought', reportedIds };
		return { state: 'refused', reason: `Refused: ${error.message}` };
	}
}

async function planEnd(ctx: Context, event: InboxEvent, fact: SubscriptionEndFact): Promise<Plan<FactOutcome>> {
	const { known, mark } = endOfSubscription(ctx, event, fact);
	const isKnown = (await read(ctx.db, { known })).known.length > 0;
	if (!isKnown) return planNothing({ state: 'ignored', reason: 'The subscription ended; no data about it is kept' });
	return { outcome: { state: 'applied', reason: 'The end of the subscription is recorded', reportedIds: [] }, writes: [mark], effects: [] };
}
