import type { Rejection } from '../domain/rejection.ts';
import type { Watch } from '../domain/processors/inbox-schedule.ts';
import type { PaymentFact, ProcessorAttribution, ReferenceFact } from '../domain/processors/processor-event.ts';
import {
	type FactOutcome,
	type PaymentDraft,
	paymentReason,
	SALE_TO_BE,
	TAKEN_ELSEWHERE,
	unattributedPayment,
	type Waiting,
} from '../domain/processors/processor-outcome.ts';
import type { NoSaleYet } from '../payments/plan-payment.ts';
import type { InboxEvent } from './inbox-event.ts';

// The outcome of a fact, with a reason for people to read. Pure.

export function recordedPayment({ paymentIds, attribution }: PaymentFact, draft: PaymentDraft): FactOutcome {
	const { transactionId = [] } = draft;
	const reportedIds = [...paymentIds, ...attribution.processorIds].concat(transactionId);
	const outcome = { state: 'applied', reason: paymentReason(draft), reportedIds } as const;
	return draft.saleId === SALE_TO_BE ? outcome : { ...outcome, saleId: draft.saleId };
}

export function delayedPayment({ sender, renewalsFollowCheckout }: InboxEvent, fact: PaymentFact, why: NoSaleYet): FactOutcome {
	const waitsFor = idsOf(fact);
	switch (why) {
		case 'of_nobody':
		case 'organic': {
			const expiredReason = sender.unattributed?.(fact) ?? unattributedPayment(fact, renewalsFollowCheckout);
			if (why === 'organic') return unsoldPayment(waitsFor, ORGANIC + expiredReason);
			const reason = fact.sale.isRecurring ? `waits: ${expiredReason}` : NOBODY_YET;
			return { state: 'waiting', reason, expiredReason, waitsFor, watch: 'seldom', unsoldIds: fact.paymentIds };
		}
		case 'ahead_of_first':
			return {
				state: 'waiting',
				reason:
					'waits: it renews a subscription whose first payment is not recorded yet; if none arrives, it is recorded when the wait is over',
				expiredReason: 'no first payment of its subscription arrived',
				waitsFor,
				watch: 'often',
			};
		case 'ahead_of_checkout':
			return {
				state: 'waiting',
				reason:
					'waits: it may belong to a checkout that reports which part of it is the sale; if none arrives, it is recorded after about an hour',
				expiredReason: 'no checkout arrived',
				waitsFor,
				watch: 'often',
			};
	}
}

/** Waits if a later event or lead may still name the customer; every other rejection is final. */
export function rejectedPayment({ isArchived }: InboxEvent, fact: PaymentFact, rejection: Rejection): FactOutcome {
	const { paymentIds: unsoldIds, attribution } = fact;
	const waits = { state: 'waiting', waitsFor: idsOf(fact), unsoldIds } as const;
	// No later event replaces a click that the event itself names.
	const mayBringClick = attribution.clickId === undefined;
	const { code } = rejection;
	if (code === 'not_found') {
		// The program was active when the event was read; the next attempt will see why it no longer is.
		if (!isArchived) throw new Error('The program was deactivated in the meantime');
		return { ...ARCHIVED, unsoldIds };
	}
	if (code === 'paid_before_click' || code === 'subscribed_before_click') return { state: 'ignored', reason: CAME_LATER[code], unsoldIds };
	if (code === 'transaction_recorded_elsewhere') return { state: 'refused', reason: TAKEN_ELSEWHERE, unsoldIds };
	if (code === 'sale_customer_not_found') {
		return { ...waits, ...(attribution.reference === undefined ? NO_CUSTOMER : NO_CUSTOMER_OF_REFERENCE) };
	}
	if (code === 'customer_unattributed') {
		if (!mayBringClick) return { state: 'ignored', reason: 'Not recorded: no partner brought the customer', unsoldIds };
		return { ...waits, ...NO_PARTNER };
	}
	if (code === 'sale_customer_elsewhere' && mayBringClick) return { ...waits, ...CUSTOMER_ELSEWHERE };
	return { state: 'refused', reason: `Refused: ${rejection.message}` };
}

const CAME_LATER = {
	paid_before_click: "Not recorded: no partner referred the customer, it was paid before the customer's click",
	subscribed_before_click: "Not recorded: no partner referred the customer, its subscription began before the customer's click",
} as const;

export const ARCHIVED = { state: 'ignored', reason: 'Not recorded: the program is archived. Restore it, then replay the event' } as const;

const NO_CUSTOMER = {
	reason: 'waits: no customer has its customer_key or click_id yet; report the lead',
	expiredReason: 'not attributed: no customer has its customer_key or click_id, and no lead arrived',
	watch: 'often',
} as const;

const NO_CUSTOMER_OF_REFERENCE = {
	reason: 'waits: no customer has its reference as a key yet, and nothing else identifies the customer',
	expiredReason: 'not attributed: it has no tracker metadata, and no customer has its reference as a key',
	watch: 'seldom',
} as const;

const NO_PARTNER = {
	reason: 'waits: as far as is known, no partner brought the customer; a later event or lead may still name a click',
	expiredReason: 'not recorded: no partner brought the customer',
	watch: 'seldom',
} as const;

const CUSTOMER_ELSEWHERE = {
	reason: 'waits: its customer_key is known in another program only; a later event or lead may still name a click of this one',
	expiredReason: 'not attributed: its customer_key is known in another program only',
	watch: 'seldom',
} as const;

function idsOf({ attribution, paymentIds }: PaymentFact): string[] {
	return [...new Set([...attribution.processorIds, ...paymentIds])];
}

/** Settles the event at once. A later report about one of the ids resumes it. */
export function unsoldPayment(ids: readonly string[], reason: string): Waiting {
	return { state: 'waiting', reason, expiredReason: reason, waitsFor: ids, watch: 'seldom', isOrganic: true, unsoldIds: ids };
}

export function waitForSale(paymentIds: readonly string[], watch: Watch): Waiting {
	return {
		state: 'waiting',
		reason: 'waits: no sale of this payment is recorded yet',
		expiredReason: 'no sale of this payment was recorded',
		waitsFor: paymentIds,
		watch,
	};
}

export function waitForSignup({ processorIds }: ProcessorAttribution, isOrganic: boolean): Waiting {
	const expiredReason = 'signup not attributed: the subscription has no tracker metadata';
	return {
		state: 'waiting',
		reason: NOBODY_YET,
		expiredReason: isOrganic ? ORGANIC + expiredReason : expiredReason,
		waitsFor: processorIds,
		watch: 'seldom',
		...(isOrganic && { isOrganic, unsoldIds: processorIds }),
	};
}

const ORGANIC = 'Organic, as far as is known: ';
const NOBODY_YET = 'waits: nothing identifies the customer yet; an earlier event may still arrive';

export function boundReference({ parsed }: InboxEvent, { attribution, bill }: ReferenceFact): FactOutcome {
	// An unpaid checkout only counts once its payment is reported.
	if (bill) return { state: 'ignored', reason: parsed.summary };
	const { customerKey, clickId, reference } = attribution;
	const names = [
		customerKey === undefined ? [] : ['customer_key'],
		clickId === undefined ? [] : ['click_id'],
		reference === undefined ? [] : ['reference'],
	].flat();
	const what = names.length === 0 ? 'the start of the subscription, which has no tracker metadata' : names.join(' and ');
	return { state: 'applied', reason: `Stored for later payments: ${what}`, reportedIds: [], isAside: true };
}
