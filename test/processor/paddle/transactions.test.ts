import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moneyText } from '../../../src/domain/money.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';
import { nothingOf, readEvent, factsOf, withData } from './read.ts';

const KEYS = { tracker_customer_key: 'user_1', program_id: '12' };

/** `details.totals` of a transaction partly paid by a credit. */
const SPLIT = { subtotal: '10000', discount: '0', tax: '2000', total: '12000', credit: '3000', grand_total: '9000', currency_code: 'USD' };

describe('a one-time transaction', () => {
	const story = paddleStory({ amount: 11_900, tax: 1900, currency: 'EUR', customData: KEYS });
	const event = story.first.completed();

	test('is a sale by its id, without its tax', () => {
		const { facts, summary } = readEvent(event);
		expect(summary).toBe('transaction paid: 100.00 EUR');
		expect(facts).toEqual([
			{
				kind: 'payment',
				attribution: { customerKey: 'user_1', programId: '12', processorIds: [story.first.id] },
				sale: {
					transactionId: story.first.id,
					amountCents: 10_000,
					currency: 'EUR',
					saleType: 'payment',
					isRecurring: false,
					productId: story.ids.product,
					lineItems: expect.stringContaining('"amount_cents":10000'),
				},
				paymentIds: [story.first.id],
				chargedCents: 10_000,
				paidAt: story.first.paidAt,
			},
		]);
	});

	test('counts with its tax if the program says so; the basis for shares of refunds stays without it', () => {
		expect(factsOf(event, 'gross').payment).toMatchObject({ chargedCents: 10_000, sale: { amountCents: 11_900 } });
	});

	test('is of the product named in its custom data', () => {
		const named = withData(event, { custom_data: { ...KEYS, tracker_product_id: 'book' } });
		expect(factsOf(named).payment?.sale.productId).toBe('book');
	});

	test('is dated when the money arrived, or else when Paddle completed it', () => {
		expect(factsOf(withData(event, { payments: [] })).payment?.paidAt).toBe(Date.parse(event.occurred_at));
	});

	test('that is not complete, or has no id or readable amount, is not a sale', () => {
		expect(nothingOf(withData(event, { status: 'billed' }))).toBe('transaction that is not complete yet');
		expect(nothingOf(withData(event, { id: '' }))).toBe('transaction without an id');
		// XXX is the code of ISO 4217 for no currency.
		expect(nothingOf(withData(event, { currency_code: 'XXX' }))).toBe('transaction with an amount or currency that cannot be read');
		expect(nothingOf(withData(event, { details: { totals: { total: 10_000, grand_total: '1e4' } } }))).toContain('cannot be read');
		expect(nothingOf(withData(event, { details: null }))).toContain('cannot be read');
	});

	test('may arrive before it is complete, and counts only then', () => {
		expect(nothingOf(story.first.paid())).toBe('transaction.paid is not read');
	});

	test('of nothing but tax is not a sale, in either basis', () => {
		const details = { totals: { total: '500', tax: '500', grand_total: '500', grand_total_tax: '500' } };
		expect(nothingOf(withData(event, { details }))).toBe('transaction of nothing but tax');
		expect(factsOf(withData(event, { details }), 'gross').kinds).toEqual([]);
	});
});

describe('the part that a credit paid', () => {
	const event = paddleStory().first.completed();
	const withTotals = (totals: object) => factsOf(withData(event, { details: { totals } })).payment;

	test("is not a sale, and its tax is not the sale's", () => {
		expect(withTotals({ ...SPLIT, grand_total_tax: '1500' })).toMatchObject({ chargedCents: 7_500, sale: { amountCents: 7_500 } });
	});

	test('is calculated without the field of 2026, and if that field has the tax of the whole', () => {
		expect(withTotals(SPLIT)?.sale.amountCents).toBe(7_500);
		expect(withTotals({ ...SPLIT, grand_total_tax: '2000' })?.sale.amountCents).toBe(7_500);
		const { grand_total: _, ...early } = SPLIT;
		expect(withTotals(early)?.sale.amountCents).toBe(7_500);
	});

	test('leaves no sale if it is everything', () => {
		const { kinds, summary } = factsOf(
			paddleStory({ mode: 'subscription', credit: 10_000, customData: KEYS }).renew({ credit: 10_000 }).completed(),
		);
		expect(kinds).toEqual([]);
		expect(summary).toBe('trial, or transaction that a discount or credit paid');
	});
});

test.each(['USD', 'JPY', 'KRW', 'CLP', 'VND', 'HUF', 'TWD', 'KWD', 'ISK'])('an amount of %s is in its lowest denomination', (currency) => {
	const { payment, summary } = factsOf(paddleStory({ amount: 1234, currency }).first.completed());
	expect(payment).toMatchObject({ chargedCents: 1234, sale: { amountCents: 1234, currency } });
	expect(summary).toBe(`transaction paid: ${moneyText(1234, currency)}`);
});

test('a sale never exceeds what was paid, and all bases agree on the price', () => {
	const amounts = fc.integer({ min: 1_000, max: 99_999_999_999 });
	fc.assert(
		fc.property(
			amounts,
			fc.double({ min: 0, max: 0.5, noNaN: true }),
			fc.double({ min: 0, max: 0.99, noNaN: true }),
			(amount, rate, share) => {
				const tax = Math.floor(amount * rate);
				const credit = Math.floor((amount - 1) * share);
				const event = paddleStory({ amount, tax, credit }).first.completed();
				const gross = factsOf(event, 'gross').payment;
				expect(gross?.sale.amountCents).toBe(amount - credit);
				const net = factsOf(event).payment;
				expect(net?.sale.amountCents).toBe(net?.chargedCents);
				expect(net?.chargedCents).toBe(gross?.chargedCents);
				expect(net?.sale.amountCents).toBeLessThanOrEqual(amount - credit);
			},
		),
	);
});

describe('a transaction of a subscription', () => {
	const story = paddleStory({ mode: 'subscription', interval: 'annual', customData: KEYS });
	const binding = { kind: 'binding', attribution: { customerKey: 'user_1', processorIds: [story.ids.subscription] } };

	test('is its first sale, and links what Paddle copies to the subscription', () => {
		const first = factsOf(story.first.completed());
		expect(first.kinds).toEqual(['binding', 'payment']);
		expect(first.binding).toMatchObject({ ...binding, beginning: { beganAt: story.first.paidAt } });
		expect(first.payment?.sale).toMatchObject({
			saleType: 'subscription',
			isRecurring: false,
			subscriptionId: story.ids.subscription,
			subscriptionInterval: 'annual',
			productId: story.ids.product,
		});
	});

	test.each(['subscription_recurring', 'subscription_update', 'subscription_charge'] as const)(
		'is a renewal by its origin %s',
		(origin) => {
			const renewal = factsOf(story.renew({ origin }).completed());
			expect(renewal.summary).toBe('renewal paid: 100.00 USD');
			expect(renewal.payment?.sale).toMatchObject({ isRecurring: true, subscriptionId: story.ids.subscription });
			expect(renewal.payment?.sale.isProration).toBeUndefined();
		},
	);

	test('is a proration if everything that costs something is prorated', () => {
		const { payment } = factsOf(story.renew({ origin: 'subscription_update', isProration: true, amount: 5_000 }).completed());
		expect(payment?.sale).toMatchObject({ isRecurring: true, isProration: true });
		expect(payment?.sale.subscriptionInterval).toBeUndefined();
	});

	test.each([
		['monthly', 'monthly'],
		['quarterly', 'quarterly'],
	] as const)('has its billing interval: %s', (interval, told_) => {
		const event = paddleStory({ mode: 'subscription', interval }).first.completed();
		expect(factsOf(event).payment?.sale.subscriptionInterval).toBe(told_);
	});

	test("that is a trial has the subscription's start, and is not a sale", () => {
		const trial = paddleStory({ mode: 'subscription', trialDays: 14, customData: KEYS });
		const { kinds, binding: bound } = factsOf(trial.first.completed());
		expect(kinds).toEqual(['binding']);
		expect(bound?.beginning?.trialBeganAt).toBe(bound?.beginning?.beganAt);
	});
});
