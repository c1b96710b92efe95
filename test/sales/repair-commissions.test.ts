import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { repairCommissions } from '../../src/sales/repair-commissions.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { tick } from '../support/deliver.ts';
import { countedOf, keysOf, reportedOf, waitingOf } from '../support/effects.ts';
import { aSaleWithoutItsCommission, whileCommissionsFail } from '../support/failing-commissions.ts';
import { faultyDb, interrupted, losingAnswers } from '../../testing/d1/failing.ts';
import { aFunnel, aSale, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api } from '../support/world.ts';

// If a sale's commission fails, the sale is recorded without it, and the cron job adds the commission once, later (decision 13).

function repair(DB: D1Database = env.DB): Promise<number> {
	return repairCommissions(openContext({ ...env, DB, EFFECTS: holdingQueue() }, { waitUntil: () => undefined }), 500);
}

async function commissionsOf(funnel: Funnel) {
	return rows(
		`SELECT c.status, c.status_before_refund, c.amount_cents, c.deducted_cents, c.refund_reason, s.commission_state, s.owed_commission
		FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE c.program_id = ? ORDER BY c.id`,
		funnel.id,
	);
}

const MADE = {
	status: 'approved',
	status_before_refund: null,
	amount_cents: 2_000,
	deducted_cents: 0,
	refund_reason: null,
	commission_state: 'made',
	owed_commission: null,
};

test('if the commission fails: 500, the sale is recorded uncredited, and its transaction_id is used', async () => {
	const funnel = await aFunnel();
	const { transactionId, answer } = await aSaleWithoutItsCommission(funnel);
	expect([answer.status, answer.body]).toEqual([500, { error: 'Failed to create commission' }]);
	const [sale] = await rows('SELECT * FROM affiliate_sale_events WHERE processor_event_id = ?', transactionId);
	expect(sale).toMatchObject({ commission_state: 'failed', amount_cents: 10_000, refunded_cents: 0, no_commission_reason: null });
	expect(await rows('SELECT status FROM customers WHERE id = ?', sale?.['customer_id'])).toEqual([{ status: 'conversion' }]);
	expect(await commissionsOf(funnel)).toEqual([]);
	expect(await balanceOf(funnel)).toBe(0);
	expect((await track('sale', { transaction_id: transactionId, amount_cents: 1 }, funnel.apiToken)).status).toBe(409);
	await repair();
});

test('the same if the answer about the uncredited sale is lost', async () => {
	const funnel = await aFunnel();
	// The database refuses the first write. The second one records the sale alone, and its response is lost.
	const DB = faultyDb(env.DB, (trip) => (trip === 2 ? 'loses its answer' : undefined));
	const { transactionId, answer } = await aSaleWithoutItsCommission(funnel, DB);
	expect([answer.status, answer.body]).toEqual([500, { error: 'Failed to create commission' }]);
	expect(await rows('SELECT commission_state FROM affiliate_sale_events WHERE processor_event_id = ?', transactionId)).toEqual([
		{ commission_state: 'failed' },
	]);
	await repair();
	expect(await commissionsOf(funnel)).toEqual([MADE]);
});

test('the next tick adds the commission as of the time of the sale', async () => {
	const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 7 } });
	const { transactionId } = await aSaleWithoutItsCommission(funnel);
	const path = `/api/v1/programs/${funnel.id}/partners/${funnel.partnerId}`;
	const { status } = await api(path, { token: funnel.owner.token, method: 'PATCH', body: { status: 'suspended' } });
	expect(status).toBe(200);
	await tick();
	expect(await commissionsOf(funnel)).toEqual([{ ...MADE, status: 'pending' }]);
	const [row] = await rows<{ hold: number }>(
		'SELECT c.hold_until - s.created_at AS hold FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE s.processor_event_id = ?',
		transactionId,
	);
	expect(row?.hold).toBe(7 * 86_400_000);
	await expectSoundLedger(funnel);
});

test('the commission is added only once, even if repairs run in parallel, run again, or lose their answers', async () => {
	const funnel = await aFunnel();
	for (const _ of [1, 2, 3]) await aSaleWithoutItsCommission(funnel);
	const made = await Promise.all([repair(), repair(), repair(losingAnswers(env.DB, 1)), repair()]);
	expect(made.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3);
	await repair();
	expect(await commissionsOf(funnel)).toEqual([MADE, MADE, MADE]);
	expect(await balanceOf(funnel)).toBe(6_000);
	expect(await keysOf(funnel, 'commission_created')).toHaveLength(3);
	// The sales were recorded without commissions, so each has an outbox row of its own.
	expect(await keysOf(funnel, 'sale_recorded')).toHaveLength(3);
	expect(await reportedOf(funnel)).toEqual(['USD 3 30000 0 6000 0']);
	await expectSoundLedger(funnel);
});

test('the commission is added only after the cause is fixed; one that fails does not delay the others', async () => {
	const [broken, sound] = [await aFunnel(), await aFunnel()];
	await aSaleWithoutItsCommission(broken);
	await aSaleWithoutItsCommission(sound);
	await whileCommissionsFail(broken, () => tick());
	expect([await commissionsOf(broken), await commissionsOf(sound)]).toEqual([[], [MADE]]);
	await tick();
	expect(await commissionsOf(broken)).toEqual([MADE]);
});

test('a refund before the repair is recorded, and the repair pays only the rest', async () => {
	const funnel = await aFunnel();
	const { transactionId } = await aSaleWithoutItsCommission(funnel);
	const refund = { transaction_id: transactionId, refund_amount_cents: 2_500, refund_id: 'r1', refund_reason: 'Scratched' };
	expect((await track('refund', refund, funnel.apiToken)).body).toEqual({
		success: true,
		status: 'no_commission',
		message: 'Refund recorded. The commission of this sale has not been created yet; it will be created for what is left of the sale.',
	});
	await repair();
	const left = { ...MADE, status: 'refunded', status_before_refund: 'approved', deducted_cents: 500, refund_reason: 'Scratched' };
	expect(await commissionsOf(funnel)).toEqual([left]);
	expect(await balanceOf(funnel)).toBe(1_500);
	expect((await track('refund', { transaction_id: transactionId, refund_id: 'r2' }, funnel.apiToken)).body).toMatchObject({
		status: 'reversed',
		deductionAmount: 15,
	});
	await expectSoundLedger(funnel);
});

test('a full refund before the repair leaves nothing to pay', async () => {
	const funnel = await aFunnel();
	await aSale(funnel);
	const { transactionId } = await aSaleWithoutItsCommission(funnel);
	await track('refund', { transaction_id: transactionId }, funnel.apiToken);
	await repair();
	expect((await commissionsOf(funnel))[1]).toEqual({
		...MADE,
		status: 'reversed',
		status_before_refund: 'approved',
		deducted_cents: 2_000,
	});
	expect(await balanceOf(funnel)).toBe(2_000);
	expect((await track('refund', { transaction_id: transactionId }, funnel.apiToken)).body['status']).toBe('skipped');
	await expectSoundLedger(funnel);
});

test('with refunds racing the repair the deduction is exact in either order', async () => {
	const funnel = await aFunnel();
	for (const late of [0, 1, 2, 3, 4, 5]) {
		const { transactionId } = await aSaleWithoutItsCommission(funnel);
		await Promise.all([
			repair(),
			...['r1', 'r2'].map((refund_id) =>
				scheduler
					.wait(late)
					.then(() => track('refund', { transaction_id: transactionId, refund_id, refund_amount_cents: 3_333 }, funnel.apiToken)),
			),
		]);
	}
	await repair();
	const made = await commissionsOf(funnel);
	expect(made).toHaveLength(6);
	for (const commission of made) expect(commission).toMatchObject({ status: 'refunded', deducted_cents: 1_333 });
	expect(await balanceOf(funnel)).toBe(6 * 667);
	await expectSoundLedger(funnel);
});

test("a refund between the repair's read and write is not lost: the next repair sees it", async () => {
	const funnel = await aFunnel();
	const { transactionId } = await aSaleWithoutItsCommission(funnel);
	const refund = () => track('refund', { transaction_id: transactionId, refund_amount_cents: 2_500 }, funnel.apiToken);
	await repair(interrupted(env.DB, refund));
	expect(await commissionsOf(funnel)).toEqual([]);
	await repair();
	expect(await commissionsOf(funnel)).toMatchObject([{ status: 'refunded', deducted_cents: 500 }]);
	expect(await balanceOf(funnel)).toBe(1_500);
	await expectSoundLedger(funnel);
});

test('metrics and notifications follow the repair', async () => {
	const funnel = await aFunnel();
	const { transactionId } = await aSaleWithoutItsCommission(funnel);
	await track('refund', { transaction_id: transactionId, refund_amount_cents: 5_000 }, funnel.apiToken);
	expect(await reportedOf(funnel)).toEqual(['USD 1 10000 5000 0 0']);
	await repair();
	const all = ['USD 1 10000 5000 2000 1000'];
	expect(await reportedOf(funnel)).toEqual(all);
	await tick();
	expect([await waitingOf(funnel), await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], all, all]);
	const told = await rows<{ kind: string; detail: string }>(
		'SELECT kind, detail FROM notifications WHERE partner_id = ?',
		funnel.partnerId,
	);
	expect(told.map(({ kind }) => kind)).toEqual(['commission_created']);
	expect(JSON.parse(told[0]?.detail ?? '')).toMatchObject({ amount_cents: 2_000, status: 'refunded' });
});
