import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../support/funnel.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, balancesOf, type Shop, type TestPartner } from '../support/ledger.ts';
import { deliverSlice, fillShop, finishRun, resultsOf, startRun } from '../support/pay-runs.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

// Pay runs in slices (decision 64).

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

async function aDebtor(shop: Shop, cents: number): Promise<TestPartner> {
	const partner = await aPartner(shop, { name: 'Debtor' });
	const earned = await anEarnedCommission(shop, partner, { amountCents: cents });
	await api(`${shop.path}/payouts`, { token: owner.token, body: { commission_ids: [earned.commissionId] } });
	await aRefund(shop, earned);
	return partner;
}

describe('a run', () => {
	test('pays everyone who is due, slice by slice, and records the result for each', async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 120, commissions: 2_500 });
		const [dueBefore] = await rows<{ cents: number }>('SELECT sum(amount_cents) AS cents FROM commissions WHERE program_id = ?', shop.id);
		const started = await startRun(shop);
		expect(started).toMatchObject({ kind: 'pay', state: 'running', expected_count: 120, counts: {}, sums: {}, finished_at: null });
		await deliverSlice(shop, started);
		const [first] = await rows<{ payouts: number; commissions: number }>(
			`SELECT count(*) AS payouts, (SELECT count(*) FROM commissions WHERE program_id = ?1 AND paid_at IS NOT NULL) AS commissions
			FROM payouts WHERE program_id = ?1`,
			shop.id,
		);
		expect(first?.payouts).toBeLessThan(120);
		expect(first?.commissions).toBeLessThanOrEqual(1_000);
		expect(await finishRun(shop, started)).toMatchObject({
			state: 'done',
			counts: { paid: 120, commissions: 2_500, left_out: 0 },
			sums: { USD: dueBefore?.cents },
		});
		const results = await resultsOf(shop, started);
		expect(results).toHaveLength(120);
		expect(results.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(dueBefore?.cents);
		expect(new Set(results.map(({ payout_id }) => payout_id)).size).toBe(120);
		expect(
			await rows(
				'SELECT DISTINCT balance_cents FROM partner_program_balances b JOIN partner_programs p ON p.id = b.partner_program_id WHERE p.program_id = ?',
				shop.id,
			),
		).toEqual([{ balance_cents: 0 }]);
	});

	test('leaves out accounts below the minimum or in debt, and lists them first', async () => {
		const shop = await aShop(owner);
		const debtor = await aDebtor(shop, 500);
		await anEarnedCommission(shop, debtor, { amountCents: 900 });
		const [small, paid] = [await aPartner(shop), await aPartner(shop)];
		await anEarnedCommission(shop, small, { amountCents: 999 });
		await anEarnedCommission(shop, paid, { amountCents: 1_000 });
		await anEarnedCommission(shop, paid, { amountCents: 2_000, currency: 'EUR' });
		const run = await startRun(shop, { minimum_cents: 1_000 });
		expect(run.expected_count).toBe(2);
		expect(await finishRun(shop, run)).toMatchObject({ counts: { paid: 2, left_out: 2 }, sums: { EUR: 2_000, USD: 1_000 } });
		expect(await resultsOf(shop, run)).toMatchObject([
			{ outcome: 'below_minimum', partner: { id: small.id }, amount_cents: 999, recovered_cents: 0, payout_id: null },
			{ outcome: 'in_debt', partner: { id: debtor.id }, amount_cents: 400, recovered_cents: 500, payout_id: null },
			{ outcome: 'paid', partner: { id: paid.id }, currency: 'EUR', amount_cents: 2_000, commissions: 1, commissions_left: 0 },
			{ outcome: 'paid', partner: { id: paid.id }, currency: 'USD', amount_cents: 1_000, commissions: 1, commissions_left: 0 },
		]);
	});

	test('recovers debts and pays surpluses, like a payout', async () => {
		const shop = await aShop(owner);
		const debtor = await aDebtor(shop, 500);
		await anEarnedCommission(shop, debtor, { amountCents: 900 });
		const run = await finishRun(shop, await startRun(shop));
		expect(run).toMatchObject({ counts: { paid: 1 }, sums: { USD: 400 } });
		const [payout] = (await api<{ id: number }[]>(`${shop.path}/payouts`, { token: owner.token })).body.data;
		await api(`${shop.path}/payouts/${payout?.id}/failed`, { token: owner.token, body: { reason: 'closed' } });
		expect(await finishRun(shop, await startRun(shop))).toMatchObject({ counts: { paid: 1, commissions: 0 }, sums: { USD: 400 } });
		expect(await balancesOf(shop, debtor)).toEqual({ USD: 0 });
		await expectSoundLedger({ partnerProgramId: debtor.partner_program_id });
	});

	test('pays suspended and former partners only if they are selected', async () => {
		const shop = await aShop(owner);
		const [active, suspended, ended] = [await aPartner(shop), await aPartner(shop), await aPartner(shop)];
		for (const partner of [active, suspended, ended]) await anEarnedCommission(shop, partner, { amountCents: 100 });
		const path = (partner: TestPartner) => `${shop.path}/partners/${partner.id}`;
		await api(path(suspended), { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
		await api(path(ended), { method: 'DELETE', token: owner.token });
		const paidBy = async (body: object) => {
			const run = await finishRun(shop, await startRun(shop, body));
			return (await resultsOf(shop, run)).map(({ partner }) => partner.id);
		};
		expect(await paidBy({})).toEqual([active.id]);
		expect(await paidBy({ status: 'suspended' })).toEqual([suspended.id]);
		expect(await paidBy({ partner_ids: [active.id, ended.id] })).toEqual([ended.id]);
	});

	test('leaves out commissions created after it started', async () => {
		const shop = await aShop(owner);
		const partner = await aPartner(shop);
		await anEarnedCommission(shop, partner, { amountCents: 100 });
		const run = await startRun(shop);
		await anEarnedCommission(shop, partner, { amountCents: 50 });
		expect(await finishRun(shop, run)).toMatchObject({ sums: { USD: 100 } });
		expect(await balancesOf(shop, partner)).toEqual({ USD: 50 });
	});

	test("pays the partner's oldest 10,000 commissions, and its result shows the rest", async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 1, commissions: 10_003 });
		const run = await finishRun(shop, await startRun(shop));
		expect(run.counts).toEqual({ paid: 1, commissions: 10_000, left_out: 0 });
		expect(await resultsOf(shop, run)).toMatchObject([{ outcome: 'paid', commissions: 10_000, commissions_left: 3 }]);
		expect(
			await rows(
				'SELECT min(id) > (SELECT max(id) FROM commissions WHERE program_id = ?1 AND paid_at IS NOT NULL) AS behind FROM commissions WHERE program_id = ?1 AND paid_at IS NULL',
				shop.id,
			),
		).toEqual([{ behind: 1 }]);
		const next = await finishRun(shop, await startRun(shop));
		expect(next.counts).toEqual({ paid: 1, commissions: 3, left_out: 0 });
	});
});

describe('rules', () => {
	test('one run at a time, which can be stopped; what it paid stays paid', async () => {
		const shop = await aShop(owner);
		await fillShop(shop, { partners: 250, commissions: 250 });
		const run = await startRun(shop);
		const second = await api(`${shop.path}/payouts/runs`, { token: owner.token, body: {} });
		expect(second).toMatchObject({
			status: 409,
			body: { error: 'A pay run of this program is in progress. Wait until it is done or stop it' },
		});
		await deliverSlice(shop, run);
		const stopped = await api<{ state: string }>(`${shop.path}/runs/${run.id}/stop`, { method: 'POST', token: owner.token });
		expect(stopped.body.data).toMatchObject({ state: 'stopped', counts: { paid: 100 } });
		await deliverSlice(shop, run);
		expect(await rows('SELECT count(*) AS n FROM payouts WHERE program_id = ?', shop.id)).toEqual([{ n: 100 }]);
		expect((await api(`${shop.path}/runs/${run.id}/stop`, { method: 'POST', token: owner.token })).status).toBe(409);
		expect((await finishRun(shop, await startRun(shop))).counts['paid']).toBe(150);
	});

	test('members see runs; admins start and stop them; outsiders see none', async () => {
		const shop = await aShop(owner);
		const run = await startRun(shop);
		const member = await aMember(owner, 'member');
		expect((await api(`${shop.path}/runs`, { token: member.token })).body.data).toMatchObject([{ id: run.id }]);
		expect((await api(`${shop.path}/payouts/runs`, { token: member.token, body: {} })).status).toBe(403);
		expect((await api(`${shop.path}/runs/${run.id}/stop`, { method: 'POST', token: member.token })).status).toBe(403);
		const other = await aShop(await signUp());
		expect((await api(`${other.path}/runs/${run.id}`, { token: other.owner.token })).status).toBe(404);
		expect((await api(`${other.path}/runs/${run.id}/results`, { token: other.owner.token })).status).toBe(404);
		expect((await api(`${other.path}/runs/${run.id}/stop`, { method: 'POST', token: other.owner.token })).status).toBe(404);
	});

	test('one audit entry records who paid whom, without the search text', async () => {
		const shop = await aShop(owner);
		const partner = await aPartner(shop, { name: 'Zoe Example' });
		await anEarnedCommission(shop, partner, { amountCents: 100 });
		const run = await startRun(shop, { search: 'zoe' });
		expect(run.filter).toMatchObject({ search: 'zoe', status: 'active' });
		const done = await finishRun(shop, run);
		expect(done).toMatchObject({ counts: { paid: 1 } });
		expect(done.filter).not.toHaveProperty('search');
		const entries = await rows<{ detail: string }>(
			"SELECT action, subject_id, detail FROM audit_entries WHERE program_id = ? AND action LIKE 'payout%'",
			shop.id,
		);
		expect(entries).toEqual([{ action: 'payout.run', subject_id: run.id, detail: expect.any(String) }]);
		expect(JSON.parse(entries[0]?.detail ?? '')).toMatchObject({ filter: { status: 'active', by_search: true }, count: 1 });
	});
});
