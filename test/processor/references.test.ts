import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { aClick, aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { customersOf } from '../support/leads.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api } from '../support/world.ts';

// The business's own reference of a checkout (client_reference_id), and the product it names (tracker_product_id).

const SHAPES = ['new', 'old'] as const;

describe('a client_reference_id that is not a click id', () => {
	test.each(SHAPES)('is the customer’s key: %s', async (shape) => {
		const funnel = await aStripeFunnel();
		await send(funnel, stripeStory({ shape, clientReferenceId: await aLead(funnel) }).checkout.completed());
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test.each(SHAPES)('is so for the first invoice of a subscription, in either order: %s', async (shape) => {
		for (const isCheckoutFirst of [true, false]) {
			const funnel = await aStripeFunnel();
			const { checkout, first } = stripeStory({ shape, mode: 'subscription', clientReferenceId: await aLead(funnel) });
			const events = [checkout.completed(), first.invoicePaid()];
			await send(funnel, ...(isCheckoutFirst ? events : events.toReversed()));
			expect(await balanceOf(funnel)).toBe(2_000);
		}
	});

	test('is so for a payment that is captured later', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = stripeStory({ clientReferenceId: await aLead(funnel), captured: 10_000 });
		await send(funnel, checkout.completed('unpaid'), first.paymentIntentSucceeded());
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('that is an order number yields to metadata, and names no customer', async () => {
		const funnel = await aStripeFunnel();
		const clickId = await aClick(funnel);
		await send(funnel, stripeStory({ clientReferenceId: 'order-7', metadata: { tracker_click_id: clickId } }).checkout.completed());
		expect(await balanceOf(funnel)).toBe(2_000);
		expect(await customersOf(clickId)).toMatchObject([{ customer_key: null }]);
	});

	test("yields to the subscription's metadata, in either order", async () => {
		for (const isCheckoutFirst of [true, false]) {
			const funnel = await aStripeFunnel();
			const clickId = await aClick(funnel);
			const subscriptionMetadata = { tracker_click_id: clickId };
			const { checkout, first } = stripeStory({ mode: 'subscription', clientReferenceId: 'order-8', subscriptionMetadata });
			const events = [checkout.completed(), first.invoicePaid()];
			await send(funnel, ...(isCheckoutFirst ? events : events.toReversed()));
			expect(await balanceOf(funnel)).toBe(2_000);
			expect(await customersOf(clickId)).toMatchObject([{ customer_key: null }]);
		}
	});

	test("yields to the payment intent's metadata if the checkout is captured later, in either order", async () => {
		for (const isCheckoutFirst of [true, false]) {
			const funnel = await aStripeFunnel();
			const clickId = await aClick(funnel);
			const options = { clientReferenceId: 'order-9', intentMetadata: { tracker_click_id: clickId }, captured: 10_000 };
			const { checkout, first } = stripeStory(options);
			const events = [checkout.completed('unpaid'), first.paymentIntentSucceeded()];
			await send(funnel, ...(isCheckoutFirst ? events : events.toReversed()));
			expect(await balanceOf(funnel)).toBe(2_000);
			expect(await customersOf(clickId)).toMatchObject([{ customer_key: null }]);
		}
	});

	test('that names no customer expires, and says why', async () => {
		const funnel = await aStripeFunnel();
		const event = stripeStory({ clientReferenceId: 'order-10' }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^waiting: waits: no customer has its reference as a key yet/);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toBe(
			'expired: not attributed: it has no tracker metadata, and no customer has its reference as a key',
		);
	});

	test('of an erased customer is refused', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = await aLead(funnel);
		const erased = await api(`${funnel.path}/customers/erase`, {
			method: 'POST',
			token: funnel.owner.token,
			body: { customer_key: customerKey },
		});
		expect([erased.status, erased.text]).toEqual([200, expect.any(String)]);
		const event = stripeStory({ clientReferenceId: customerKey }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('refused: Not recorded: its customer was erased');
	});
});

async function withRule(funnel: StripeFunnel, productId: string): Promise<void> {
	const { status, text } = await api(`${funnel.path}/commission-rules`, {
		method: 'POST',
		token: funnel.owner.token,
		body: { product_id: productId, type: 'percent', percent: 50 },
	});
	if (status !== 201) throw new Error(text);
}

const productsOf = ({ id }: StripeFunnel) => rows('SELECT product_id FROM affiliate_sale_events WHERE program_id = ?', id);

describe('tracker_product_id', () => {
	test.each(SHAPES)('is the product of a one-time payment, in the metadata of its checkout, invoice or intent: %s', async (shape) => {
		for (const place of ['metadata', 'intentMetadata'] as const) {
			for (const isReversed of [false, true]) {
				const funnel = await aStripeFunnel();
				await withRule(funnel, 'course');
				const metadata = { tracker_customer_key: await aLead(funnel), tracker_product_id: ' course ' };
				const { first, checkout } = stripeStory({ shape, withInvoice: true, [place]: metadata });
				const events = [checkout.completed(), first.paymentIntentSucceeded(), first.invoicePaid()];
				await send(funnel, ...(isReversed ? events.toReversed() : events));
				expect(await productsOf(funnel), `${place} ${isReversed}`).toEqual([{ product_id: 'course' }]);
				expect(await balanceOf(funnel)).toBe(5_000);
			}
		}
	});

	test('is read from an intent created by the business, in test mode too', async () => {
		for (const livemode of [true, false]) {
			const funnel = await aStripeFunnel();
			const intentMetadata = { tracker_customer_key: await aLead(funnel), tracker_product_id: 'course' };
			await send(funnel, stripeStory({ isIntentAlone: true, intentMetadata, livemode }).first.paymentIntentSucceeded());
			expect(await productsOf(funnel)).toEqual([{ product_id: 'course' }]);
		}
	});

	test('is ignored for a subscription, whose lines name its product', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel), tracker_product_id: 'course' };
		const { first, checkout } = stripeStory({ mode: 'subscription', product: 'prod_1', metadata });
		await send(funnel, checkout.completed(), first.invoicePaid());
		expect(await productsOf(funnel)).toEqual([{ product_id: 'prod_1' }]);
	});
});
