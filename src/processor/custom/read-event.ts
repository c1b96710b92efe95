import { moneyText } from '../../domain/money.ts';
import type { PaymentFact, ProcessorAttribution, ProcessorEvent, ReversalFact } from '../../domain/processors/processor-event.ts';
import type { AmountBasis } from '../processor.ts';
import { attributionOf, referenceFactOf } from '../reading/attribution.ts';
import { nothing, withFacts } from '../reading/event-reader.ts';
import { type CustomEvent, customEventIn, type DataOf } from './body.ts';

/** The ids are the backend's own, so tracking calls may report the same sales and refunds. */
export function readCustomEvent(body: unknown, basis: AmountBasis): ProcessorEvent {
	const read = customEventIn(body);
	return 'problem' in read ? nothing(`not an event: ${read.problem}`) : factsOf(read.event, basis);
}

function factsOf(event: CustomEvent, basis: AmountBasis): ProcessorEvent {
	switch (event.type) {
		case 'payment':
			return paymentOf(event.data, event.timestamp, basis);
		case 'renewal':
			return paymentOf({ ...event.data, isRenewal: true }, event.timestamp, basis);
		case 'refund':
			return refundOf(event.data, event.timestamp);
		case 'dispute':
			return disputeOf(event.data, event.timestamp);
		case 'signup':
			return signupOf(event.data, event.timestamp);
		case 'subscription_end':
			return withFacts('subscription ended', {
				kind: 'subscription_end',
				subscriptionId: event.data.subscription_id,
				endedAt: event.timestamp,
			});
	}
}

type PaidData = DataOf<'payment'> & Partial<Pick<DataOf<'renewal'>, 'proration'>> & { readonly isRenewal?: true };

/** The subscription stores the payer too, so renewals need not repeat it. */
function paymentOf(data: PaidData, at: number, basis: AmountBasis): ProcessorEvent {
	const { payment_id: paymentId, subscription_id: subscriptionId, amount_cents: chargedCents, currency, isRenewal = false } = data;
	const aside = basis === 'gross' ? 0 : (data.tax_cents ?? 0) + (data.shipping_cents ?? 0);
	const amountCents = Math.max(chargedCents - aside, 0);
	const bindings =
		subscriptionId === undefined ? [] : referenceFactOf(whoOf(data, [subscriptionId]), { beganAt: at, trialBeganAt: undefined });
	if (amountCents === 0) return withFacts('payment of nothing but tax and shipping', ...bindings);
	const payment: PaymentFact = {
		kind: 'payment',
		attribution: whoOf(data, [subscriptionId, paymentId]),
		sale: {
			transactionId: paymentId,
			amountCents,
			currency,
			saleType: subscriptionId === undefined ? 'payment' : 'subscription',
			isRecurring: isRenewal,
			isProration: data.proration === true ? true : undefined,
			subscriptionId,
			subscriptionInterval: data.subscription_interval,
			productId: data.product_id,
			lineItems: data.line_items,
		},
		paymentIds: [paymentId],
		invoiceId: undefined,
		chargedCents,
		paidAt: at,
	};
	return withFacts(`${isRenewal ? 'renewal' : 'payment'} of ${moneyText(amountCents, currency)}`, ...bindings, payment);
}

/** A refund counts from its first event, even while pending, until it fails or is canceled. */
function refundOf({ refund_id: id, status, ...data }: DataOf<'refund'>, at: number): ProcessorEvent {
	const isUndone = status === 'failed' || status === 'canceled';
	return reversalOf(
		{ kind: 'refund', id, isUndone, what: isUndone ? `that ${status === 'failed' ? 'failed' : 'was canceled'}` : '' },
		data,
		at,
	);
}

/** A dispute counts from its first event until it is won. */
function disputeOf({ dispute_id: id, status, ...data }: DataOf<'dispute'>, at: number): ProcessorEvent {
	const isUndone = status === 'won';
	return reversalOf({ kind: 'dispute', id, isUndone, what: isUndone ? 'that was won' : '' }, data, at);
}

interface GivenBack {
	readonly kind: 'refund' | 'dispute';
	readonly id: string;
	readonly isUndone: boolean;
	readonly what: string;
}

function reversalOf(
	{ kind, id, isUndone, what }: GivenBack,
	{ payment_id: paymentId, amount_cents: amountCents, currency, reason }: Omit<DataOf<'refund'>, 'refund_id' | 'status'>,
	at: number,
): ProcessorEvent {
	const fact: ReversalFact = {
		kind: 'reversal',
		paymentIds: [paymentId],
		invoiceId: undefined,
		currency,
		reason,
		reversal: {
			kind,
			id,
			amountCents,
			happenedAt: at,
			undoneAt: isUndone ? at : undefined,
			stoodAt: kind === 'dispute' && !isUndone ? at : undefined,
			chargeId: undefined,
			chargeCents: undefined,
		},
	};
	return withFacts(`${kind} of ${moneyText(amountCents, currency)} ${what}`.trim(), fact);
}

function signupOf(data: DataOf<'signup'>, at: number): ProcessorEvent {
	const { subscription_id: subscriptionId, trial } = data;
	const attribution = whoOf(data, [subscriptionId]);
	const bindings =
		subscriptionId === undefined ? [] : referenceFactOf(attribution, { beganAt: at, trialBeganAt: trial === true ? at : undefined });
	return withFacts(trial === true ? 'trial began' : 'signup', ...bindings, { kind: 'signup', attribution });
}

function whoOf(
	data: { readonly customer_key?: string | undefined; readonly click_id?: string | undefined },
	processorIds: readonly (string | undefined)[],
): ProcessorAttribution {
	return attributionOf([{ customerKey: data.customer_key, clickId: data.click_id, programId: undefined }], processorIds);
}
