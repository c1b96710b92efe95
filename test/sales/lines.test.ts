import { beforeAll, expect, test } from 'vitest';
import { sell } from '../support/coupons.ts';
import { aFunnel, aLead, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

// Commissions of a cart are calculated by line (decision 53).

const CART = [
	{ product_id: 'giftcard', amount_cents: 9_000 },
	{ product_id: 'mug', amount_cents: 1_000 },
];

/** Pays 20 %, and nothing for gift cards. */
async function aShop(overrides: object = {}): Promise<Funnel> {
	const shop = await aFunnel({ ...overrides });
	await aRule(shop, { type: 'percent', percent: 0, product_id: 'giftcard' });
	return shop;
}

async function aRule(shop: Funnel, rule: object): Promise<void> {
	const { status, text } = await api(`/api/v1/programs/${shop.id}/commission-rules`, { token: shop.owner.token, body: rule });
	if (status !== 201) throw new Error(`The rule answered ${status}: ${text}`);
}

/** The commission of a sale to a new customer. */
async function earnedBy(shop: Funnel, fields: object): Promise<number | undefined> {
	const { status, body } = await sell(shop, { customer_key: await aLead(shop), ...fields });
	expect(status).toBe(200);
	const [made] = await rows<{ amount_cents: number }>('SELECT amount_cents FROM commissions WHERE sale_id = ?', body['sale_id']);
	return made?.amount_cents;
}

let shop: Funnel;
beforeAll(async () => {
	shop = await aShop();
});

test('a gift card of 90.00 and a mug of 10.00 earn 2.00', async () => {
	expect(await earnedBy(shop, { line_items: CART })).toBe(200);
	expect(await earnedBy(shop, { line_items: CART.toReversed() })).toBe(200);
});

test('discounts and tax are spread: the lines are scaled to the sale', async () => {
	expect(await earnedBy(shop, { amount_cents: 5_000, line_items: CART })).toBe(100);
	expect(await earnedBy(shop, { line_items: [...CART, { description: 'Voucher', amount_cents: -5_000 }] })).toBe(200);
});

test.each<[what: string, fields: object, cents: number]>([
	['an object', { line_items: { giftcard: CART[0] }, product_id: 'giftcard' }, 0],
	['a line without amount_cents', { line_items: [...CART, { product_id: 'mug' }] }, 2_000],
	['invalid lines', { line_items: [null, 'a', { amount_cents: {} }, [[]]] }, 2_000],
	["a line without product_id uses the sale's product", { line_items: [{ amount_cents: 1 }], product_id: 'giftcard' }, 0],
	['a product without a rule', { line_items: [{ product_id: 'x'.repeat(300), amount_cents: 1 }] }, 2_000],
])('no sale is refused because of its lines: %s', async (_what, fields, cents) => {
	expect(await earnedBy(shop, fields)).toBe(cents);
});

test("the partner's own rules take precedence on each line", async () => {
	const own = await aShop();
	await aRule(own, { type: 'flat', amount_cents: 150, product_id: 'mug', partner_id: own.partnerId });
	expect(await earnedBy(own, { line_items: [...CART, { product_id: 'mug', amount_cents: 500 }] })).toBe(150);
});

test('a program without rules by line earns as before, until an owner switches them on', async () => {
	const own = await aShop({ rules_by_line: false });
	expect(await earnedBy(own, { line_items: CART })).toBe(2_000);
	expect(await earnedBy(own, { line_items: CART, product_id: 'giftcard' })).toBe(0);
	const { status, body } = await api(`/api/v1/programs/${own.id}`, {
		method: 'PATCH',
		token: own.owner.token,
		body: { rules_by_line: true },
	});
	expect([status, body.data]).toEqual([200, expect.objectContaining({ rules_by_line: true })]);
	expect(await earnedBy(own, { line_items: CART })).toBe(200);
	// Earlier commissions stay unchanged.
	expect(await balanceOf(own)).toBe(2_200);
});

test('a refund deducts its share of the whole commission, whichever line was refunded (decision 14)', async () => {
	const own = await aShop();
	const transaction_id = unique('cart');
	await sell(own, { transaction_id, customer_key: await aLead(own), line_items: CART });
	const { body } = await track('refund', { transaction_id, refund_amount_cents: 9_000 }, own.apiToken);
	expect(body).toMatchObject({ status: 'refunded', deductionAmount: 1.8 });
	expect(await balanceOf(own)).toBe(20);
});

test('concurrent carts are decided independently', async () => {
	const own = await aShop();
	const customer_key = await aLead(own);
	const answers = await Promise.all(Array.from({ length: 6 }, async () => sell(own, { customer_key, line_items: CART })));
	expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
	expect(await balanceOf(own)).toBe(1_200);
});
