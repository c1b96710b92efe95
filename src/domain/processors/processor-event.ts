import type { Sale } from '../commissions/sale.ts';

// What processors report, in our own terms. Each processor's module translates its payloads into these facts; no other code uses the
// processor's terms. Amounts are in minor units of ISO 4217, instants in ms UTC.

export interface ProcessorAttribution {
	/** From the integrator's metadata (contract, section 6). */
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** An event that names another program than its URL is refused. */
	readonly programId: string | undefined;
	/** A checkout's reference. It is the customer key only if no other field names one, because shops also use it for other things. */
	readonly reference?: string | undefined;
	/** From the metadata. */
	readonly productId?: string | undefined;
	readonly couponCode?: string | undefined;
	/** Other events may name the customer of these ids, the subscription's first. */
	readonly processorIds: readonly string[];
}

export interface PaymentIds {
	readonly paymentIds: readonly string[];
	/** Two invoices are two sales, even if one payment covered both. */
	readonly invoiceId: string | undefined;
	/** Set if nothing that requested the payment names a payer, so probably no later event will. */
	readonly isOrganic?: true | undefined;
}

/** A completed payment. Its transaction_id is one of the payment ids. */
export interface PaymentFact extends PaymentIds {
	readonly kind: 'payment';
	readonly attribution: ProcessorAttribution;
	readonly sale: Omit<Sale, 'customerKey' | 'clickId' | 'currency'> & { readonly currency: string };
	/** Tax included. Refunds are shares of it. */
	readonly chargedCents: number;
	readonly paidAt: number;
	/** Unset without a coupon. */
	readonly couponIds?: readonly string[] | undefined;
	/** Set if a checkout may have requested the payment, because the checkout has the tax and often the payer. */
	readonly awaitsCheckout?: true | undefined;
	/** Set for a renewal whose subscription has none of our keys: the time of that metadata. Keys reported earlier no longer count. */
	readonly keylessSince?: number | undefined;
}

export interface CouponFact {
	readonly kind: 'coupon';
	/** Of the code, its redemption, and what it was applied to. */
	readonly processorIds: readonly string[];
	/** Normalised. */
	readonly code: string | undefined;
	readonly of: string | undefined;
}

/** Links ids that belong to the same payment. */
export interface PaymentIdsFact extends PaymentIds {
	readonly kind: 'payment_ids';
}

/** A refund, a dispute or a total. Together they determine the refunded amount: see domain/refunds/refunded-amount.ts. */
export interface ReversalFact extends PaymentIds {
	readonly kind: 'reversal';
	readonly currency: string;
	readonly reason: string | undefined;
	readonly reversal: Reversal;
}

export interface Reversal {
	/** `total`: the refunded total of a charge at that time. */
	readonly kind: 'refund' | 'dispute' | 'total';
	/** For a total: its charge, time and amount. */
	readonly id: string;
	readonly amountCents: number;
	readonly happenedAt: number;
	/** When the refund failed or the dispute was won; undefined while it counts. */
	readonly undoneAt: number | undefined;
	/** For a dispute that still counts: the time of this event. */
	readonly stoodAt?: number | undefined;
	/** The charge and its captured amount, if the event has them. */
	readonly chargeId: string | undefined;
	readonly chargeCents: number | undefined;
}

export interface ReferenceFact {
	readonly kind: 'binding';
	readonly attribution: ProcessorAttribution;
	/** Set if the id belongs to a subscription. */
	readonly beginning: Beginning | undefined;
	/** Set if the id belongs to a payment that a checkout requests. */
	readonly bill?: Bill | undefined;
	readonly isOrganic?: true | undefined;
}

/** What a checkout requests, and the part of it that is the sale. The captured amount is split in proportion. */
export interface Bill {
	readonly chargedCents: number;
	readonly saleCents: number;
}

export interface Beginning {
	readonly beganAt: number;
	readonly trialBeganAt: number | undefined;
}

/** For example the start of a trial. */
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
	/** In the order of processing: references first, a payment last. Empty if there is nothing to do. */
	readonly facts: readonly ProcessorFact[];
	/** What the event reports, or why there is nothing to do. */
	readonly summary: string;
}
