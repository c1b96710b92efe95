import type { InvoiceData } from './invoice.ts';
import type { Interval } from './price.ts';
import type { DisputeStatus, RefundData, RefundState } from './reversal.ts';
import type { SessionData } from './session.ts';
import type { Shape, StripeEvent } from './wire.ts';

// What a story offers to send: every method makes a new event (a new id) of the same happening.

export interface StoryOptions {
	readonly shape?: Shape;
	/** Default: 'payment'. */
	readonly mode?: 'payment' | 'subscription';
	/** What is charged, tax included, in minor units as Stripe has them. Default 10000. */
	readonly amount?: number;
	/** The part of the amount that is tax. */
	readonly tax?: number;
	/** The part of the amount that is shipping of a single payment, without its tax. */
	readonly shipping?: number;
	readonly taxBehavior?: 'exclusive' | 'inclusive';
	/** In lower case, as Stripe writes it. */
	readonly currency?: string;
	/** Of the checkout session, and of the subscription unless that has its own. */
	readonly metadata?: Record<string, string>;
	readonly subscriptionMetadata?: Record<string, string>;
	readonly clientReferenceId?: string;
	/** Of the payment intent: at Checkout `payment_intent_data.metadata`. */
	readonly intentMetadata?: Record<string, string>;
	/** What is captured by hand, later, of the amount that is authorised. */
	readonly captured?: number;
	/** No Checkout: an intent of the business' own, as Elements pay it. */
	readonly isIntentAlone?: boolean;
	readonly interval?: Interval;
	readonly product?: string;
	readonly trialDays?: number;
	/** Mode payment with an invoice for the receipt. */
	readonly withInvoice?: boolean;
	/** Of a customer who bought before. */
	readonly customer?: string;
	readonly livemode?: boolean;
	/** When the customer pays, ms. Default: now. */
	readonly at?: number;
}

export interface Story {
	readonly ids: {
		readonly customer: string;
		readonly session: string;
		readonly subscription: string | undefined;
		readonly product: string;
	};
	readonly checkout: {
		completed(paymentStatus?: SessionData['paymentStatus']): StripeEvent;
		asyncPaymentSucceeded(): StripeEvent;
		asyncPaymentFailed(): StripeEvent;
		expired(): StripeEvent;
	};
	/** Of mode subscription. */
	readonly subscription: { created(): StripeEvent; updated(): StripeEvent; deleted(): StripeEvent };
	/** The first payment; of a trial its invoice of 0. */
	readonly first: Payment;
	/** The first and its renewals so far. */
	readonly payments: readonly Payment[];
	/** One period after the last payment. */
	renew(change?: RenewalOptions): Payment;
	/** The same story as another API version tells it. */
	in(shape: Shape): Story;
}

export interface RenewalOptions {
	readonly billingReason?: InvoiceData['billingReason'];
	/** What the customer's balance pays of it. */
	readonly paidFromBalance?: number;
	/** What is left of a period, after a change. */
	readonly isProration?: boolean;
	readonly amount?: number;
	readonly tax?: number;
}

export interface Payment {
	readonly ids: { readonly paymentIntent: string; readonly charge: string; readonly invoice: string | undefined };
	/** The `transaction_id` of its sale: the invoice of a subscription, else the payment intent. */
	readonly transactionId: string;
	/** ms. */
	readonly paidAt: number;
	paymentIntentSucceeded(): StripeEvent;
	chargeSucceeded(): StripeEvent;
	invoicePaid(): StripeEvent;
	invoicePaymentSucceeded(): StripeEvent;
	/** Sent since neither the invoice nor its payment names the other. */
	invoicePaymentPaid(): StripeEvent;
	/** All that tells of this payment, the checkout of a first one too, in the order in which it comes as a rule. */
	events(): StripeEvent[];
	/** Without an amount what is left. */
	refund(amount?: number, reason?: RefundData['reason']): Refund;
	readonly refunds: readonly Refund[];
	/** Of an invoice that was paid; where it refunds, the refund has events of its own. */
	creditNote(gives: CreditNoteOptions): CreditNote;
	readonly creditNotes: readonly CreditNote[];
	dispute(amount?: number): Dispute;
	readonly disputes: readonly Dispute[];
}

/** How a credit note gives back: onto the customer's balance, outside of Stripe, by a refund. */
export interface CreditNoteOptions {
	readonly toBalance?: number;
	readonly outOfBand?: number;
	readonly refund?: { readonly id: string; readonly amount: number };
}

export interface CreditNote {
	readonly id: string;
	created(): StripeEvent;
	updated(): StripeEvent;
	voided(): StripeEvent;
}

export interface Refund {
	readonly id: string;
	created(status?: RefundState['status']): StripeEvent;
	updated(status: RefundState['status']): StripeEvent;
	chargeRefundUpdated(status: RefundState['status']): StripeEvent;
	failed(): StripeEvent;
	/** `charge.refunded` with the sum of this refund and the earlier ones. */
	chargeRefunded(): StripeEvent;
	/** The same with the list of the refunds, as before 2022-11. */
	chargeRefundedWithList(): StripeEvent;
}

export interface Dispute {
	readonly id: string;
	created(status?: DisputeStatus): StripeEvent;
	updated(status: DisputeStatus): StripeEvent;
	fundsWithdrawn(status?: DisputeStatus): StripeEvent;
	closed(status: DisputeStatus): StripeEvent;
	fundsReinstated(status?: DisputeStatus): StripeEvent;
	/** It was won, and a day later it is lost. */
	lostAfterAll(): StripeEvent;
}
