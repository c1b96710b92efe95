import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { GRACE_MS, LEASE_MS } from '../../../src/domain/run.ts';
import { faultyDb } from '../../../testing/d1/failing.ts';
import { atInstant } from '../../support/at-instant.ts';
import { aPartnerWith, askDecision, startDecision, statesOf } from '../../support/decision-runs.ts';
import { rows, track } from '../../support/funnel.ts';
import { aShop, type Shop, statusesOf } from '../../support/ledger.ts';
import { deliverSlice, finishRun, readRun } from '../../support/pay-runs.ts';
import { expectSoundLedgers } from '../../support/sound-ledger.ts';
import { api, type Owner, signUp } from '../../support/world.ts';

// A commission is decided once, even if other calls race with a run or interrupt it (decision 65).

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

const times = <Made>(count: number, make: (index: number) => Made) => Array.from({ length: count }, (_, index) => make(index));
const all = (decision: 'approve' | 'reject', expected_count: number) => ({ decision, filter: {}, expected_count });

/** Every ledger is sound, and each rejected commission was deducted once. */
async function expectDecidedOnce(shop: Shop): Promise<void> {
	const accounts = await rows<{ id: number }>('SELECT id FROM partner_programs WHERE program_id = ?', shop.id);
	await expectSoundLedgers(accounts.map(({ id }) => id));
	const unsound = await rows(
		`SELECT c.id FROM commissions c LEFT JOIN ledger_entries e ON e.commission_id = c.id AND e.kind = 'rejection'
		WHERE c.program_id = ? GROUP BY c.id HAVING count(e.id) <> (c.status = 'rejected')`,
		shop.id,
	);
	expect(unsound).toEqual([]);
}

function post(shop: Shop, path: string, body: object) {
	return api<unknown[]>(`${shop.path}/${path}`, { token: owner.token, body });
}

test('if five people start the same run at once, one succeeds', async () => {
	const shop = await aShop(owner, 30);
	await aPartnerWith(shop, 3);
	const answers = await Promise.all(times(5, () => askDecision(shop, all('approve', 3))));
	expect(statusesOf(answers)).toEqual([202, 409, 409, 409, 409]);
	expect(answers.map(({ error }) => error)).toContain(
		'Commissions of this program are being approved. Wait until that run is done or stop it',
	);
	expect(await rows("SELECT id FROM audit_entries WHERE program_id = ? AND action = 'commission.approve'", shop.id)).toHaveLength(1);
});

test('one run approves while another rejects: each commission ends as one of them decided, and the ledgers are exact', async () => {
	const shop = await aShop(owner, 30);
	for (const count of [600, 2, 400]) await aPartnerWith(shop, count);
	const [approval, rejection] = [await startDecision(shop, all('approve', 1_002)), await startDecision(shop, all('reject', 1_002))];
	await Promise.all([finishRun(shop, approval), finishRun(shop, rejection)]);
	const [approved, rejected] = [await readRun(shop, approval.id), await readRun(shop, rejection.id)];
	// An approved commission can still be rejected, but not the reverse.
	expect(rejected).toMatchObject({ state: 'done', counts: { decided: 1_002 } });
	expect(approved.state).toBe('done');
	expect(approved.counts['decided']).toBeLessThanOrEqual(1_002);
	expect(await statesOf(shop)).toEqual({ rejected: 1_002 });
	await expectDecidedOnce(shop);
});

test('single decisions race the slices: every commission is decided once', async () => {
	const shop = await aShop(owner, 30);
	const { commissionIds } = await aPartnerWith(shop, 600);
	const run = await startDecision(shop, all('reject', 600));
	const single = (index: number) => post(shop, 'commissions/reject', { commission_ids: [commissionIds[index * 7]] });
	const [answers] = await Promise.all([Promise.all(times(40, single)), finishRun(shop, run)]);
	const own = answers.filter(({ status }) => status === 200).length;
	expect(statusesOf(answers).every((status) => status === 200 || status === 409)).toBe(true);
	expect(await readRun(shop, run.id)).toMatchObject({ state: 'done', counts: { decided: 600 - own } });
	expect(await statesOf(shop)).toEqual({ rejected: 600 });
	await expectDecidedOnce(shop);
});

test('refunds race the slices: what they deducted is not deducted again', async () => {
	const shop = await aShop(owner, 30);
	await aPartnerWith(shop, 300);
	const sales = await rows<{ id: string }>(
		'SELECT processor_event_id AS id FROM affiliate_sale_events WHERE program_id = ? ORDER BY id',
		shop.id,
	);
	const run = await startDecision(shop, all('reject', 300));
	const refund = (index: number) => {
		const amount = index % 2 === 0 ? {} : { refund_amount_cents: 30 };
		return track('refund', { transaction_id: sales[index * 5]?.id, ...amount }, shop.apiToken);
	};
	const [refunds] = await Promise.all([Promise.all(times(60, refund)), finishRun(shop, run)]);
	expect(refunds.every(({ status }) => status === 200)).toBe(true);
	const { reversed = 0, rejected = 0 } = await statesOf(shop);
	expect(reversed + rejected).toBe(300);
	expect(await readRun(shop, run.id)).toMatchObject({ state: 'done', counts: { decided: rejected } });
	await expectDecidedOnce(shop);
});

test('payouts race a rejection: each commission is paid or rejected, never both', async () => {
	const shop = await aShop(owner);
	for (const count of [200, 300]) await aPartnerWith(shop, count);
	const run = await startDecision(shop, all('reject', 500));
	const [, first, second] = await Promise.all([finishRun(shop, run), post(shop, 'payouts', {}), post(shop, 'payouts', {})]);
	expect([first.status, second.status]).toEqual([201, 201]);
	const { paid = 0, rejected = 0 } = await statesOf(shop);
	expect(paid + rejected).toBe(500);
	expect(await readRun(shop, run.id)).toMatchObject({ state: 'done', counts: { decided: rejected } });
	await expectDecidedOnce(shop);
});

test('five consumers process each slice at once, and one of them writes it', async () => {
	const shop = await aShop(owner, 30);
	await aPartnerWith(shop, 1_200);
	const run = await startDecision(shop, all('reject', 1_200));
	for (let now = run; now.state === 'running'; now = await readRun(shop, run.id)) {
		await Promise.all(times(5, () => deliverSlice(shop, run)));
	}
	expect(await readRun(shop, run.id)).toMatchObject({ state: 'done', counts: { decided: 1_200 }, sums: { USD: 120_000 } });
	await expectDecidedOnce(shop);
});

describe('a consumer', () => {
	test.each(['approve', 'reject'] as const)('that loses the answer to its slice does not %s again', async (decision) => {
		const shop = await aShop(owner, 30);
		await aPartnerWith(shop, 600);
		const run = await startDecision(shop, all(decision, 600));
		await deliverSlice(shop, run, { DB: faultyDb(env.DB, (trip) => (trip === 2 ? 'loses its answer' : undefined)) });
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'running', counts: { decided: 500 } });
		expect(await finishRun(shop, run)).toMatchObject({ state: 'done', counts: { decided: 600 } });
		await expectDecidedOnce(shop);
	});

	test('that dies leaves a run that continues after the last slice', async () => {
		const shop = await aShop(owner, 30);
		await aPartnerWith(shop, 1_100);
		const run = await startDecision(shop, all('reject', 1_100));
		await deliverSlice(shop, run);
		const killed = Date.now();
		await deliverSlice(shop, run, { DB: faultyDb(env.DB, (trip) => (trip > 1 ? 'never arrives' : undefined)) });
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'running', counts: { decided: 500 } });
		const done = await atInstant(killed + LEASE_MS + GRACE_MS + 10_000, () => finishRun(shop, run));
		expect(done).toMatchObject({ state: 'done', counts: { decided: 1_100 } });
		await expectDecidedOnce(shop);
	});
});
