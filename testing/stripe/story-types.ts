import type { InvoiceData } from './invoice.ts';
import type { Interval } from './price.ts';
import type { DisputeStatus, RefundData, RefundState } from './reversal.ts';
import type { SessionData } from './session.ts';
import type { Shape, StripeEvent } from './wire.ts';

// Each method call creates a new event, with a new id, about the same fact.

export interface StoryOptions {
	readonly shape?: Shape;
	/** Default: 'payment'. */
	readonly mode?: 'payment' | 'subscription';
	/** The charged amount in Stripe's minor units, including tax. Default: 10000. */
	readonly amount?: number;
	readonly tax?: number;
	/** The shipping, without tax, that a single payment includes. */
	readonly shipping?: number;
	readonly taxBehavior?: 'exclusive' | 'inclusive';
	/** In lower case, as in Stripe. */
	readonly currency?: string;
	/** The checkout session's. The subscription has it too, unless it has its own. */
	readonly metadata?: Record<string, string>;
	readonly subscriptionMetadata?: Record<string, string>;
	readonly clientReferenceId?: string;
	/** `payment_intent_data.metadata` in Checkout. */
	readonly intentMetadata?: Record<string, string>;
	/** How much of the authorized amount is captured later, manually. */
	readonly captured?: number;
	/** The business creates the intent itself, without Checkout, as with Elements. */
	readonly isIntentAlone?: boolean;
	readonly interval?: Interval;
	readonly product?: string;
	readonly trialDays?: number;
	/** In 'payment' mode: whether there is an invoice as a receipt. */
	readonly withInvoice?: boolean;
	/** The id of a returning customer. */
	readonly customer?: string;
	readonly livemode?: boolean;
	/** When the customer pays, in ms. Default: now. */
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
	/** Only in 'subscription' mode. */
	readonly subscription: { created(): StripeEvent; updated(): StripeEvent; deleted(): StripeEvent };
	/** A trial's first payment is its invoice of 0. */
	readonly first: Payment;
	/** The first payment and its renewals so far. */
	readonly payments: readonly Payment[];
	/** Pays one period after the last payment. */
	renew(change?: RenewalOptions): Payment;
	/** The same story in another API version. */
	in(shape: Shape): Story;
}

export interface RenewalOptions {
	readonly billingReason?: InvoiceData['billingReason'];
	/** The customer's balance pays this part. */
	readonly paidFromBalance?: number;
	/** It pays for the rest of a period after a change. */
	readonly isProration?: boolean;
	readonly amount?: number;
	readonly tax?: number;
}

export interface Payment {
	readonly ids: { readonly paymentIntent: string; readonly charge: string; readonly invoice: string | undefined };
	/** The invoice for a subscription, otherwise the payment intent. */
	readonly transactionId: string;
	/** In ms. */
	readonly paidAt: number;
	paymentIntentSucceeded(): StripeEvent;
	chargeSucceeded(): StripeEvent;
	invoicePaid(): StripeEvent;
	invoicePaymentSucceeded(): StripeEvent;
	/** Only in API versions in which neither the invoice nor its payment names the other. */
	invoicePaymentPaid(): StripeEvent;
	/** All events about this payment in their usual order. A first payment includes those of the checkout. */
	events(): StripeEvent[];
	/** Refunds an amount, by default all that is left. */
	refund(amount?: number, reason?: RefundData['reason']): Refund;
	readonly refunds: readonly Refund[];
	/** Its refund, if there is one, has its own events. */
	creditNote(gives: CreditNoteOptions): CreditNote;
	readonly creditNotes: readonly CreditNote[];
	dispute(amount?: number): Dispute;
	readonly disputes: readonly Dispute[];
}

/** How a credit note pays the customer: to the balance, outside of Stripe, or with a refund. */
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
	/** `charge.refunded` with the list of refunds, as before 2022-11. */
	chargeRefundedWithList(): StripeEvent;
}

export interface Dispute {
	readonly id: string;
	created(status?: DisputeStatus): StripeEvent;
	updated(status: DisputeStatus): StripeEvent;
	fundsWithdrawn(status?: DisputeStatus): StripeEvent;
	closed(status: DisputeStatus): StripeEvent;
	fundsReinstated(status?: DisputeStatus): StripeEvent;
	/** A won dispute is lost a day later. */
	lostAfterAll(): StripeEvent;
}
