import { describe, expect, test } from 'vitest';
import type { PaymentFact } from '../../../src/domain/processors/processor-event.ts';
import { readStripeEvent } from '../../../src/processor/stripe/read-event.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import { type StripeEvent, withLines, withObject } from '../../../testing/stripe/wire.ts';

const SHAPES = ['new', 'old'] as const;

function paymentOf(event: StripeEvent, basis: 'net' | 'gross' = 'net'): PaymentFact | undefined {
	return readStripeEvent(event, basis).facts.find((fact): fact is PaymentFact => fact.kind === 'payment');
}

function subscriber() {
	return stripeStory({ mode: 'subscription', amount: 11_900, tax: 1900, currency: 'eur', metadata: { tracker_customer_key: 'user_1' } });
}

describe.each(SHAPES)('the first invoice of a subscription, as the %s API sends it', (shape) => {
	test('is a sale by the invoice, and names its customer', () => {
		const story = subscriber().in(shape);
		const { first, ids } = story;
		const claims = { customerKey: 'user_1', clickId: undefined, programId: undefined };
		const beginning = { beganAt: first.paidAt, trialBeganAt: undefined };
		const { facts, summary } = readStripeEvent(first.invoicePaid(), 'net');
		expect(summary).toBe('invoice paid: 100 EUR');
		expect(facts).toEqual([
			{ kind: 'binding', attribution: { ...claims, processorIds: [ids.subscription] }, beginning },
			{
				kind: 'payment',
				attribution: { ...claims, processorIds: [ids.subscription, first.ids.invoice] },
				sale: {
					transactionId: first.ids.invoice,
					amountCents: 10_000,
					currency: 'EUR',
					saleType: 'subscription',
					isRecurring: false,
					subscriptionId: ids.subscription,
					subscriptionInterval: 'monthly',
					productId: ids.product,
					lineItems: expect.any(String),
				},
				paymentIds: shape === 'old' ? [first.ids.invoice, first.ids.paymentIntent, first.ids.charge] : [first.ids.invoice],
				invoiceId: first.ids.invoice,
				chargedCents: 11_900,
				paidAt: first.paidAt,
			},
		]);
		const [item] = JSON.parse(paymentOf(first.invoicePaid())?.sale.lineItems ?? '[]');
		expect(item).toEqual({
			product_id: ids.product,
			price_id: expect.stringMatching(/^price_/),
			description: '1 × Example plan',
			quantity: 1,
			amount_cents: 10_000,
		});
	});

	test('gives the same facts in both of its events', () => {
		const { first } = subscriber().in(shape);
		expect(readStripeEvent(first.invoicePaymentSucceeded(), 'net')).toEqual(readStripeEvent(first.invoicePaid(), 'net'));
	});

	test.each(['monthly', 'quarterly', 'annual'] as const)('that is paid %s', (interval) => {
		const { first } = stripeStory({ shape, mode: 'subscription', interval, at: Date.UTC(2027, 0, 31) });
		expect(paymentOf(first.invoicePaid())?.sale.subscriptionInterval).toBe(interval);
	});

	test.each([
		['exclusive', 'net', 10_000],
		['inclusive', 'net', 10_000],
		['exclusive', 'gross', 11_900],
		['inclusive', 'gross', 11_900],
	] as const)('whose tax is %s counts %s', (taxBehavior, basis, cents) => {
		const { first } = stripeStory({ shape, mode: 'subscription', amount: 11_900, tax: 1900, taxBehavior });
		expect(paymentOf(first.invoicePaid(), basis)).toMatchObject({ chargedCents: 11_900, sale: { amountCents: cents } });
	});

	test('without a total excluding tax counts by its taxes', () => {
		const event = withObject(subscriber().in(shape).first.invoicePaid(), { total_excluding_tax: null });
		expect(paymentOf(event)?.sale.amountCents).toBe(10_000);
		expect(paymentOf(withObject(event, { tax: null }))?.sale.amountCents).toBe(10_000);
		const sumOnly = { total_taxes: null, total_tax_amounts: null, tax: 1900 };
		expect(paymentOf(withObject(event, sumOnly))?.sale.amountCents).toBe(10_000);
	});

	test('of a trial names its customer and start', () => {
		const { first, ids } = stripeStory({ shape, mode: 'subscription', trialDays: 14, metadata: { tracker_customer_key: 'user_1' } });
		const attribution = { customerKey: 'user_1', clickId: undefined, programId: undefined, processorIds: [ids.subscription] };
		const beginning = { beganAt: first.paidAt, trialBeganAt: first.paidAt };
		const summary = 'trial or fully discounted invoice of 0';
		expect(readStripeEvent(first.invoicePaid(), 'net')).toEqual({ facts: [{ kind: 'binding', attribution, beginning }], summary });
		const later = withObject(first.invoicePaid(), { billing_reason: 'subscription_cycle' });
		expect(readStripeEvent(later, 'net')).toEqual({ facts: [], summary });
	});
});

describe.each(SHAPES)('a later invoice, as the %s API sends it', (shape) => {
	test.each([
		['subscription_cycle', true],
		['subscription_update', true],
		['subscription_threshold', true],
		['subscription_create', false],
		['manual', false],
	] as const)('with the reason %s: recurring is %s', (billingReason, isRecurring) => {
		const story = subscriber().in(shape);
		const renewal = story.renew({ billingReason });
		expect(paymentOf(renewal.invoicePaid())).toMatchObject({
			sale: { transactionId: renewal.ids.invoice, isRecurring, saleType: 'subscription', subscriptionId: story.ids.subscription },
			paidAt: renewal.paidAt,
		});
	});

	test('is distinguished from the first', () => {
		expect(readStripeEvent(subscriber().in(shape).renew().invoicePaid(), 'net').summary).toBe('renewal paid: 100 EUR');
	});

	test('paid partly from the customer balance counts for what was paid, with its share of tax', () => {
		const renewal = subscriber().in(shape).renew({ paidFromBalance: 6900 });
		expect(paymentOf(renewal.invoicePaid())).toMatchObject({ chargedCents: 5000, sale: { amountCents: 4202 } });
		expect(paymentOf(renewal.invoicePaid(), 'gross')).toMatchObject({ chargedCents: 5000, sale: { amountCents: 5000 } });
	});

	test('paid only from the customer balance is not a sale', () => {
		expect(paymentOf(subscriber().in(shape).renew({ paidFromBalance: 11_900 }).invoicePaid())).toBeUndefined();
	});

	test('that is not fully paid is not a sale', () => {
		const open = withObject(subscriber().in(shape).renew().invoicePaymentSucceeded(), { status: 'open', amount_paid: 4000 });
		expect(readStripeEvent(open, 'net')).toEqual({ facts: [], summary: 'invoice that is not paid in full yet' });
	});

	test.each([
		['an unknown currency', { currency: 'xyz' }],
		['an amount above the largest', { amount_paid: 100_000_000_000 }],
		['an amount below 0', { amount_paid: -100 }],
	])('with %s is not a sale', (_, fields) => {
		const event = withObject(subscriber().in(shape).first.invoicePaid(), fields);
		expect(readStripeEvent(event, 'net')).toEqual({ facts: [], summary: 'invoice with an amount or currency that cannot be read' });
	});

	test('of nothing but tax is not a sale', () => {
		const event = withObject(subscriber().in(shape).first.invoicePaid(), { total_excluding_tax: 0 });
		expect(readStripeEvent(event, 'net')).toEqual({ facts: [], summary: 'invoice of nothing but tax' });
	});

	test('names its subscription, whatever its lines are', () => {
		const story = subscriber().in(shape);
		const event = withObject(story.first.invoicePaid(), { lines: { object: 'list', data: [], has_more: false } });
		expect(paymentOf(event)?.sale).toMatchObject({ subscriptionId: story.ids.subscription, productId: undefined, lineItems: undefined });
	});

	test('without a payment time has the time of its event', () => {
		const event = withObject(subscriber().in(shape).first.invoicePaid(), { status_transitions: null });
		expect(paymentOf(event)?.paidAt).toBe(event.created * 1000);
	});
});

test.each(SHAPES)('an invoice without a subscription is a payment (%s)', (shape) => {
	const { first } = stripeStory({ shape, withInvoice: true });
	// Only a subscription recurs, whatever the billing reason.
	expect(paymentOf(withObject(first.invoicePaid(), { billing_reason: 'subscription_cycle' }))).toMatchObject({
		attribution: { processorIds: [first.ids.invoice] },
		sale: {
			transactionId: first.ids.invoice,
			saleType: 'payment',
			isRecurring: false,
			subscriptionId: undefined,
			subscriptionInterval: undefined,
		},
	});
});

test('an invoice paid outside of Stripe counts, even if its paid amount excludes that', () => {
	const outside = withObject(subscriber().in('old').first.invoicePaid(), {
		paid_out_of_band: true,
		amount_paid: 0,
		payment_intent: null,
		charge: null,
	});
	expect(paymentOf(outside)).toMatchObject({ chargedCents: 11_900, sale: { amountCents: 10_000 } });
	expect(paymentOf(withObject(outside, { amount_paid: 5950 }))).toMatchObject({ chargedCents: 5950, sale: { amountCents: 5000 } });
});

test('an invoice from before invoices had a status', () => {
	const { first } = subscriber().in('old');
	expect(paymentOf(withObject(first.invoicePaid(), { status: undefined }))).toBeDefined();
	expect(paymentOf(withObject(first.invoicePaid(), { status: undefined, paid: false }))).toBeUndefined();
});

test('an invoice with its objects and payments instead of their ids', () => {
	const { first, ids } = subscriber();
	const { paymentIntent, charge, invoice } = first.ids;
	const expanded = withObject(first.invoicePaid(), {
		customer: { id: ids.customer, object: 'customer' },
		payments: {
			object: 'list',
			data: [
				{ object: 'invoice_payment', payment: { type: 'payment_intent', payment_intent: { id: paymentIntent, latest_charge: charge } } },
			],
		},
	});
	expect(paymentOf(expanded)).toMatchObject({
		attribution: { processorIds: [ids.subscription, invoice] },
	});
	expect(paymentOf(expanded)?.paymentIds).toEqual([invoice, paymentIntent, charge]);
	const old = withObject(subscriber().in('old').first.invoicePaid(), {
		payment_intent: { id: paymentIntent, object: 'payment_intent', latest_charge: charge },
		charge: { id: charge, object: 'charge' },
		subscription: { id: ids.subscription, object: 'subscription' },
	});
	expect(paymentOf(old)).toMatchObject({
		sale: { subscriptionId: ids.subscription },
		paymentIds: [expect.any(String), paymentIntent, charge],
	});
});

describe('the customer of an invoice', () => {
	const BY_LINE = { tracker_customer_key: 'by_line' };

	test.each(SHAPES)('is in its own metadata if it has no subscription (%s)', (shape) => {
		const { first } = stripeStory({ shape, withInvoice: true });
		const event = withObject(first.invoicePaid(), { metadata: { tracker_customer_key: 'user_2' } });
		expect(paymentOf(event)?.attribution.customerKey).toBe('user_2');
	});

	test.each(SHAPES)('is in the metadata of a line as a last resort (%s)', (shape) => {
		const event = stripeStory({ shape, mode: 'subscription' }).first.invoicePaid();
		expect(paymentOf(withLines(event, { metadata: BY_LINE }))?.attribution.customerKey).toBe('by_line');
	});

	test.each(SHAPES)("is in the subscription's metadata if there is any (%s)", (shape) => {
		const event = withObject(withLines(subscriber().in(shape).first.invoicePaid(), { metadata: BY_LINE }), { metadata: BY_LINE });
		expect(paymentOf(event)?.attribution.customerKey).toBe('user_1');
	});

	test.each(SHAPES)("is unknown without metadata: only Stripe's ids, and the earliest start of the subscription (%s)", (shape) => {
		const story = stripeStory({ shape, mode: 'subscription' });
		const renewal = story.renew();
		const nobody = { customerKey: undefined, clickId: undefined };
		expect(readStripeEvent(renewal.invoicePaid(), 'net').facts).toMatchObject([
			{ kind: 'binding', attribution: { ...nobody, processorIds: [story.ids.subscription] }, beginning: { beganAt: renewal.paidAt } },
			{ kind: 'payment', attribution: { ...nobody, processorIds: [story.ids.subscription, renewal.ids.invoice] } },
		]);
	});

	test("is in the invoice's own metadata, for that invoice only", () => {
		const story = stripeStory({ mode: 'subscription' });
		const event = withObject(story.renew().invoicePaid(), { metadata: { tracker_customer_key: 'user_1' } });
		const [binding, payment] = readStripeEvent(event, 'net').facts;
		expect([binding, payment]).toMatchObject([{ attribution: { customerKey: undefined } }, { attribution: { customerKey: 'user_1' } }]);
	});
});
