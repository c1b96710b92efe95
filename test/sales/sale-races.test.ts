import { expect, test } from 'vitest';
import { aClick, aFunnel, aLead, aSale, balanceOf, rows, track } from '../support/funnel.ts';
import { aRival, sell } from '../support/coupons.ts';
import { unique } from '../support/world.ts';

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

test('100 concurrent sales with one transaction_id: one 200, 99 x 409, one credit', async () => {
	const funnel = await aFunnel();
	const sale = { transaction_id: unique('txn'), amount_cents: 5_000, customer_key: await aLead(funnel) };
	const answers = await Promise.all(times(100).map(() => track('sale', sale, funnel.apiToken)));
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
	expect(await balanceOf(funnel)).toBe(1_000);
});

test('concurrent sales of two programs with one transaction_id: one program gets it', async () => {
	const funnels = [await aFunnel(), await aFunnel()];
	const transactionId = unique('txn');
	const answers = await Promise.all(
		funnels.map(async (funnel) =>
			track('sale', { transaction_id: transactionId, amount_cents: 5_000, customer_key: await aLead(funnel) }, funnel.apiToken),
		),
	);
	expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
	const balances = await Promise.all(funnels.map((funnel) => balanceOf(funnel)));
	expect(balances.toSorted()).toEqual([0, 1_000]);
});

test('30 concurrent sales by one click without a lead: 30 commissions, one customer', async () => {
	const funnel = await aFunnel();
	const clickId = await aClick(funnel);
	const answers = await Promise.all(
		times(30).map(() => track('sale', { transaction_id: unique('txn'), amount_cents: 100, click_id: clickId }, funnel.apiToken)),
	);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	expect(new Set(answers.map(({ body }) => body['commission_id'])).size).toBe(30);
	expect(await balanceOf(funnel)).toBe(600);
	expect(await rows('SELECT status FROM customers WHERE click_id = ?', clickId)).toEqual([{ status: 'conversion' }]);
});

test('a sale and its own lead at once: both are recorded, and the customer is a conversion', async () => {
	const funnel = await aFunnel();
	for (const _ of times(5)) {
		const ids = { click_id: await aClick(funnel), customer_key: unique('customer') };
		const [lead, sale] = await Promise.all([
			track('lead', ids, funnel.apiToken),
			track('sale', { transaction_id: unique('txn'), amount_cents: 100, ...ids }, funnel.apiToken),
		]);
		// If the lead is recorded second, the customer is already a conversion.
		expect([200, 400]).toContain(lead.status);
		expect(sale.status).toBe(200);
		expect(await rows('SELECT status FROM customers WHERE customer_key = ?', ids.customer_key)).toEqual([{ status: 'conversion' }]);
	}
	expect(await balanceOf(funnel)).toBe(100);
});

test("concurrent sales of one customer with two partners' coupons: both are recorded, and the customer keeps one partner", async () => {
	const funnel = await aFunnel();
	const [one, two] = [await aRival(funnel), await aRival(funnel)];
	for (const _ of times(10)) {
		const customer_key = unique('customer');
		await track('lead', { customer_key }, funnel.apiToken);
		const answers = await Promise.all([one, two].map(({ coupon }) => sell(funnel, { customer_key, coupon_code: coupon.code })));
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		const sold = await rows('SELECT DISTINCT partner_program_id FROM customers WHERE customer_key = ?', customer_key);
		expect(sold).toHaveLength(1);
	}
});

test("concurrent sales of two partners never change the other's balance", async () => {
	const [one, two] = [await aFunnel(), await aFunnel()];
	const [keyOne, keyTwo] = [await aLead(one), await aLead(two)];
	await Promise.all(
		times(20).flatMap((index) => [
			track('sale', { transaction_id: unique('txn'), amount_cents: 500, customer_key: keyOne }, one.apiToken),
			track('sale', { transaction_id: unique('txn'), amount_cents: 50 * index + 50, customer_key: keyTwo }, two.apiToken),
		]),
	);
	expect([await balanceOf(one), await balanceOf(two)]).toEqual([2_000, 2_100]);
});

test('concurrent first sales of one subscription: one is the first, the others are renewals', async () => {
	const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, recurring_months: 0 } });
	const customer_key = await aLead(funnel);
	await aSale(funnel, { customer_key, amount_cents: 100 });
	const subscription_id = unique('sub');
	const answers = await Promise.all(
		times(10).map(() =>
			track('sale', { transaction_id: unique('txn'), amount_cents: 1_000, customer_key, subscription_id }, funnel.apiToken),
		),
	);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	expect(answers.filter(({ body }) => body['commission_id'] !== null)).toHaveLength(1);
	expect(await balanceOf(funnel)).toBe(20 + 200);
});
