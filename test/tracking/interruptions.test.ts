import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { bearer, trackWith } from '../support/bindings.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, unique } from '../support/world.ts';

// Deterministic races: another request commits between a request's read and its write.

function call(funnel: Funnel, route: string, body: Record<string, unknown>, meanwhile: () => Promise<unknown>) {
	return trackWith({ DB: interrupted(env.DB, meanwhile) }, route, body, bearer(funnel.apiToken));
}

function decide(funnel: Funnel, path: string, commissionId: number | null) {
	return api(`/api/v1/programs/${funnel.id}/${path}`, { token: funnel.owner.token, body: { commission_ids: [commissionId] } });
}

test('a refund after a concurrent payout creates a debt', async () => {
	const funnel = await aFunnel();
	const { transactionId, commissionId } = await aSale(funnel);
	const { body } = await call(funnel, 'refund', { transaction_id: transactionId }, () => decide(funnel, 'payouts', commissionId));
	expect(body).toMatchObject({ status: 'reversed', deductionAmount: 20 });
	expect(await rows('SELECT status_before_refund FROM commissions WHERE id = ?', commissionId)).toEqual([{ status_before_refund: 'paid' }]);
	expect(await balanceOf(funnel)).toBe(-2_000);
	await expectSoundLedger(funnel);
});

test('a refund after a concurrent rejection is skipped and stored', async () => {
	const funnel = await aFunnel();
	const { transactionId, commissionId } = await aSale(funnel);
	const { body } = await call(funnel, 'refund', { transaction_id: transactionId }, () =>
		decide(funnel, 'commissions/reject', commissionId),
	);
	expect(body).toMatchObject({ status: 'skipped', reason: expect.stringContaining('rejected') });
	expect(await balanceOf(funnel)).toBe(0);
	expect(
		await rows(
			'SELECT r.outcome, r.deduction_cents FROM refund_events r JOIN affiliate_sale_events s ON s.id = r.sale_id WHERE s.processor_event_id = ?',
			transactionId,
		),
	).toEqual([{ outcome: 'no_commission', deduction_cents: null }]);
});

test('a refund after another concurrent one is added to it, or is skipped', async () => {
	const funnel = await aFunnel();
	const { transactionId } = await aSale(funnel);
	const refund = (refund_id: string | undefined, refund_amount_cents?: number) => ({
		transaction_id: transactionId,
		refund_id,
		refund_amount_cents,
	});
	const first = await call(funnel, 'refund', refund('r1', 7_500), () => track('refund', refund('r2', 5_000), funnel.apiToken));
	expect(first.body).toMatchObject({ status: 'refunded', deductionAmount: 10 });
	const second = await call(funnel, 'refund', refund('r3', 1), () => Promise.resolve());
	expect(second.body).toMatchObject({ status: 'skipped', reason: expect.stringContaining('nothing of the sale is left') });
	await expectSoundLedger(funnel);
});

test('concurrent refunds of other sales and new sales of the partner only change the starting balance', async () => {
	const funnel = await aFunnel();
	const [one, two] = [await aSale(funnel), await aSale(funnel)];
	await call(funnel, 'refund', { transaction_id: one.transactionId }, async () => {
		await track('refund', { transaction_id: two.transactionId, refund_amount_cents: 5_000 }, funnel.apiToken);
		await aSale(funnel, { amount_cents: 500 });
	});
	expect(await balanceOf(funnel)).toBe(1_100);
	await expectSoundLedger(funnel);
});

test('a sale after a concurrent one with its id gets 409', async () => {
	const funnel = await aFunnel();
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel) };
	const { status } = await call(funnel, 'sale', sale, () => track('sale', sale, funnel.apiToken));
	expect(status).toBe(409);
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a sale after the concurrent lead of its click uses that customer', async () => {
	const funnel = await aFunnel();
	const ids = { click_id: await aClick(funnel), customer_key: unique('customer') };
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, ...ids };
	const { status } = await call(funnel, 'sale', sale, () => track('lead', ids, funnel.apiToken));
	expect(status).toBe(200);
	expect(
		await rows('SELECT customer_key, status, signup_date IS NOT NULL AS signed_up FROM customers WHERE click_id = ?', ids.click_id),
	).toEqual([{ customer_key: ids.customer_key, status: 'conversion', signed_up: 1 }]);
});

test('a sale after a concurrent sale to another customer of the click creates its own customer', async () => {
	const funnel = await aFunnel();
	const click_id = await aClick(funnel);
	const sale = () => ({ transaction_id: unique('txn'), amount_cents: 10_000, click_id, customer_key: unique('customer') });
	const { status } = await call(funnel, 'sale', sale(), () => track('sale', sale(), funnel.apiToken));
	expect(status).toBe(200);
	expect(await rows('SELECT click_sequence FROM customers WHERE click_id = ? ORDER BY click_sequence', click_id)).toEqual([
		{ click_sequence: 0 },
		{ click_sequence: 1 },
	]);
	expect(await balanceOf(funnel)).toBe(4_000);
});

test('a sale keeps the rule version of its decision if the rule changes', async () => {
	const funnel = await aFunnel();
	const [rule] = (await api<{ id: number }[]>(`/api/v1/programs/${funnel.id}/commission-rules`, { token: funnel.owner.token })).body.data;
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel) };
	const change = { method: 'PATCH', token: funnel.owner.token, body: { percent: 50 } };
	const { body } = await call(funnel, 'sale', sale, () => api(`/api/v1/programs/${funnel.id}/commission-rules/${rule?.id}`, change));
	const made = await rows(
		'SELECT c.amount_cents, v.basis_points FROM commissions c JOIN commission_rule_versions v ON v.id = c.rule_version_id WHERE c.id = ?',
		body['commission_id'],
	);
	expect(made).toEqual([{ amount_cents: 2_000, basis_points: 2_000 }]);
});
