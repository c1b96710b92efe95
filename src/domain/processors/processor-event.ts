import type { Sale } from '../commissions/sale.ts';

// What a payment processor tells, in our own words. A processor's module makes these from its payloads; nothing beyond that
// module knows the processor's words. Amounts are minor units of ISO 4217, instants ms UTC.

/** Who an event is about, as far as it says. */
export interface ProcessorAttribution {
	/** From the metadata that the integrator attaches (contract, section 6). */
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** As the metadata has it. Another program's than the address names is refused. */
	readonly programId: string | undefined;
	/**
	 * What the business calls a checkout, of which it may have a use of its own: the customer's key where nothing else names anybody.
	 */
	readonly reference?: string | undefined;
	/** What was bought, where that is a single payment: from the metadata too. */
	readonly productId?: string | undefined;
	/** The coupon that it was bought with, as the metadata or the payload itself has its code. */
	readonly couponCode?: string | undefined;
	/** Of the processor's subscription, then of what its checkout paid: other events may tell who stands behind them. */
	readonly processorIds: readonly string[];
}

/** By what a processor knows a payment. */
export interface PaymentIds {
	/** Every id that an event has for it. */
	readonly paymentIds: readonly string[];
	/** The one of them that is an invoice. What was paid for two invoices is two sales, even where one payment paid them both. */
	readonly invoiceId: string | undefined;
	/** Whether all that asked for it has said who paid, and that is nobody: as a rule nothing that is on its way will. */
	readonly isOrganic?: true | undefined;
}

/** A payment that went through; its transaction_id is one of its ids. */
export interface PaymentFact extends PaymentIds {
	readonly kind: 'payment';
	readonly attribution: ProcessorAttribution;
	readonly sale: Omit<Sale, 'customerKey' | 'clickId' | 'currency'> & { readonly currency: string };
	/** What was charged, tax included: refunds are shares of this. */
	readonly chargedCents: number;
	readonly paidAt: number;
	/** Ids behind which a coupon's code may stand: see CouponFact. Left out where it was bought without any. */
	readonly couponIds?: readonly string[] | undefined;
	/**
	 * Whether a checkout may have asked for it, which knows what of it is tax, and often who paid: for a while it is waited for. Of a
	 * payment that tells of itself; undefined where that is settled.
	 */
	readonly awaitsCheckout?: true | undefined;
	/**
	 * Of a renewal that carries its subscription's metadata without our keys: as of when the metadata were so. Keys that were reported
	 * before do not count any more.
	 */
	readonly keylessSince?: number | undefined;
}

/** Which code stands behind ids of the processor's: its own, or that of another id. */
export interface CouponFact {
	readonly kind: 'coupon';
	/** Of a code, of its use, and of what it is used for. */
	readonly processorIds: readonly string[];
	/** As codes are compared. */
	readonly code: string | undefined;
	readonly of: string | undefined;
}

/** Ids that stand for one payment. */
export interface PaymentIdsFact extends PaymentIds {
	readonly kind: 'payment_ids';
}

/** Money given back. The three kinds of a payment add up to what is reversed of its sale: see domain/given-back.ts. */
export interface ReversalFact extends PaymentIds {
	readonly kind: 'reversal';
	readonly currency: string;
	readonly reason: string | undefined;
	readonly reversal: Reversal;
}

export interface Reversal {
	/** A refund, a dispute, or the total that a charge says was refunded of it up to that moment. */
	readonly kind: 'refund' | 'dispute' | 'total';
	/** The processor's id of the refund or dispute; of a total its charge, moment and amount. */
	readonly id: string;
	readonly amountCents: number;
	readonly happenedAt: number;
	/** When the refund failed or the dispute was won; undefined while it counts. */
	readonly undoneAt: number | undefined;
	/** Of a dispute that counts: when the event says so. */
	readonly stoodAt?: number | undefined;
	/** Of which charge it is, and what was captured of that, where the event says so. */
	readonly chargeId: string | undefined;
	readonly chargeCents: number | undefined;
}

/** Who stands behind the processor's ids. */
export interface ReferenceFact {
	readonly kind: 'binding';
	readonly attribution: ProcessorAttribution;
	/** Where the id is a subscription. */
	readonly beginning: Beginning | undefined;
	/** Where the id is a payment that a checkout asks for. */
	readonly bill?: Bill | undefined;
	/** Where that checkout names nobody. */
	readonly isOrganic?: true | undefined;
}

/** What a checkout asks for, and how much of that is the sale: of what is captured in the end the same share is. */
export interface Bill {
	readonly chargedCents: number;
	readonly saleCents: number;
}

/** Since when a subscription runs, as far as an event tells. */
export interface Beginning {
	readonly beganAt: number;
	/** Where it began with a trial. */
	readonly trialBeganAt: number | undefined;
}

/** A signup, e.g. the start of a trial. */
export interface SignupFact {
	readonly kind: 'signup';
	readonly attribution: ProcessorAttribution;
}

export interface SubscriptionEndFact {
	readonly kind: 'subscription_end';
	readonly subscriptionId: string;
	readonly endedAt: number;
}

export type ProcessorFact = PaymentFact | CouponFact | PaymentIdsFact | ReversalFact | ReferenceFact | SignupFact | SubscriptionEndFact;

/** What a fact is about: who changes one of these changes what the fact is decided upon. */
export function namesIn(fact: ProcessorFact): string[] {
	const names = 'attribution' in fact ? namesOf(fact.attribution) : [];
	return [
		...(fact.kind === 'coupon' ? [...fact.processorIds, ...(fact.of === undefined ? [] : [fact.of])] : []),
		...(fact.kind === 'payment' ? (fact.couponIds ?? []) : []),
		...('paymentIds' in fact ? fact.paymentIds : []),
		...('subscriptionId' in fact ? [fact.subscriptionId] : []),
		...names.filter((name) => name !== undefined),
	];
}

function namesOf({ customerKey, clickId, reference, processorIds }: ProcessorAttribution): (string | undefined)[] {
	return [customerKey, clickId, reference, ...processorIds];
}

export interface ProcessorEvent {
	/** In the order in which they take effect: a binding comes first, a payment last. Empty: there is nothing to do. */
	readonly facts: readonly ProcessorFact[];
	/** In plain words what the event says, or why there is nothing to do. */
	readonly summary: string;
}
