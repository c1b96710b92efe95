import { describe, expect, test } from 'vitest';
import type { PaymentFact } from '../../../src/domain/processors/processor-event.ts';
import { readStripeEvent } from '../../../src/processor/stripe/read-event.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import { type StripeEvent, withLines, withObject } from '../../../testing/stripe/wire.ts';

const DAY = 86_400;

function invoicePaid(): StripeEvent {
	return stripeStory({ mode: 'subscription' }).first.invoicePaid();
}

function saleIn(event: StripeEvent) {
	return readStripeEvent(event, 'net').facts.find((fact): fact is PaymentFact => fact.kind === 'payment')?.sale;
}

function saleOf(...lines: object[]) {
	return saleIn(withLines(invoicePaid(), ...lines));
}

function pricedAs(product: string) {
	return { pricing: { price_details: { price: `price_of_${product}`, product } } };
}

function lineOf(subscription: string) {
	return { subscription: null, parent: { subscription_item_details: { subscription } } };
}

describe('the lines of an invoice', () => {
	test.each([
		['for one product', [pricedAs('prod_a'), pricedAs('prod_a')], 'prod_a'],
		['for two', [pricedAs('prod_a'), pricedAs('prod_b')], undefined],
		['for one, and one that is unknown', [pricedAs('prod_a'), { pricing: null }], undefined],
		['for one, without the credit for another', [pricedAs('prod_a'), { ...pricedAs('prod_b'), amount: -500 }], 'prod_a'],
		['for free products', [{ ...pricedAs('prod_a'), amount: 0 }], undefined],
	])('%s', (_, lines, expected) => {
		expect(saleOf(...lines)?.productId).toBe(expected);
	});

	test.each([
		['its price', { pricing: { price_details: { price: { id: 'price_1', product: { id: 'prod_a' } } } } }],
		['its price in the old shape', { pricing: null, price: { id: 'price_1', product: 'prod_a' } }],
		['its plan', { pricing: null, plan: { id: 'plan_1', product: 'prod_a' } }],
	])('name the product by %s alone', (_, line) => {
		expect(saleOf(line)?.productId).toBe('prod_a');
	});

	test('do not name the product if there are more than were sent', () => {
		const event = invoicePaid();
		const more = withObject(event, { lines: { object: 'list', has_more: true, data: [{ amount: 5, ...pricedAs('prod_a') }] } });
		expect(saleIn(more)?.productId).toBeUndefined();
	});

	test.each([
		[27, undefined],
		[28, 'monthly'],
		[31, 'monthly'],
		[32, undefined],
		[89, 'quarterly'],
		[92, 'quarterly'],
		[93, undefined],
		[182, undefined],
		[365, 'annual'],
		[366, 'annual'],
	])('for %i days: %s', (days, expected) => {
		expect(saleOf({ period: { start: 0, end: days * DAY } })?.subscriptionInterval).toBe(expected);
	});

	test.each([
		['is free', { amount: 0 }],
		['does not belong to the subscription', { subscription: null, parent: null }],
	])('give the interval despite one that %s', (_, other) => {
		const month = { period: { start: 0, end: 30 * DAY } };
		const year = { period: { start: 0, end: 365 * DAY } };
		expect(saleOf(month, { ...year, ...other })?.subscriptionInterval).toBe('monthly');
		expect(saleOf(month, year)?.subscriptionInterval).toBeUndefined();
	});

	test('for the rest of a period do not give an interval', () => {
		const month = { period: { start: 0, end: 30 * DAY } };
		expect(saleOf({ ...month, proration: true })?.subscriptionInterval).toBeUndefined();
		const proration = { subscription_item_details: { subscription: 'sub_1', proration: true } };
		expect(saleOf({ ...month, subscription: null, parent: proration })?.subscriptionInterval).toBeUndefined();
	});

	test.each([
		['month', 1, 'monthly'],
		['month', 3, 'quarterly'],
		['month', 12, 'annual'],
		['year', 1, 'annual'],
		['month', 6, undefined],
		['week', 1, undefined],
		['year', 2, undefined],
	])('with a price per %s × %i, whatever the first period', (interval, count, expected) => {
		const recurring = { interval, interval_count: count };
		const period = { start: 0, end: 5 * DAY };
		expect(saleOf({ period, price: { id: 'price_1', product: 'prod_1', recurring } })?.subscriptionInterval).toBe(expected);
		expect(saleOf({ period, plan: recurring })?.subscriptionInterval).toBe(expected);
		expect(saleOf({ period, pricing: { price_details: { price: { id: 'price_1', recurring } } } })?.subscriptionInterval).toBe(expected);
	});

	test('name the subscription if the invoice does not', () => {
		const event = withObject(invoicePaid(), { parent: null });
		expect(saleIn(withLines(event, lineOf('sub_1'), lineOf('sub_1')))).toMatchObject({
			subscriptionId: 'sub_1',
			saleType: 'subscription',
		});
		const item = { subscription: null, parent: { invoice_item_details: { subscription: 'sub_1' } } };
		expect(saleIn(withLines(event, item))?.subscriptionId).toBe('sub_1');
		expect(saleIn(withLines(event, lineOf('sub_1'), lineOf('sub_2')))).toMatchObject({
			subscriptionId: undefined,
			saleType: 'payment',
		});
	});

	test('are stored in short form, a credit below 0', () => {
		const sale = saleOf(...Array.from({ length: 130 }, () => ({ description: 'x'.repeat(500), amount: -250 })));
		const items: { description: string; amount_cents: number }[] = JSON.parse(sale?.lineItems ?? '[]');
		expect(items).toHaveLength(100);
		expect(items[0]).toMatchObject({ description: 'x'.repeat(100), amount_cents: -250 });
		expect(items[99]).toEqual({ description: 'Further lines', amount_cents: 31 * -250 });
	});

	test('are stored less their discounts, with prorations marked', () => {
		const sale = saleOf({ ...pricedAs('prod_a'), amount: 900, discount_amounts: [{ amount: 100 }, { amount: 50 }] }, { proration: true });
		expect(JSON.parse(sale?.lineItems ?? '[]')).toMatchObject([{ product_id: 'prod_a', amount_cents: 750 }, { proration: true }]);
		expect(JSON.parse(sale?.lineItems ?? '[]')[0]).not.toHaveProperty('proration');
	});

	test.each([
		['with the remaining amount', 105, [{ amount_cents: 5 }, { description: 'Further lines', amount_cents: 100 }]],
		['without an amount if the total is unknown', undefined, [{ amount_cents: 5 }, { description: 'Further lines' }]],
	])('in an incomplete list end with a line for the rest, %s', (_, subtotal, lines) => {
		const event = withObject(invoicePaid(), { subtotal, lines: { object: 'list', has_more: true, data: [{ amount: 5 }] } });
		expect(JSON.parse(saleIn(event)?.lineItems ?? '[]')).toEqual(lines);
	});
});
