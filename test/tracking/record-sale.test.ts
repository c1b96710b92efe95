import { expect, test } from 'vitest';
import { aClick, aFunnel, aLead, aSale, balanceOf, track } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

test('a sale to a lead earns the partner a commission', async () => {
	const funnel = await aFunnel();
	const customerKey = await aLead(funnel);
	const { status, body } = await track(
		'sale',
		{ transaction_id: unique('txn'), amount_cents: 9999, customer_key: customerKey },
		funnel.apiToken,
	);
	expect(body).toEqual({
		success: true,
		sale_id: expect.any(Number),
		commission_id: expect.any(Number),
		message: 'Sale recorded and commission created.',
	});
	expect(status).toBe(200);
	expect(await balanceOf(funnel)).toBe(2000);
});

test('a full refund reverses the commission, and a second one is skipped', async () => {
	const funnel = await aFunnel();
	const { transactionId, commissionId } = await aSale(funnel);
	const refund = await track('refund', { transaction_id: transactionId }, funnel.apiToken);
	expect(refund.body).toEqual({ success: true, status: 'reversed', deductionAmount: 20, commission_id: commissionId });
	expect(await balanceOf(funnel)).toBe(0);
	const again = await track('refund', { transaction_id: transactionId }, funnel.apiToken);
	expect(again.body).toEqual({ success: true, status: 'skipped', reason: 'Commission already reversed', commission_id: commissionId });
});

test('100 racing sales with one transaction_id: one 200, 99 x 409, one credit', async () => {
	const funnel = await aFunnel();
	const customerKey = await aLead(funnel);
	const sale = { transaction_id: unique('txn'), amount_cents: 5000, customer_key: customerKey };
	const answers = await Promise.all(Array.from({ length: 100 }, () => track('sale', sale, funnel.apiToken)));
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
	expect(await balanceOf(funnel)).toBe(1000);
});

test('50 racing refunds: one reversed, 49 skipped, one deduction', async () => {
	const funnel = await aFunnel();
	await aSale(funnel);
	const { transactionId } = await aSale(funnel);
	const answers = await Promise.all(Array.from({ length: 50 }, () => track('refund', { transaction_id: transactionId }, funnel.apiToken)));
	expect(answers.filter(({ body }) => body['status'] === 'reversed')).toHaveLength(1);
	expect(answers.filter(({ body }) => body['status'] === 'skipped')).toHaveLength(49);
	expect(await balanceOf(funnel)).toBe(2000);
});

test('a sale by click_id with no lead before it is recorded', async () => {
	const funnel = await aFunnel();
	const { status, body } = await track(
		'sale',
		{ transaction_id: unique('txn'), amount_cents: 100, click_id: await aClick(funnel) },
		funnel.apiToken,
	);
	expect([status, body['commission_id']]).toEqual([200, expect.any(Number)]);
});
