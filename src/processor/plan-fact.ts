import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { CHECKOUT_WAIT_MS, WAIT_MS, type Watch } from '../domain/processors/inbox-schedule.ts';
import {
	type FactOutcome,
	foreignOutcome,
	type ForeignReversal,
	type PaymentDraft,
	paymentReason,
	reversalReason,
	SALE_TO_BE,
	TAKEN_ELSEWHERE,
	unattributedPayment,
	type Waiting,
} from '../domain/processors/processor-outcome.ts';
import type {
	ReferenceFact,
	PaymentFact,
	PaymentIdsFact,
	ProcessorAttribution,
	ProcessorFact,
	ReversalFact,
	SignupFact,
	SubscriptionEndFact,
} from '../domain/processors/processor-event.ts';
import { Rejection } from '../domain/rejection.ts';
import { recordLead } from '../leads/record-lead.ts';
import { isNobody, payerOf, readsForPayer } from '../payments/find-payer.ts';
import { planLink } from '../payments/plan-link.ts';
import { planPayment } from '../payments/plan-payment.ts';
import { planReversal } from '../payments/plan-reversal.ts';
import { mapOutcome, type Plan, planNothing } from '../sales/plan.ts';
import { endOfSubscription } from './bind-processor-ids.ts';
import type { InboxEvent } from './inbox-event.ts';
import { notifyOfRefusal } from './notify-of-refusal.ts';
import { planCoupon } from './remember-coupon.ts';

/**
 * Plans the effect of one fact, like the verb of a tracking call; a signup is recorded at once, by its verb. Idempotent: `opId` is the
 * same at every try. A thrown error is a fault.
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
			return planNothing(boundOutcome(event, fact));
		case 'signup':
			return planNothing(await signUp(ctx, event, fact));
		case 'subscription_end':
			return planEnd(ctx, event, fact);
		case 'coupon':
			return planCoupon(ctx, event, fact);
	}
}

async function planPaid(ctx: Context, event: InboxEvent, fact: PaymentFact, opId: string): Promise<Plan<FactOutcome>> {
	const { renewalsFollowCheckout: followsFirstSale, expiresAt } = event;
	try {
		const awaitsCheckout = ctx.now < expiresAt - WAIT_MS + CHECKOUT_WAIT_MS;
		const { processor } = event;
		const payment = { fact, processor, followsFirstSale, awaitsFirstSale: ctx.now < expiresAt, awaitsCheckout };
		const plan = await planPayment(ctx, event, payment, opId);
		if (plan === 'ahead_of_checkout') return planNothing(waitForCheckout(fact));
		if (plan === 'organic') return planNothing(unsoldPayment(idsOf(fact), ORGANIC + unattributed(event, fact)));
		if (plan === 'of_nobody') return planNothing(waitForPayer(fact, unattributed(event, fact)));
		if (plan === 'ahead_of_first') return planNothing(waitForFirstSale(fact));
		return mapOutcome(plan, (draft) => paidOutcome(fact, draft));
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		if (error.code === 'not_found') return planNothing(archivedPayment(event, fact));
		return planNothing(refusedPayment(error, fact));
	}
}

const ARCHIVED = { state: 'ignored', reason: 'Not recorded: the program is archived. Restore it, then replay the event' } as const;

/** Without an active program there is no sale. If it was active a moment ago, the next attempt finds out why. */
function archivedPayment({ isArchived }: InboxEvent, { paymentIds: unsoldIds }: PaymentFact): FactOutcome {
	if (!isArchived) throw new Error('The program was deactivated meanwhile');
	return { ...ARCHIVED, unsoldIds };
}

function paidOutcome({ paymentIds, attribution }: PaymentFact, draft: PaymentDraft): FactOutcome {
	const outcome = { state: 'applied', reason: paymentReason(draft), told: [...paymentIds, ...attribution.processorIds] } as const;
	return draft.saleId === SALE_TO_BE ? outcome : { ...outcome, saleId: draft.saleId };
}

/** A rejected sale: its customer or their click may become known later; other reasons are final. */
function refusedPayment(rejection: Rejection, fact: PaymentFact): FactOutcome {
	const { paymentIds: unsoldIds } = fact;
	const waits = { state: 'waiting', waitsFor: idsOf(fact), unsoldIds } as const;
	if (rejection.code === 'sale_customer_not_found' && fact.attribution.reference !== undefined) {
		return {
			...waits,
			reason: 'waits: its reference is the key of no customer yet, and nothing else says who the customer is',
			expiredReason: 'not attributed: it has no tracker metadata, and its reference is the key of no customer',
			watch: 'seldom',
		};
	}
	if (rejection.code === 'sale_customer_not_found') {
		return {
			...waits,
			reason: 'waits: its customer_key or click_id leads to no customer yet; report the lead',
			expiredReason: 'not attributed: its customer_key or click_id led to no customer, and no lead came',
			watch: 'often',
		};
	}
	if (rejection.code === 'paid_before_click') {
		const reason = 'Not recorded: no partner brought it, it was paid before the click by which the customer came';
		return { state: 'ignored', reason, unsoldIds };
	}
	if (rejection.code === 'subscribed_before_click') {
		return {
			state: 'ignored',
			reason: 'Not recorded: no partner brought it, its subscription began before the click by which the customer came',
			unsoldIds,
		};
	}
	// A click in the event itself is final; otherwise a later checkout or lead may name one.
	const mayBringClick = fact.attribution.clickId === undefined;
	if (rejection.code === 'customer_unattributed') {
		if (!mayBringClick) return { state: 'ignored', reason: 'Not recorded: the customer came by no partner', unsoldIds };
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
	if (rejection.code === 'transaction_recorded_elsewhere') return { state: 'refused', reason: TAKEN_ELSEWHERE, unsoldIds };
	return { state: 'refused', reason: `Refused: ${rejection.message}` };
}

async function planIds(ctx: Context, event: InboxEvent, fact: PaymentIdsFact): Promise<Plan<FactOutcome>> {
	const { paymentIds } = fact;
	const plan = await planLink(ctx, event, fact);
	if (plan === 'unsold')
		return planNothing({ ...unsoldPayment(paymentIds, 'Ids of a payment of which no sale is recorded'), isAside: true });
	if (!plan) return planNothing({ ...waitForSale(paymentIds, 'seldom'), isAside: true });
	return mapOutcome(plan, ({ saleId }) => ({
		state: 'applied',
		reason: `Ids of the payment of sale ${saleId} linked`,
		saleId,
		told: paymentIds,
	}));
}

async function planReversed(ctx: Context, event: InboxEvent, fact: ReversalFact, opId: string): Promise<Plan<FactOutcome>> {
	const { paymentIds } = fact;
	const plan = await planReversal(ctx, event, fact, opId);
	if (plan === 'unsold') return planNothing(unsoldPayment(paymentIds, 'Nothing to take back: no sale of this payment is recorded'));
	if (!plan) return planNothing(waitForSale(paymentIds, 'often'));
	if ('chargedIn' in plan) return planForeign(ctx, event, fact, plan);
	return mapOutcome(plan, (receipt) => ({
		state: 'applied',
		reason: reversalReason(fact, receipt),
		saleId: receipt.saleId,
		told: paymentIds,
	}));
}

async function planForeign(ctx: Context, event: InboxEvent, fact: ReversalFact, foreign: ForeignReversal): Promise<Plan<FactOutcome>> {
	const outcome = foreignOutcome(fact, foreign);
	if (outcome.state !== 'refused') return planNothing(outcome);
	const { saleId } = foreign;
	// Hashed, because an erase does not search there.
	const key = await ctx.secrets.pseudonym(`refused ${saleId} ${fact.reversal.kind} ${fact.reversal.id}`);
	return { outcome, writes: [notifyOfRefusal(ctx, event, { saleId, reason: outcome.reason, key })], effects: [] };
}

function boundOutcome({ said }: InboxEvent, { attribution, bill }: ReferenceFact): FactOutcome {
	// An unpaid checkout: its amounts and payer do not count yet.
	if (bill) return { state: 'ignored', reason: said.summary };
	const what =
		isNobody(attribution) && attribution.reference === undefined
			? 'since when the subscription runs; it has no tracker metadata'
			: namesOf(attribution);
	return { state: 'applied', reason: `Remembered for later payments: ${what}`, told: [], isAside: true };
}

async function signUp(ctx: Context, event: InboxEvent, { attribution }: SignupFact): Promise<FactOutcome> {
	if (event.isArchived) return ARCHIVED;
	const found = await read(ctx.db, readsForPayer(ctx, event, attribution));
	const who = payerOf(attribution, found);
	if (isNobody(who)) {
		const isOrganic = found.bindings.some(({ isUnsold }) => isUnsold === true);
		const expiredReason = 'signup not attributed: the subscription has no tracker metadata';
		const { processorIds } = attribution;
		return {
			state: 'waiting',
			reason: NOBODY_YET,
			expiredReason: isOrganic ? ORGANIC + expiredReason : expiredReason,
			waitsFor: processorIds,
			watch: 'seldom',
			...(isOrganic && { isOrganic, unsoldIds: processorIds }),
		};
	}
	const told = attribution.processorIds;
	try {
		const { customerKey, clickId } = who;
		const lead = { customerKey, clickId, email: undefined, isTest: event.isTest };
		const settlesClaims = event.sender.isOwnBackend === true && attribution.clickId !== undefined;
		const { leadId } = await recordLead(ctx, lead, { mode: 'processor', programId: event.programId, settlesClaims });
		return { state: 'applied', reason: `Lead ${leadId} recorded`, told };
	} catch (error) {
		if (!(error instanceof Rejection)) throw error;
		if (error.code === 'lead_status_locked') return { state: 'applied', reason: 'The customer is a lead already, or has bought', told };
		return { state: 'refused', reason: `Refused: ${error.message}` };
	}
}

async function planEnd(ctx: Context, event: InboxEvent, fact: SubscriptionEndFact): Promise<Plan<FactOutcome>> {
	const { known, mark } = endOfSubscription(ctx, event, fact);
	const isKnown = (await read(ctx.db, { known })).known.length > 0;
	if (!isKnown) return planNothing({ state: 'ignored', reason: 'The subscription ended; nothing is remembered of it' });
	return { outcome: { state: 'applied', reason: 'The end of the subscription is noted', told: [] }, writes: [mark], effects: [] };
}

const ORGANIC = 'Organic, as far as is known: ';
const NOBODY_YET = 'waits: nothing says who the customer is; an earlier event may still be on its way';

/** Another event may name the payer, or the backend may report the sale by one of its ids. */
function waitForPayer(fact: PaymentFact, expiredReason: string): FactOutcome {
	const reason = fact.sale.isRecurring ? `waits: ${expiredReason}` : NOBODY_YET;
	return { state: 'waiting', reason, expiredReason, waitsFor: idsOf(fact), watch: 'seldom', unsoldIds: fact.paymentIds };
}

/** What is missing, in the sender's words. */
function unattributed({ sender, renewalsFollowCheckout }: InboxEvent, fact: PaymentFact): string {
	return sender.unattributed?.(fact) ?? unattributedPayment(fact, renewalsFollowCheckout);
}

/** No further event is expected to name anybody; one that does wakes it. */
function unsoldPayment(ids: readonly string[], reason: string): Waiting {
	return { state: 'waiting', reason, expiredReason: reason, waitsFor: ids, watch: 'seldom', isOrganic: true, unsoldIds: ids };
}

/** Recorded without it when the wait ends. */
function waitForFirstSale(fact: PaymentFact): FactOutcome {
	return {
		state: 'waiting',
		reason: 'waits: it renews a subscription whose first payment is not recorded yet; if none comes, it is recorded when the wait is over',
		expiredReason: 'no first payment of its subscription came',
		waitsFor: idsOf(fact),
		watch: 'often',
	};
}

/** Recorded by its own facts if no checkout comes. */
function waitForCheckout(fact: PaymentFact): FactOutcome {
	return {
		state: 'waiting',
		reason: 'waits: a checkout may have asked for it and say what of it is the sale; if none comes, it is recorded after about an hour',
		expiredReason: 'no checkout came',
		waitsFor: idsOf(fact),
		watch: 'often',
	};
}

/** All ids by which other events may report more about a payment. */
function idsOf({ attribution, paymentIds }: PaymentFact): string[] {
	return [...new Set([...attribution.processorIds, ...paymentIds])];
}

/** Events and calls about the payment wake it. */
function waitForSale(paymentIds: readonly string[], watch: Watch): Waiting {
	return {
		state: 'waiting',
		reason: 'waits: no sale of this payment is recorded yet',
		expiredReason: 'no sale of this payment was recorded',
		waitsFor: paymentIds,
		watch,
	};
}

function namesOf({ customerKey, clickId, reference }: ProcessorAttribution): string {
	const names = [
		customerKey === undefined ? [] : ['customer_key'],
		clickId === undefined ? [] : ['click_id'],
		reference === undefined ? [] : ['reference'],
	];
	return names.flat().join(' and ');
}
