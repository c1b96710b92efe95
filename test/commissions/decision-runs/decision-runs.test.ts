import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../support/funnel.ts';
import { aRefund, aShop, anEarnedCommission, aPartner, balancesOf, ledgerOf, type Shop } from '../../support/ledger.ts';
import { aPartnerWith, askDecision, startDecision, statesOf } from '../../support/decision-runs.ts';
import { deliverSlice, finishRun, readRun } from '../../support/pay-runs.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { aMember, api, type Owner, signUp } from '../../support/world.ts';

// Approving and rejecting everything that matches a filter, in slices (decision 65).

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

async function auditOf(shop: Shop): Promise<unknown[]> {
	const entries = await rows<{ action: string; subject_id: number; detail: string }>(
		"SELECT action, subject_id, detail FROM audit_entries WHERE program_id = ? AND action LIKE 'commission.%'",
		shop.id,
	);
	return entries.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }));
}

describe('a run', () => {
	test('approves any number of commissions, slice by slice', async () => {
		const shop = await aShop(owner, 30);
		for (const count of [700, 3, 400]) await aPartnerWith(shop, count);
		const run = await startDecision(shop, { decision: 'approve', filter: { status: 'pending' }, expected_count: 1_103 });
		expect(run).toMatchObject({ kind: 'approve', state: 'running', filter: { status: 'pending' }, expected_count: 1_103, counts: {} });
		await deliverSlice(shop, run);
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'running', counts: { decided: 500 }, sums: { USD: 50_000 } });
		expect(await statesOf(shop)).toEqual({ pending: 603, approved: 500 });
		expect(await finishRun(shop, run)).toMatchObject({ state: 'done', counts: { decided: 1_103 }, sums: { USD: 110_300 } });
		expect(await statesOf(shop)).toEqual({ approved: 1_103 });
	});

	test('rejects any number of commissions, and deducts what is left of them', async () => {
		const shop = await aShop(owner, 30);
		const [ada, bob] = [await aPartnerWith(shop, 620), await aPartner(shop)];
		const refunded = await anEarnedCommission(shop, bob, { amountCents: 1_000 });
		await aRefund(shop, refunded, 400);
		await anEarnedCommission(shop, bob, { amountCents: 50, currency: 'EUR' });
		const run = await startDecision(shop, { decision: 'reject', filter: {}, expected_count: 622, reason: 'Own purchases' });
		expect(await finishRun(shop, run)).toMatchObject({ state: 'done', counts: { decided: 622 }, sums: { USD: 62_600, EUR: 50 } });
		expect(await statesOf(shop)).toEqual({ rejected: 622 });
		expect([await balancesOf(shop, ada), await balancesOf(shop, bob)]).toEqual([{ USD: 0 }, { EUR: 0, USD: 0 }]);
		expect(await ledgerOf(bob)).toEqual(['credit 1000 1000 1000', 'reversal -400 -400 600', 'rejection -600 -600 0']);
		expect(await rows('SELECT DISTINCT rejection_reason AS reason FROM commissions WHERE program_id = ?', shop.id)).toEqual([
			{ reason: 'Own purchases' },
		]);
		for (const { partner_program_id: partnerProgramId } of [ada, bob]) await expectSoundLedger({ partnerProgramId });
	});

	test('decides what the filter selects in the list, and leaves the rest', async () => {
		const shop = await aShop(owner, 30);
		const [ada, bob] = [await aPartnerWith(shop, 3), await aPartner(shop, { name: 'Bob Bobson' })];
		const euros = await anEarnedCommission(shop, bob, { amountCents: 200, currency: 'EUR' });
		const dollars = await anEarnedCommission(shop, bob, { amountCents: 300 });
		const decided = async (filter: object, expected_count: number) => {
			const run = await startDecision(shop, { decision: 'approve', filter, expected_count });
			expect(await finishRun(shop, run)).toMatchObject({ state: 'done', counts: { decided: expected_count } });
			const found = await rows<{ id: number }>(
				"SELECT id FROM commissions WHERE program_id = ? AND status = 'approved' ORDER BY id",
				shop.id,
			);
			return found.map(({ id }) => id);
		};
		expect(await decided({ search: dollars.transactionId }, 1)).toEqual([dollars.commissionId]);
		expect(await decided({ search: 'bob bob' }, 1)).toEqual([euros.commissionId, dollars.commissionId]);
		expect((await askDecision(shop, { decision: 'approve', filter: { currency: 'EUR' }, expected_count: 1 })).error).toBe(
			'0 commissions match and can be approved, not 1. Reload and try again',
		);
		expect(await decided({ partner_id: ada.id, from: '2020-01-01' }, 3)).toHaveLength(5);
	});

	test('is refused if the number that matches is not the expected one, and changes nothing', async () => {
		const shop = await aShop(owner, 30);
		await aPartnerWith(shop, 3);
		for (const [decision, made] of [
			['approve', 'approved'],
			['reject', 'rejected'],
		] as const) {
			const { status, error } = await askDecision(shop, { decision, filter: { status: 'pending' }, expected_count: 2 });
			expect([status, error]).toEqual([409, `3 commissions match and can be ${made}, not 2. Reload and try again`]);
		}
		expect(await auditOf(shop)).toEqual([]);
		expect(await statesOf(shop)).toEqual({ pending: 3 });
	});

	test('leaves out commissions created after it started', async () => {
		const shop = await aShop(owner, 30);
		const partner = await aPartnerWith(shop, 510);
		const run = await startDecision(shop, { decision: 'approve', filter: {}, expected_count: 510 });
		await deliverSlice(shop, run);
		await anEarnedCommission(shop, partner, { amountCents: 100 });
		expect(await finishRun(shop, run)).toMatchObject({ state: 'done', counts: { decided: 510 } });
		expect(await statesOf(shop)).toEqual({ approved: 510, pending: 1 });
	});

	test('counts first if there are too many to count before the answer, and decides only the expected number', async () => {
		const shop = await aShop(owner, 30);
		const [many, few] = [await aPartnerWith(shop, 10_001), await aPartnerWith(shop, 5)];
		const wrong = await startDecision(shop, { decision: 'approve', filter: { partner_id: few.id }, expected_count: 5 });
		expect(await finishRun(shop, wrong)).toMatchObject({ counts: { decided: 5 } });
		const asked = { decision: 'approve', filter: { status: 'pending' } };
		const refused = await startDecision(shop, { ...asked, expected_count: 9_999 });
		expect(await finishRun(shop, refused)).toMatchObject({ state: 'done', counts: { counted: 10_001 }, sums: {} });
		expect(await statesOf(shop)).toEqual({ pending: 10_001, approved: 5 });
		const run = await finishRun(shop, await startDecision(shop, { ...asked, expected_count: 10_001 }));
		expect(run).toMatchObject({ state: 'done', counts: { counted: 10_001, decided: 10_001 } });
		expect(await statesOf(shop)).toEqual({ approved: 10_006 });
		expect(many.commissionIds).toHaveLength(10_001);
	});

	test('that is stopped keeps its decisions and makes no more', async () => {
		const shop = await aShop(owner, 30);
		await aPartnerWith(shop, 600);
		const run = await startDecision(shop, { decision: 'reject', filter: {}, expected_count: 600, reason: 'Of Ada Lovelace' });
		await deliverSlice(shop, run);
		const stopped = await api(`${shop.path}/runs/${run.id}/stop`, { token: owner.token, method: 'POST' });
		expect(stopped.status, stopped.text).toBe(200);
		await deliverSlice(shop, run);
		expect(await readRun(shop, run.id)).toMatchObject({ state: 'stopped', counts: { decided: 500 } });
		expect(await statesOf(shop)).toEqual({ rejected: 500, pending: 100 });
	});
});

test('one audit entry has the filter and the number; neither it nor a finished run has anything that may name a person', async () => {
	const shop = await aShop(owner, 30);
	const partner = await aPartnerWith(shop, 2);
	const filter = { search: partner.email, status: 'pending', to: '2099-01-01' };
	const run = await startDecision(shop, { decision: 'reject', filter, expected_count: 2, reason: 'Fraud of Ada' });
	expect(run.filter).toEqual(filter);
	await finishRun(shop, run);
	expect(await auditOf(shop)).toEqual([
		{
			action: 'commission.reject',
			subject_id: run.id,
			detail: { filter: { status: 'pending', to: '2099-01-01', by_search: true }, count: 2 },
		},
	]);
	const [stored] = await rows<{ selection: string }>('SELECT selection FROM runs WHERE id = ?', run.id);
	expect(stored?.selection).not.toContain(partner.email);
	expect(stored?.selection).not.toContain('Ada');
});

test('the partner gets one notification for a whole slice', async () => {
	const shop = await aShop(owner, 30);
	const partner = await aPartnerWith(shop, 40);
	const body = { decision: 'reject', filter: { partner_id: partner.id }, expected_count: 40 };
	expect((await api(`${shop.path}/commissions/runs`, { token: owner.token, body })).status).toBe(202);
	const told = () =>
		rows<{ detail: string }>("SELECT detail FROM notifications WHERE partner_id = ? AND kind = 'commission_rejected'", partner.id);
	await expect.poll(async () => (await told()).length, { timeout: 60_000 }).toBe(1);
	expect((await told()).map(({ detail }) => JSON.parse(detail))).toEqual([{ commissions: 40, amount_cents: 4_000, currency: 'USD' }]);
});

test('owners and admins start one; members cannot', async () => {
	const shop = await aShop(owner, 30);
	await aPartnerWith(shop, 1);
	const body = { decision: 'approve', filter: {}, expected_count: 1 };
	const [admin, member] = [await aMember(owner, 'admin'), await aMember(owner, 'member')];
	expect((await askDecision(shop, body, member.token)).status).toBe(403);
	expect((await askDecision(shop, body, admin.token)).status).toBe(202);
});

test.each([
	[{ filter: {}, expected_count: 1 }, 'decision must be one of approve, reject'],
	[{ decision: 'approve', expected_count: 1 }, 'filter must be an object'],
	[{ decision: 'approve', filter: {}, expected_count: 0 }, 'expected_count must be an integer from 1 to 100000000'],
	[{ decision: 'approve', filter: {}, expected_count: 1, reason: 'x' }, 'A reason is for rejections only'],
	[{ decision: 'reject', filter: { payout_id: 1 }, expected_count: 1 }, 'Unknown field: payout_id'],
])('an invalid request is refused (%#)', async (body, error) => {
	const shop = await aShop(owner);
	expect(await askDecision(shop, body)).toMatchObject({ status: 400, error });
});
