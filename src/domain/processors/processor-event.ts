import type { Sale } from '../commissions/sale.ts';

// What processors report, in our words. A processor's module makes these from its payloads; nothing else knows its vocabulary. Amounts
// are minor units of ISO 4217, instants ms UTC.

/** Whom an event is about, as far as it says. */
export interface ProcessorAttribution {
	/** From the integrator's metadata (contract, section 6). */
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** From the metadata. If it is not the address's program, the event is refused. */
	readonly programId: string | undefined;
	/** A checkout's reference. The business may use it otherwise, so it is the customer's key only if nothing else names one. */
	readonly reference?: string | undefined;
	/** The product of a single payment, also from the metadata. */
	readonly productId?: string | undefined;
	/** The coupon code in the metadata or payload. */
	readonly couponCode?: string | undefined;
	/** Ids of the subscription, then of what its checkout paid: other events may name their customer. */
	readonly processorIds: readonly string[];
}

/** A processor's ids of a payment. */
export interface PaymentIds {
	/** All ids in the event. */
	readonly paymentIds: readonly string[];
	/** The one that is an invoice. Two invoices are two sales, even if one payment paid both. */
	readonly invoiceId: string | undefined;
	/** Everything that requested it names no payer, so probably nothing will. */
	readonly isOrganic?: true | undefined;
}

/** A completed payment; its transaction_id is one of its ids. */
export interface PaymentFact extends PaymentIds {
	readonly kind: 'payment';
	readonly attribution: ProcessorAttribution;
	readonly sale: Omit<Sale, 'customerKey' | 'clickId' | 'currency'> & { readonly currency: string };
	/** What was charged, tax included: refunds are shares of it. */
	readonly chargedCents: number;
	readonly paidAt: number;
	/** Ids that may have a coupon's code: see CouponFact. Undefined without a coupon. */
	readonly couponIds?: readonly string[] | undefined;
	/**
	 * A checkout may have requested it, which knows the tax and often the payer, so it waits for a while. Undefined if that is settled.
	 */
	readonly awaitsCheckout?: true | undefined;
	/** For a renewal whose subscription metadata lack our keys: since when. Keys reported earlier no longer count. */
	readonly keylessSince?: number | undefined;
}

/** The coupon code of some processor ids, possibly through another id. */
export interface CouponFact {
	readonly kind: 'coupon';
	/** Ids of a code, of its use, and of what used it. */
	readonly processorIds: readonly string[];
	/** Normalised. */
	readonly code: string | undefined;
	readonly of: string | undefined;
}

/** Ids of one payment. */
export interface PaymentIdsFact extends PaymentIds {
	readonly kind: 'payment_ids';
}

/** A refund or dispute. The three kinds together decide what is reversed of the sale: see domain/refunds/refunded-amount.ts. */
export interface ReversalFact extends PaymentIds {
	readonly kind: 'reversal';
	readonly currency: string;
	readonly reason: string | undefined;
	readonly reversal: Reversal;
}

export interface Reversal {
	/** A refund, a dispute, or the refunded total of a charge at that time. */
	readonly kind: 'refund' | 'dispute' | 'total';
	/** The processor's id of the refund or dispute; for a total its charge, time and amount. */
	readonly id: string;
	readonly amountCents: number;
	readonly happenedAt: number;
	/** When the refund failed or the dispute was won; undefined while it counts. */
	readonly undoneAt: number | undefined;
	/** For a dispute that counts: the time of the event. */
	readonly stoodAt?: number | undefined;
	/** The charge and its captured amount, if the event has them. */
	readonly chargeId: string | undefined;
	readonly chargeCents: number | undefined;
}

/** Who is behind processor ids. */
export interface ReferenceFact {
	readonly kind: 'binding';
	readonly attribution: ProcessorAttribution;
	/** If the id is a subscription. */
	readonly beginning: Beginning | undefined;
	/** If the id is a payment that a checkout requests. */
	readonly bill?: Bill | undefined;
	/** If that checkout names nobody. */
	readonly isOrganic?: true | undefined;
}

/** What a checkout requests, and the sale's part of it: the captured amount is split in the same proportion. */
export interface Bill {
	readonly chargedCents: number;
	readonly saleCents: number;
}

/** Since when a subscription runs, as far as an event says. */
export interface Beginning {
	readonly beganAt: number;
	/** If it began with a trial. */
	readonly trialBeganAt: number | undefined;
}

/** A sign-up, for example the start of a trial. */
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

/** The ids on which the decision about a fact rests. */
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
	/** In the order of their effects: references first, a payment last. Empty: nothing to do. */
	readonly facts: readonly ProcessorFact[];
	/** What the event says, or why there is nothing to do, in plain words. */
	readonly summary: string;
}
