import { recordSale } from '../../src/sales/record-sale.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Payment, Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import { type Shape, type StripeEvent, withObject } from '../../testing/stripe/wire.ts';
import type { Books } from './books.ts';
import { answerOf, CUSTOMER, KEY_HASH } from './sandbox.ts';
import type { BackendCall, Happening } from './ways.ts';

// Payments of 119.00 including 19.00 tax, which earn 20.00, and Stripe's events about them.

export interface OrderedStory {
	/** Happens in any order. */
	readonly tell: (story: Story) => Happening[];
	readonly options?: StoryOptions;
	readonly before?: (story: Story) => StripeEvent[];
	/** By default all are applied. */
	readonly events?: readonly string[];
	readonly books: Pick<Books, 'sales' | 'balance' | 'netRevenue' | 'netCommission'>;
	/** Tries every order, even if there are many. */
	readonly isTriedInFull?: boolean;
}

export function timelineOf({ options }: OrderedStory, shape: Shape, now: number): Story {
	const metadata = { tracker_customer_key: CUSTOMER };
	return stripeStory({ shape, amount: 11_900, tax: 1_900, metadata, at: now - 60_000, ...options });
}

function booksOf(...refunds: readonly number[]): OrderedStory['books'] {
	const left = refunds.reduce((sum, cents) => sum + 10_000 - cents, 0);
	return {
		sales: refunds.map((cents) => `10000 USD, ${cents} refunded, ${statusOf(cents)} ${cents / 5} of 2000`).toSorted(),
		balance: left / 5,
		netRevenue: left,
		netCommission: left / 5,
	};
}

function statusOf(refunded: number): string {
	if (refunded === 0) return 'approved';
	return refunded === 10_000 ? 'reversed' : 'refunded';
}

/** Stripe's events for the payment itself and for its ids. */
function paid({ checkout, first }: Story): StripeEvent[] {
	return [first.chargeSucceeded(), first.paymentIntentSucceeded(), checkout.completed()];
}

/** The backend also reports the sale, under one of its ids. */
function selling(transactionId: string): BackendCall {
	const sale = {
		transactionId,
		amountCents: 10_000,
		currency: 'USD',
		customerKey: CUSTOMER,
		clickId: undefined,
		saleType: 'payment',
		isRecurring: false,
		subscriptionId: undefined,
		subscriptionInterval: undefined,
		productId: undefined,
		lineItems: undefined,
	} as const;
	return function backendSells(sandbox, gate) {
		return answerOf(recordSale(sandbox.context(gate), KEY_HASH, sale));
	};
}

/** The backend also reports a refund, under one of its sale's ids. */
function refunding(transactionId: string, amountCents?: number, refundId?: string): BackendCall {
	return function backendRefunds(sandbox, gate) {
		return answerOf(reverseSale(sandbox.context(gate), KEY_HASH, { transactionId, amountCents, reason: undefined, refundId }));
	};
}

const quarterOf = (payment: Payment) => payment.refund(2_975);
const halfOf = (payment: Payment) => payment.refund(5_950);

export const TIMELINES: Readonly<Record<string, OrderedStory>> = {
	'a single payment': { tell: paid, books: booksOf(0) },
	'a quarter refunded, then a half, told by their sum': {
		isTriedInFull: true,
		tell: (story) => [...paid(story), quarterOf(story.first).chargeRefunded(), halfOf(story.first).chargeRefunded()],
		books: booksOf(7_500),
	},
	'the same, told by sum and by id': {
		tell: (story) => {
			const [one, two] = [quarterOf(story.first), halfOf(story.first)];
			return [...paid(story), one.created(), one.chargeRefunded(), two.chargeRefunded(), two.created(), two.updated('succeeded')];
		},
		books: booksOf(7_500),
	},
	'a payment that takes its time': {
		tell: ({ checkout, first }) => [
			checkout.completed('unpaid'),
			first.paymentIntentSucceeded(),
			checkout.asyncPaymentSucceeded(),
			halfOf(first).created(),
		],
		// An unpaid checkout is ignored.
		events: ['applied', 'ignored'],
		books: booksOf(5_000),
	},
	'a payment with an invoice, of a product that has a rule': {
		isTriedInFull: true,
		options: { withInvoice: true, product: 'pro' },
		tell: ({ checkout, first }) => [
			first.chargeSucceeded(),
			first.invoicePaid(),
			first.invoicePaymentPaid(),
			checkout.completed(),
			quarterOf(first).created(),
		],
		books: booksOf(2_500),
	},
	'the same, whose checkout does not name the invoice': {
		options: { withInvoice: true },
		tell: ({ checkout, first }) => [
			first.invoicePaid(),
			first.invoicePaymentPaid(),
			withObject(checkout.completed(), { invoice: null }),
			quarterOf(first).created(),
		],
		books: booksOf(2_500),
	},
	'the first invoice of a subscription': {
		options: { mode: 'subscription' },
		tell: ({ first }) => [...first.events(), quarterOf(first).created()],
		books: booksOf(2_500),
	},
	'the same, of which only the checkout says who it is': {
		options: { mode: 'subscription', subscriptionMetadata: {} },
		tell: ({ checkout, first }) => [
			checkout.completed(),
			first.invoicePaymentSucceeded(),
			first.invoicePaymentPaid(),
			halfOf(first).created(),
		],
		books: booksOf(5_000),
	},
	'a renewal': {
		options: { mode: 'subscription' },
		before: ({ first }) => first.events(),
		tell: (story) => {
			const renewal = story.renew();
			return [...renewal.events(), quarterOf(renewal).chargeRefunded()];
		},
		books: booksOf(0, 2_500),
	},
	'a renewal that only the backend tells of: its subscription says nothing': {
		options: { mode: 'subscription', subscriptionMetadata: {} },
		before: ({ first }) => first.events(),
		tell: (story) => {
			const renewal = story.renew();
			const { paymentIntent } = renewal.ids;
			return [renewal.invoicePaid(), renewal.invoicePaymentPaid(), selling(paymentIntent), quarterOf(renewal).created()];
		},
		books: booksOf(0, 2_500),
	},
	'the first payment after a trial that is longer than the window': {
		options: { mode: 'subscription', trialDays: 90 },
		before: ({ first, subscription, checkout }) => [subscription.created(), first.invoicePaid(), checkout.completed()],
		tell: (story) => {
			const renewal = story.renew();
			return [...renewal.events(), halfOf(renewal).created()];
		},
		books: booksOf(5_000),
	},
	'a refund that fails': {
		tell: ({ checkout, first }) => {
			const refund = first.refund();
			return [
				checkout.completed(),
				refund.created('pending'),
				refund.chargeRefunded(),
				refund.failed(),
				refund.chargeRefundUpdated('failed'),
			];
		},
		books: booksOf(0),
	},
	'one that fails and one that does not': {
		tell: ({ checkout, first }) => {
			const [one, two] = [quarterOf(first), halfOf(first)];
			return [checkout.completed(), one.created(), one.failed(), two.chargeRefunded(), two.created()];
		},
		books: booksOf(5_000),
	},
	'a dispute that is won': {
		tell: ({ checkout, first }) => {
			const dispute = first.dispute();
			return [checkout.completed(), dispute.created(), dispute.fundsWithdrawn(), dispute.closed('won'), dispute.fundsReinstated()];
		},
		books: booksOf(0),
	},
	'a dispute that is won, and lost after all': {
		tell: ({ checkout, first }) => {
			const dispute = first.dispute();
			return [checkout.completed(), dispute.created(), dispute.closed('won'), dispute.fundsReinstated(), dispute.lostAfterAll()];
		},
		books: booksOf(10_000),
	},
	'a dispute that is lost': {
		tell: ({ checkout, first }) => {
			const dispute = first.dispute();
			return [checkout.completed(), dispute.created(), dispute.fundsWithdrawn(), dispute.closed('lost')];
		},
		books: booksOf(10_000),
	},
	'a refund, and a dispute over the rest': {
		tell: ({ checkout, first }) => {
			const [refund, dispute] = [quarterOf(first), first.dispute(8_925)];
			return [checkout.completed(), refund.chargeRefunded(), refund.created(), dispute.created(), dispute.closed('won')];
		},
		books: booksOf(2_500),
	},
	'a payment that the backend reports too': {
		tell: (story) => [...paid(story), selling(story.ids.session), quarterOf(story.first).created()],
		books: booksOf(2_500),
	},
	'a payment of which only the backend says who made it': {
		options: { metadata: {} },
		tell: ({ checkout, first }) => [checkout.completed(), first.chargeSucceeded(), selling(first.ids.charge), halfOf(first).created()],
		books: booksOf(5_000),
	},
	'an invoice that the backend reports too, under the payment': {
		options: { mode: 'subscription' },
		tell: ({ first }) => [first.invoicePaid(), first.invoicePaymentPaid(), selling(first.ids.paymentIntent), quarterOf(first).created()],
		books: booksOf(2_500),
	},
	'an invoice that the backend reports too, under its id': {
		options: { mode: 'subscription' },
		tell: ({ first }) => [
			first.invoicePaid(),
			first.invoicePaymentPaid(),
			selling(first.ids.invoice ?? ''),
			halfOf(first).chargeRefunded(),
			quarterOf(first).created(),
		],
		books: booksOf(7_500),
	},
	'refunds that the backend reports too': {
		tell: ({ checkout, first }) => {
			const [one, two] = [quarterOf(first), halfOf(first)];
			const { charge, paymentIntent } = first.ids;
			return [
				checkout.completed(),
				first.chargeSucceeded(),
				one.chargeRefunded(),
				two.created(),
				refunding(paymentIntent, 2_500, one.id),
				refunding(charge, 5_000, two.id),
			];
		},
		books: booksOf(7_500),
	},
	'a full refund that the backend reports too': {
		tell: ({ checkout, first }) => {
			const refund = first.refund();
			return [checkout.completed(), refund.created(), refund.chargeRefunded(), refunding(first.ids.paymentIntent)];
		},
		books: booksOf(10_000),
	},
	'a refund that fails, which the backend had reported': {
		tell: ({ checkout, first }) => {
			const refund = halfOf(first);
			return [checkout.completed(), refund.created('pending'), refund.failed(), refunding(first.ids.paymentIntent, 5_000)];
		},
		books: booksOf(0),
	},
	'a payment, and the same in test mode': {
		tell: ({ checkout, first }) => {
			const refund = first.refund();
			const tests = [checkout.completed(), refund.created()].map((event) => ({ ...event, livemode: false }));
			return [checkout.completed(), first.chargeSucceeded(), ...tests];
		},
		books: booksOf(0),
	},
};
