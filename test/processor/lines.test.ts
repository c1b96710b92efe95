import { expect, test } from 'vitest';
import { aCustomFunnel, customEvent, sendCustom } from '../support/custom-webhook.ts';
import { aLead, balanceOf } from '../support/funnel.ts';
import { aStripeFunnel, send } from '../support/inbox.ts';
import { aPaddleFunnel, aPaddleStory, sendFromPaddle } from '../support/paddle.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { withLines, withObject } from '../../testing/stripe/wire.ts';
import { api, unique } from '../support/world.ts';
import { withData } from './paddle/read.ts';

// Payments for several products earn by line (decision 53). A sale earns 20 %, seats earn nothing.

interface Shop {
	readonly id: number;
	readonly owner: { readonly token: string };
}

async function withoutSeats<Funnel extends Shop>(funnel: Funnel, product_id = 'seats'): Promise<Funnel> {
	const body = { type: 'percent', percent: 0, product_id };
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/commission-rules`, { token: funnel.owner.token, body });
	if (status !== 201) throw new Error(text);
	return funnel;
}

const aSubscriber = async (funnel: Awaited<ReturnType<typeof aStripeFunnel>>) =>
	stripeStory({ mode: 'subscription', product: 'plan', metadata: { tracker_customer_key: await aLead(funnel) } });
const billedAs = (product: object, total: string, tax: string) => ({ price_id: 'pri_x', quantity: 1, product, totals: { total, tax } });
const pricedAs = (product: string, amount: number) => ({ pricing: { price_details: { price: `price_${product}`, product } }, amount });

test('an invoice of Stripe with two products', async () => {
	const funnel = await withoutSeats(await aStripeFunnel());
	const story = await aSubscriber(funnel);
	const first = withLines(story.first.invoicePaid(), pricedAs('plan', 1_000), { id: 'il_2', ...pricedAs('seats', 9_000) });
	await send(funnel, first);
	expect(await balanceOf(funnel)).toBe(200);
	// An upgrade credits the unused part of the old product.
	const upgrade = story.renew({ billingReason: 'subscription_update', isProration: true }).invoicePaid();
	await send(
		funnel,
		withLines(upgrade, { ...pricedAs('seats', -5_000), proration: true }, { id: 'il_2', ...pricedAs('plan', 15_000), proration: true }),
	);
	expect(await balanceOf(funnel)).toBe(200 + 2_000);
});

test('an invoice of Stripe in a program without rules by line', async () => {
	const funnel = await withoutSeats(await aStripeFunnel());
	await api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: funnel.owner.token, body: { rules_by_line: false } });
	const story = await aSubscriber(funnel);
	await send(funnel, withLines(story.first.invoicePaid(), pricedAs('plan', 1_000), { id: 'il_2', ...pricedAs('seats', 9_000) }));
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('an invoice for a single payment earns the same as its checkout, which has no lines', async () => {
	const funnel = await withoutSeats(await aStripeFunnel());
	const story = await aSubscriber(funnel);
	const single = withObject(story.first.invoicePaid(), {
		parent: null,
		billing_reason: 'manual',
		metadata: { tracker_customer_key: await aLead(funnel) },
	});
	await send(funnel, withLines(single, { ...pricedAs('seats', 10_000), subscription: null, parent: null }));
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a transaction of Paddle with two products', async () => {
	const funnel = await aPaddleFunnel();
	const story = await aPaddleStory(funnel, { mode: 'subscription', amount: 11_900, tax: 1_900 });
	await withoutSeats(funnel, story.ids.product);
	const event = story.first.completed();
	const { details } = { details: {}, ...event.data };
	const lines = [billedAs({ id: story.ids.product }, '10710', '1710'), billedAs({ id: 'pro_other' }, '1190', '190')];
	await sendFromPaddle(funnel, [withData(event, { details: { ...details, line_items: lines } })]);
	expect(await balanceOf(funnel)).toBe(200);
});

test('line_items of the custom webhook, which never refuse a payment', async () => {
	const funnel = await withoutSeats(await aCustomFunnel());
	const payment = async (line_items: unknown) =>
		customEvent('payment', {
			payment_id: unique('order'),
			amount_cents: 10_000,
			currency: 'USD',
			customer_key: await aLead(funnel),
			line_items,
		});
	await sendCustom(
		funnel,
		await payment([
			{ product_id: 'seats', amount_cents: 900 },
			{ product_id: 'plan', amount_cents: 100 },
		]),
	);
	expect(await balanceOf(funnel)).toBe(200);
	for (const anything of ['seats', 5, [{ amount_cents: '1' }], { product_id: 'seats', amount_cents: 1 }, null])
		await sendCustom(funnel, await payment(anything));
	expect(await balanceOf(funnel)).toBe(200 + 5 * 2_000);
});
