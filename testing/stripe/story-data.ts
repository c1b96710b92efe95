import type { CreditNoteData } from './credit-note.ts';
import type { ChargeData } from './charge.ts';
import type { InvoiceData } from './invoice.ts';
import { periodEnd, type PriceData } from './price.ts';
import type { DisputeData, RefundData } from './reversal.ts';
import type { SessionData } from './session.ts';
import type { SubscriptionData } from './subscription.ts';
import type { RenewalOptions, StoryOptions } from './story-types.ts';
import { type Setting, stripeId } from './wire.ts';

// The same for all API versions.

export interface PaymentData {
	readonly charge: ChargeData;
	readonly invoice: InvoiceData | undefined;
	readonly invoicePayment: string;
	readonly refunds: RefundData[];
	readonly creditNotes: CreditNoteData[];
	readonly disputes: DisputeData[];
}

export interface StoryData {
	readonly setting: Omit<Setting, 'shape'>;
	readonly session: SessionData;
	readonly subscription: SubscriptionData | undefined;
	readonly price: PriceData;
	/** The price of a period. */
	readonly terms: { readonly amount: number; readonly tax: number };
	readonly payments: PaymentData[];
}

export const DAY = 86_400;

export function begin(options: StoryOptions): StoryData {
	const mode = options.mode ?? 'payment';
	const at = Math.floor((options.at ?? Date.now()) / 1000);
	const amount = options.amount ?? 10_000;
	const interval = mode === 'subscription' ? (options.interval ?? 'monthly') : undefined;
	const taxBehavior = options.taxBehavior ?? 'exclusive';
	const tax = options.tax ?? 0;
	const shipping = mode === 'payment' ? (options.shipping ?? 0) : 0;
	const price: PriceData = {
		id: stripeId('price'),
		product: options.product ?? stripeId('prod'),
		unitAmount: (taxBehavior === 'exclusive' ? amount - tax : amount) - shipping,
		taxBehavior,
		interval,
		createdAt: at - 90 * DAY,
	};
	const metadata = options.metadata ?? {};
	const sessionId = `cs_${options.livemode === false ? 'test' : 'live'}_${stripeId('a1').slice(3)}`;
	const subscriptionId = stripeId('sub');
	const trialEnd = options.trialDays === undefined ? null : at + options.trialDays * DAY;
	const due = trialEnd === null ? { amount, tax } : { amount: 0, tax: 0 };
	const first = paymentData({
		at,
		...due,
		shipping,
		isProration: false,
		paidFromBalance: 0,
		price,
		subscription: mode === 'subscription' ? subscriptionId : null,
		subscriptionMetadata: options.subscriptionMetadata ?? metadata,
		billingReason: mode === 'subscription' ? 'subscription_create' : 'manual',
		period: interval === undefined ? { start: at, end: at } : { start: at, end: trialEnd ?? periodEnd(at, interval) },
		withInvoice: mode === 'subscription' || options.withInvoice === true,
		session: mode === 'payment' && options.isIntentAlone !== true ? sessionId : null,
		intentMetadata: options.intentMetadata ?? {},
		captured: options.captured,
	});
	const session: SessionData = {
		id: sessionId,
		mode,
		status: 'complete',
		paymentStatus: due.amount > 0 ? 'paid' : 'no_payment_required',
		paymentIntent: mode === 'payment' ? first.charge.paymentIntent : null,
		subscription: mode === 'subscription' ? subscriptionId : null,
		setupIntent: null,
		invoice: first.invoice?.id ?? null,
		...due,
		shipping,
		taxBehavior,
		metadata,
		clientReferenceId: options.clientReferenceId ?? null,
		createdAt: at - 60,
	};
	return {
		setting: {
			livemode: options.livemode ?? true,
			currency: options.currency ?? 'usd',
			customer: options.customer ?? stripeId('cus'),
		},
		session,
		subscription:
			interval === undefined
				? undefined
				: {
						id: subscriptionId,
						itemId: stripeId('si'),
						price: { ...price, interval },
						quantity: 1,
						metadata: options.subscriptionMetadata ?? metadata,
						createdAt: at,
						trialEnd,
						latestInvoice: first.invoice?.id ?? '',
					},
		price,
		terms: { amount, tax },
		payments: [first],
	};
}

interface NewPayment extends Pick<
	InvoiceData,
	'billingReason' | 'isProration' | 'paidFromBalance' | 'period' | 'price' | 'shipping' | 'subscription' | 'subscriptionMetadata' | 'tax'
> {
	/** In seconds. */
	readonly at: number;
	readonly amount: number;
	readonly withInvoice: boolean;
	readonly session: string | null;
	readonly intentMetadata?: Record<string, string>;
	readonly captured?: number | undefined;
}

function paymentData(payment: NewPayment): PaymentData {
	const { amount, at, session, withInvoice, intentMetadata = {}, captured, ...ofInvoice } = payment;
	const due = amount - payment.paidFromBalance;
	const charged = captured ?? due;
	const authorized = captured === undefined ? undefined : due;
	const paymentIntent = stripeId('pi');
	const charge = stripeId('ch');
	const invoice = withInvoice
		? {
				...ofInvoice,
				id: stripeId('in'),
				metadata: {},
				total: amount,
				paymentIntent: charged > 0 ? paymentIntent : null,
				charge: charged > 0 ? charge : null,
				quantity: 1,
				lineId: stripeId('il'),
				itemId: payment.subscription === null ? stripeId('ii') : stripeId('si'),
				createdAt: at - 2,
				paidAt: at,
			}
		: undefined;
	return {
		charge: {
			id: charge,
			paymentIntent,
			invoice: invoice?.id ?? null,
			session,
			amount: charged,
			authorized,
			metadata: intentMetadata,
			createdAt: at - 1,
		},
		invoice,
		invoicePayment: stripeId('inpay'),
		refunds: [],
		creditNotes: [],
		disputes: [],
	};
}

export function firstOf(story: StoryData): PaymentData {
	const [first] = story.payments;
	if (!first) throw new Error('A story begins with a payment');
	return first;
}

export function lastPeriodEnd(story: StoryData): number {
	return story.payments.at(-1)?.invoice?.period.end ?? story.session.createdAt;
}

export function addRenewal(story: StoryData, change: RenewalOptions): PaymentData {
	const { subscription, price } = story;
	if (!subscription) throw new Error('This story has no subscription');
	const start = lastPeriodEnd(story);
	const next = paymentData({
		// Stripe keeps a renewal's invoice open for an hour.
		at: start + 3600,
		amount: change.amount ?? story.terms.amount,
		tax: change.tax ?? story.terms.tax,
		shipping: 0,
		isProration: change.isProration ?? false,
		paidFromBalance: change.paidFromBalance ?? 0,
		price,
		subscription: subscription.id,
		subscriptionMetadata: subscription.metadata,
		billingReason: change.billingReason ?? 'subscription_cycle',
		period: { start, end: periodEnd(start, subscription.price.interval) },
		withInvoice: true,
		session: null,
	});
	story.payments.push(next);
	return next;
}
