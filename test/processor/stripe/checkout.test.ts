import { describe, expect, test } from 'vitest';
import { formatClickId } from '../../../src/domain/attribution/click-id.ts';
import type { PaymentFact } from '../../../src/domain/processors/processor-event.ts';
import { readStripeEvent } from '../../../src/processor/stripe/read-event.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import { type StripeEvent, withObject } from '../../../testing/stripe/wire.ts';

const CLICK = clickId(1);
const OTHER_CLICK = clickId(2);

function clickId(nonce: number): string {
	return formatClickId({ referralLinkId: 7, clickedAt: Date.UTC(2026, 5, 1), nonce, isTest: false }, 12_345);
}

function read(event: StripeEvent, basis: 'net' | 'gross' = 'net') {
	const { facts, summary } = readStripeEvent(event, basis);
	return {
		summary,
		kinds: facts.map(({ kind }) => kind),
		binding: facts.find((fact) => fact.kind === 'binding'),
		ids: facts.find((fact) => fact.kind === 'payment_ids')?.paymentIds,
		payment: facts.find((fact): fact is PaymentFact => fact.kind === 'payment'),
	};
}

describe('a paid checkout', () => {
	const story = stripeStory({ amount: 11_900, tax: 1900, currency: 'eur', metadata: { tracker_customer_key: 'user_1', program_id: '12' } });
	const attribution = { customerKey: 'user_1', clickId: undefined, programId: '12', processorIds: [] };

	test('is a sale by its payment intent, identified by the ids of session and invoice too', () => {
		const event = story.checkout.completed();
		const { facts, summary } = readStripeEvent(event, 'net');
		expect(summary).toBe('checkout paid: 100 EUR');
		expect(facts).toEqual([
			{
				kind: 'payment',
				attribution,
				sale: {
					transactionId: story.first.ids.paymentIntent,
					amountCents: 10_000,
					currency: 'EUR',
					saleType: 'payment',
					isRecurring: false,
					subscriptionId: undefined,
					subscriptionInterval: undefined,
					productId: undefined,
					lineItems: undefined,
				},
				paymentIds: [story.first.ids.paymentIntent, story.ids.session],
				chargedCents: 11_900,
				paidAt: event.created * 1000,
			},
		]);
	});

	test('counts with its tax if the program says so', () => {
		const { payment } = read(story.checkout.completed(), 'gross');
		expect(payment).toMatchObject({ chargedCents: 11_900, sale: { amountCents: 11_900 } });
	});

	test('counts without the tax included in its prices', () => {
		const inclusive = stripeStory({ amount: 11_900, tax: 1900, taxBehavior: 'inclusive' });
		expect(read(inclusive.checkout.completed()).payment).toMatchObject({ chargedCents: 11_900, sale: { amountCents: 10_000 } });
	});

	test('knows the invoice created for it', () => {
		const { checkout, first } = stripeStory({ withInvoice: true, metadata: { tracker_customer_key: 'user_1' } });
		const { payment, binding } = read(checkout.completed());
		expect(payment?.paymentIds).toContain(first.ids.invoice);
		expect(binding?.attribution).toMatchObject({ customerKey: 'user_1', processorIds: [first.ids.invoice] });
	});

	test('may contain its objects instead of their ids', () => {
		const { paymentIntent, charge } = story.first.ids;
		const expanded = withObject(story.checkout.completed(), {
			payment_intent: { id: paymentIntent, object: 'payment_intent', latest_charge: { id: charge, object: 'charge' } },
			customer: { id: story.ids.customer, object: 'customer' },
		});
		expect(read(expanded).payment).toMatchObject({
			attribution,
			sale: { transactionId: paymentIntent },
			paymentIds: [paymentIntent, story.ids.session, charge],
		});
	});

	test('stores nothing about Stripe’s customer', () => {
		expect(read(story.checkout.completed()).kinds).toEqual(['payment']);
	});

	test('without a payment intent is a sale by its session', () => {
		const { payment } = read(withObject(story.checkout.completed(), { payment_intent: null }));
		expect(payment).toMatchObject({ sale: { transactionId: story.ids.session }, paymentIds: [story.ids.session] });
	});

	test.each([
		['an unknown currency', { currency: 'xyz' }],
		['no currency', { currency: null }],
		['an amount above the largest', { amount_total: 100_000_000_000 }],
		['an amount below 0', { amount_total: -5 }],
	])('with %s is not a sale', (_, fields) => {
		expect(read(withObject(story.checkout.completed(), fields))).toMatchObject({
			kinds: [],
			summary: 'checkout with an amount or currency that cannot be read',
		});
	});

	test.each([
		['nothing', { amount_total: 0, payment_status: 'no_payment_required' }, 'checkout of 0: nothing was paid'],
		['nothing, whatever its total', { payment_status: 'no_payment_required' }, 'checkout of 0: nothing was paid'],
		['a total of 0', { amount_total: 0 }, 'checkout of 0: nothing was paid'],
		['no total', { amount_total: null }, 'checkout of 0: nothing was paid'],
		['only tax', { amount_total: 500, total_details: { amount_tax: 500 } }, 'checkout of nothing but tax'],
	])('of %s is not a sale', (_, fields, summary) => {
		expect(read(withObject(story.checkout.completed(), fields))).toMatchObject({ kinds: [], summary });
	});
});

describe('a checkout that is paid later', () => {
	const story = stripeStory({ metadata: { tracker_customer_key: 'user_1' } });

	test('waits, and becomes a sale when the payment succeeds', () => {
		expect(read(story.checkout.completed('unpaid'))).toMatchObject({ kinds: ['binding'], summary: 'checkout waits for the payment' });
		const succeeded = story.checkout.asyncPaymentSucceeded();
		expect(read(succeeded).payment).toMatchObject({
			sale: { transactionId: story.first.ids.paymentIntent, amountCents: 10_000 },
			paidAt: succeeded.created * 1000,
		});
	});

	test('is none if the payment fails or it expires', () => {
		expect(read(story.checkout.asyncPaymentFailed())).toMatchObject({ kinds: [], summary: 'checkout whose payment failed' });
		expect(read(story.checkout.expired())).toMatchObject({ kinds: [], summary: 'checkout that expired unpaid' });
	});
});

describe('a checkout in another mode', () => {
	test('subscription names its first invoice and its customer', () => {
		const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: 'user_1' } });
		const reported = read(story.checkout.completed());
		expect(reported).toMatchObject({
			kinds: ['binding', 'payment_ids'],
			summary: 'checkout of a subscription: its invoices make the sales',
		});
		expect(reported.binding?.attribution.processorIds).toEqual([story.first.ids.invoice]);
		expect(reported.ids).toEqual([story.ids.session, story.first.ids.invoice]);
	});

	test('setup gives no fact', () => {
		const story = stripeStory({ metadata: { tracker_customer_key: 'user_1' } });
		const setup = withObject(story.checkout.completed(), { mode: 'setup', payment_intent: null, amount_total: null, currency: null });
		expect(read(setup)).toMatchObject({ kinds: [], summary: 'checkout without a payment' });
	});
});

function attributionOf(metadata: Record<string, string>, clientReferenceId?: string) {
	const story = stripeStory(clientReferenceId === undefined ? { metadata } : { metadata, clientReferenceId });
	return read(story.checkout.completed()).payment?.attribution;
}

describe('the customer of a checkout', () => {
	test.each([
		['the customer key', { tracker_customer_key: 'user_1' }, { customerKey: 'user_1' }],
		['the click', { tracker_click_id: CLICK }, { clickId: CLICK }],
		[
			'all three',
			{ tracker_customer_key: 'a', tracker_click_id: CLICK, program_id: '5' },
			{ customerKey: 'a', clickId: CLICK, programId: '5' },
		],
		['without surrounding blanks', { tracker_customer_key: '  user_1\n' }, { customerKey: 'user_1' }],
		['nothing if blank', { tracker_customer_key: ' ', program_id: '' }, { customerKey: undefined, programId: undefined }],
		['nothing if too long', { tracker_customer_key: 'x'.repeat(256) }, { customerKey: undefined }],
		['up to the maximum length', { tracker_customer_key: 'x'.repeat(255) }, { customerKey: 'x'.repeat(255) }],
		['nothing with control characters', { tracker_customer_key: 'a\u0000b' }, { customerKey: undefined }],
		['nothing with half a character', { tracker_customer_key: 'a\ud800' }, { customerKey: undefined }],
		[
			'nothing if never filled in',
			{ tracker_customer_key: 'undefined', tracker_click_id: 'null' },
			{ customerKey: undefined, clickId: undefined },
		],
		['nothing in foreign fields', { customer_key: 'user_1', order: '7' }, { customerKey: undefined, clickId: undefined }],
	])('is in its metadata: %s', (_, metadata, expected) => {
		expect(attributionOf(metadata)).toMatchObject(expected);
	});

	test.each([
		['a click id', {}, CLICK, CLICK],
		['an order number is ignored', {}, 'order-42', undefined],
		['an invalid click id, which is ignored', {}, 'cust_007_1', undefined],
		['a click id that the metadata overrides', { tracker_click_id: OTHER_CLICK }, CLICK, OTHER_CLICK],
		['a click id if the metadata has an invalid one', { tracker_click_id: 'none' }, CLICK, CLICK],
		['nothing, so the invalid one in the metadata stays', { tracker_click_id: 'none' }, undefined, 'none'],
	])('is in its client_reference_id: %s', (_, metadata, reference, expected) => {
		expect(attributionOf(metadata, reference)?.clickId).toBe(expected);
	});

	test('is unknown if neither has one: no reference is stored', () => {
		expect(read(stripeStory({ metadata: { program_id: '12' } }).checkout.completed()).kinds).toEqual(['payment']);
	});
});
