import { expect, test } from 'vitest';
import { previewRulesByLine } from '../../src/programs/preview-rules-by-line.ts';
import { context } from '../support/payments.ts';
import { sell } from '../support/coupons.ts';
import { aFunnel, aLead, type Funnel } from '../support/funnel.ts';
import { api } from '../support/world.ts';

// What rules_by_line would have changed in the last 90 days (decision 53).

const CART = [
	{ product_id: 'giftcard', amount_cents: 9_000 },
	{ product_id: 'mug', amount_cents: 1_000 },
];

async function aShop(): Promise<Funnel> {
	const shop = await aFunnel({ rules_by_line: false });
	const body = { type: 'percent', percent: 0, product_id: 'giftcard' };
	await api(`/api/v1/programs/${shop.id}/commission-rules`, { token: shop.owner.token, body });
	return shop;
}

const preview = async (shop: Funnel) =>
	(await api<object>(`/api/v1/programs/${shop.id}/commission-rules/by-line`, { token: shop.owner.token })).body.data;

test('carts are compared under the current rules', async () => {
	const shop = await aShop();
	const customer_key = await aLead(shop);
	const { body } = await sell(shop, { customer_key, transaction_id: `cart-${customer_key}`, line_items: CART });
	await sell(shop, { customer_key, line_items: [{ product_id: 'mug', amount_cents: 1 }] });
	await sell(shop, { customer_key, currency: 'EUR', line_items: CART });
	await sell(shop, { customer_key, line_items: { plan: 'Pro' } });
	await sell(shop, { customer_key });
	await sell(shop, { line_items: CART, additional_data: { test_mode: true } });
	expect(await preview(shop)).toMatchObject({
		sales_read: 5,
		complete: true,
		carts: 3,
		changed: 2,
		totals: [
			{ currency: 'EUR', whole_cents: 2_000, by_line_cents: 200 },
			{ currency: 'USD', whole_cents: 4_000, by_line_cents: 2_200 },
		],
		examples: [{ currency: 'EUR' }, { sale_id: body['sale_id'], amount_cents: 10_000, whole_cents: 2_000, by_line_cents: 200 }],
	});
});

test('a program without carts has nothing to compare', async () => {
	const shop = await aShop();
	expect(await preview(shop)).toMatchObject({ sales_read: 0, complete: true, carts: 0, changed: 0, totals: [], examples: [] });
});

test('it reads up to its limits and says if they cut it off', async () => {
	const shop = await aShop();
	const customer_key = await aLead(shop);
	for (let cart = 0; cart < 3; cart += 1) await sell(shop, { customer_key, line_items: CART });
	const limits = { sales: 10, carts: 10, rules: 10 };
	const of = (fewer: Partial<typeof limits>) => previewRulesByLine(context(), shop, { ...limits, ...fewer });
	expect(await of({})).toMatchObject({ salesRead: 3, carts: 3, isComplete: true });
	expect(await of({ sales: 2 })).toMatchObject({ salesRead: 2, carts: 2, isComplete: false });
	expect(await of({ carts: 1 })).toMatchObject({ carts: 1, isComplete: false });
	expect(await of({ rules: 1 })).toMatchObject({ carts: 3, isComplete: false });
});
