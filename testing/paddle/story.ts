import { type Action, type AdjustmentData, adjustmentObject, type AdjustmentStatus } from './adjustment.ts';
import { type Interval, periodEnd, type PriceData } from './price.ts';
import { type SubscriptionData, subscriptionObject, type SubscriptionState } from './subscription.ts';
import { cashOf, type Origin, type TransactionData, transactionData, transactionObject } from './transaction.ts';
import { DAY, eventOf, paddleId, type PaddleEvent, type Setting } from './wire.ts';

// Paddle's events about one customer. Each method call creates a new event, with a new id, about the same fact.

export interface StoryOptions {
	/** Default: 'payment'. */
	readonly mode?: 'payment' | 'subscription';
	/** The price of a period in minor units, including tax. Default: 10000. */
	readonly amount?: number;
	readonly tax?: number;
	/** The customer's credit balance pays this part of the first transaction. */
	readonly credit?: number;
	/** In upper case. */
	readonly currency?: string;
	/** Paddle copies this from the transaction to the subscription, and from there to the renewals. */
	readonly customData?: Readonly<Record<string, unknown>> | null;
	readonly interval?: Interval;
	readonly product?: string;
	readonly trialDays?: number;
	/** When the customer pays, in ms. Default: now. */
	readonly at?: number;
}

export interface RenewalOptions {
	readonly origin?: Origin;
	readonly amount?: number;
	readonly tax?: number;
	readonly credit?: number;
	/** It pays for the rest of a period after a change. */
	readonly isProration?: boolean;
	/** The subscription's current custom data. Default: the first transaction's. */
	readonly customData?: StoryOptions['customData'];
}

export interface Story {
	readonly ids: { readonly customer: string; readonly subscription: string | undefined; readonly product: string };
	/** Only in 'subscription' mode. */
	readonly subscription: { created(): PaddleEvent; updated(): PaddleEvent; canceled(): PaddleEvent };
	/** A trial's first payment is its transaction of 0. */
	readonly first: Payment;
	/** Pays one period after the last payment. */
	renew(change?: RenewalOptions): Payment;
}

export interface Payment {
	readonly id: string;
	/** Paid in cash, including tax. */
	readonly cash: number;
	readonly paidAt: number;
	paid(): PaddleEvent;
	completed(): PaddleEvent;
	/** The events of the payment that the service reads. */
	events(): PaddleEvent[];
	/** Includes tax; by default all. To refund only tax, pass the amount as `tax` too. */
	refund(amount?: number, tax?: number): Adjustment;
	credit(amount: number): Adjustment;
	dispute(action?: Action): Adjustment;
}

export interface Adjustment {
	readonly id: string;
	created(status?: AdjustmentStatus): PaddleEvent;
	updated(status: AdjustmentStatus): PaddleEvent;
}

/** Sends nothing yet. */
export function paddleStory(options: StoryOptions = {}): Story {
	const { mode = 'payment', amount = 10_000, tax = 0, interval = 'monthly', at = Date.now(), trialDays } = options;
	const setting: Setting = {
		currency: options.currency ?? 'USD',
		customer: paddleId('ctm'),
		customData: options.customData ?? null,
	};
	const isOfSubscription = mode === 'subscription';
	const price: PriceData = {
		id: paddleId('pri'),
		product: options.product ?? paddleId('pro'),
		amount: amount - tax,
		interval: isOfSubscription ? interval : undefined,
		trialDays,
		createdAt: at - 90 * DAY,
	};
	const subscriptionId = isOfSubscription ? paddleId('sub') : null;
	const trialEnd = trialDays === undefined ? undefined : at + trialDays * DAY;
	const first = transactionData({
		origin: 'web',
		subscription: subscriptionId,
		amount: trialEnd === undefined ? amount : 0,
		tax: trialEnd === undefined ? tax : 0,
		credit: options.credit ?? 0,
		isProration: false,
		price,
		period: isOfSubscription ? { start: at, end: trialEnd ?? periodEnd(at, interval) } : undefined,
		createdAt: at - 60_000,
		paidAt: at,
	});
	const subscription = { id: subscriptionId ?? '', price, firstTransaction: first.id, createdAt: at, trialEnd };
	return storyOf({
		setting,
		subscription: isOfSubscription ? subscription : undefined,
		interval,
		terms: { amount, tax },
		transactions: [first],
	});
}

interface StoryData {
	readonly setting: Setting;
	readonly subscription: SubscriptionData | undefined;
	readonly interval: Interval;
	readonly terms: { readonly amount: number; readonly tax: number };
	readonly transactions: [TransactionData, ...TransactionData[]];
}

function storyOf(story: StoryData): Story {
	const { setting, subscription, transactions } = story;
	const [first] = transactions;
	const period = first.period ?? { start: first.paidAt, end: first.paidAt };
	const state = (): SubscriptionState => ({ status: isTrial(subscription) ? 'trialing' : 'active', period, canceledAt: null });
	const subscriptionEvent = (type: string, at: number, own: SubscriptionState, more: object = {}) => {
		if (!subscription) throw new Error('This story has no subscription');
		return eventOf(`subscription.${type}`, at, { ...subscriptionObject(setting, subscription, own), ...more });
	};
	return {
		ids: { customer: setting.customer, subscription: subscription?.id, product: first.price.product },
		subscription: {
			created: () => subscriptionEvent('created', first.paidAt + 1_000, state(), { transaction_id: first.id }),
			updated: () => subscriptionEvent('updated', first.paidAt + 2_000, state()),
			canceled: () => {
				const at = lastPeriodEnd(story);
				return subscriptionEvent('canceled', at + 1_000, { ...state(), status: 'canceled', canceledAt: at });
			},
		},
		first: paymentOf(setting, first),
		renew: (change = {}) => {
			const { customData = setting.customData } = change;
			return paymentOf({ ...setting, customData }, addRenewal(story, change));
		},
	};
}

function isTrial(subscription: SubscriptionData | undefined): boolean {
	return subscription?.trialEnd !== undefined;
}

function lastPeriodEnd({ transactions: [first, ...renewals] }: StoryData): number {
	return (renewals.at(-1) ?? first).period?.end ?? first.paidAt;
}

function addRenewal(story: StoryData, change: RenewalOptions): TransactionData {
	const { subscription, terms, transactions, interval } = story;
	if (!subscription) throw new Error('This story has no subscription');
	const start = lastPeriodEnd(story);
	const next = transactionData({
		origin: change.origin ?? 'subscription_recurring',
		subscription: subscription.id,
		amount: change.amount ?? terms.amount,
		tax: change.tax ?? terms.tax,
		credit: change.credit ?? 0,
		isProration: change.isProration ?? false,
		price: subscription.price,
		period: { start, end: periodEnd(start, interval) },
		createdAt: start,
		paidAt: start + 30_000,
	});
	transactions.push(next);
	return next;
}

function paymentOf(setting: Setting, transaction: TransactionData): Payment {
	const { id, paidAt } = transaction;
	const { cash, cashTax } = cashOf(transaction);
	let adjustments = 0;
	const adjust = (action: Action, amount: number, tax: number) => {
		adjustments += 1;
		const own = { action, amount, tax, isFull: amount === cash, createdAt: paidAt + adjustments * DAY };
		return adjustmentOf(setting, {
			...own,
			id: paddleId('adj'),
			itemId: paddleId('adjitm'),
			lineId: transaction.lineId,
			transaction: id,
			subscription: transaction.subscription,
		});
	};
	const completed = () => eventOf('transaction.completed', paidAt + 2_000, transactionObject(setting, transaction, 'completed'));
	return {
		id,
		cash,
		paidAt,
		paid: () => eventOf('transaction.paid', paidAt + 500, transactionObject(setting, transaction, 'paid')),
		completed,
		events: () => [completed()],
		refund: (amount = cash, tax = Math.round((cashTax * amount) / cash)) => adjust('refund', amount, tax),
		credit: (amount) => adjust('credit', amount, Math.round((cashTax * amount) / cash)),
		dispute: (action = 'chargeback') => adjust(action, cash, cashTax),
	};
}

function adjustmentOf(setting: Setting, adjustment: AdjustmentData): Adjustment {
	const initial = adjustment.action === 'refund' ? 'pending_approval' : 'approved';
	// A dispute is decided before the next adjustment happens.
	const decidedAt = adjustment.createdAt + (adjustment.action === 'refund' ? 2 * DAY : DAY / 2);
	return {
		id: adjustment.id,
		created: (status = initial) => eventOf('adjustment.created', adjustment.createdAt, adjustmentObject(setting, adjustment, status)),
		updated: (status) => eventOf('adjustment.updated', decidedAt, adjustmentObject(setting, adjustment, status)),
	};
}
