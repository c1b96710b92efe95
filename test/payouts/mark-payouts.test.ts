import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../support/funnel.ts';
import {
	aPartner,
	aRefund,
	aShop,
	anEarnedCommission,
	ledgerOf,
	type Shop,
	standingsOf,
	statusesOf,
	type TestPartner,
} from '../support/ledger.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// The states of a payout (decision 19b).

interface Payout {
	readonly id: number;
	readonly status: string;
	readonly amount_cents: number;
	readonly surplus_cents: number;
	readonly created_at: string;
	readonly sent_at: string | null;
	readonly reference: string | null;
	readonly failed_at: string | null;
	readonly failure_reason: string | null;
	readonly commissions: readonly Record<string, unknown>[];
	readonly ledger_entries: readonly Record<string, unknown>[];
}

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const call = (path: string, body?: Record<string, unknown>) =>
	api<Payout>(`${shop.path}/payouts${path}`, body === undefined ? { token: owner.token } : { token: owner.token, body });
const list = async (query: string) =>
	(await api<Payout[]>(`${shop.path}/payouts${query}`, { token: owner.token })).body.data.map(({ id }) => id);
const sent = (id: number, body: Record<string, unknown> = {}) => call(`/${id}/sent`, body);
const failed = (id: number) => call(`/${id}/failed`, { reason: 'account closed' });
const pay = async (body: Record<string, unknown>) => (await api<Payout[]>(`${shop.path}/payouts`, { token: owner.token, body })).body.data;

async function aPayout(amountCents: number, to?: TestPartner): Promise<{ partner: TestPartner; payout: Payout }> {
	const partner = to ?? (await aPartner(shop));
	const { commissionId } = await anEarnedCommission(shop, partner, { amountCents });
	const [payout] = await pay({ commission_ids: [commissionId] });
	if (!payout) throw new Error('The commission was not paid');
	return { partner, payout };
}

const available = async (partner: TestPartner) => (await standingsOf(shop, partner))['USD']?.available;

describe('a payout', () => {
	test('is made, then marked as sent with a reference', async () => {
		const { partner, payout } = await aPayout(700);
		const { status, body } = await sent(payout.id, { reference: 'batch 7' });
		expect([status, body.data.status, body.data.reference]).toEqual([200, 'sent', 'batch 7']);
		expect(body.data.sent_at).toMatch(/Z$/);
		const again = await sent(payout.id);
		expect([again.status, again.body.error]).toEqual([409, `Payout ${payout.id} was already sent`]);
		expect(await available(partner)).toBe(0);
	});

	test('returns its amount if it fails, and the next payout pays it', async () => {
		const { partner, payout } = await aPayout(700);
		await sent(payout.id);
		const { status, body } = await failed(payout.id);
		expect([status, body.data.status, body.data.failure_reason]).toEqual([200, 'failed', 'account closed']);
		expect(body.data.sent_at).toMatch(/Z$/);
		expect(await standingsOf(shop, partner)).toEqual({ USD: { available: 700, pending: 0, debt: 0 } });
		const preview = await api<{ payouts: object[] }>(`${shop.path}/payouts/preview?partner_ids=${partner.id}`, { token: owner.token });
		expect(preview.body.data.payouts).toMatchObject([{ amount_cents: 700, surplus_cents: 700, commission_ids: [] }]);
		const next = await pay({ partner_ids: [partner.id] });
		expect(next).toMatchObject([
			{ amount_cents: 700, surplus_cents: 700, amount_reason: 'Was credited back because a refund or payout failed or a dispute was won' },
		]);
		expect(await ledgerOf(partner)).toEqual(['credit 700 700 700', 'payout -700 -700 0', 'return 700 700 700', 'surplus -700 -700 0']);
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});

	test('cannot be sent after it failed, and fails only once', async () => {
		const { partner, payout } = await aPayout(300);
		await failed(payout.id);
		for (const [answer, error] of [
			[await sent(payout.id), 'has failed. Its amount will be in the next payout'],
			[await failed(payout.id), 'has already failed'],
		] as const) {
			expect([answer.status, answer.body.error]).toEqual([409, `Payout ${payout.id} ${error}`]);
		}
		expect(await available(partner)).toBe(300);
	});

	test('is settled if it pays nothing: there is nothing to send', async () => {
		const partner = await aPartner(shop);
		const earned = await anEarnedCommission(shop, partner, { amountCents: 500 });
		await pay({ commission_ids: [earned.commissionId] });
		await aRefund(shop, earned);
		const { payout } = await aPayout(200, partner);
		expect(payout).toMatchObject({ status: 'settled', amount_cents: 0 });
		for (const answer of [await sent(payout.id), await failed(payout.id)]) {
			expect([answer.status, answer.body.error]).toEqual([409, `Payout ${payout.id} has an amount of 0, so there is nothing to send`]);
		}
		expect(await list(`?status=settled&partner_id=${partner.id}`)).toEqual([payout.id]);
	});

	test('shows its commissions and its ledger amounts', async () => {
		const { partner, payout } = await aPayout(500);
		await failed(payout.id);
		const { payout: next } = await aPayout(200, partner);
		const { body } = await call(`/${next.id}`);
		const [commission] = body.data.commissions;
		expect(commission).toMatchObject({ status: 'paid', amount_cents: 200, deducted_cents: 0, paid_cents: 200 });
		expect(body.data.ledger_entries).toMatchObject([
			{ kind: 'payout', commission_id: commission?.['id'], amount_cents: -200, balance_after_cents: 500 },
			{ kind: 'surplus', commission_id: null, amount_cents: -500, balance_after_cents: 0 },
		]);
		expect((await call(`/${payout.id}`)).body.data.ledger_entries).toMatchObject([
			{ kind: 'payout' },
			{ kind: 'return', amount_cents: 500 },
		]);
		const of = await api<{ id: number }[]>(`${shop.path}/commissions?payout_id=${next.id}`, { token: owner.token });
		expect(of.body.data.map(({ id }) => id)).toEqual([commission?.['id']]);
		const other = await aShop(owner);
		const foreign = await api(`${other.path}/payouts/${next.id}`, { token: owner.token });
		expect([foreign.status, foreign.body.error]).toEqual([404, 'Payout not found']);
	});
});

describe('several payouts', () => {
	test('are marked as sent together, all or nothing', async () => {
		const payouts = [await aPayout(100), await aPayout(200), await aPayout(300)];
		const ids = payouts.map(({ payout }) => payout.id);
		const { body } = await call('/sent', { payout_ids: ids.slice(0, 2), reference: 'batch 8' });
		expect(body.data).toMatchObject(
			ids
				.slice(0, 2)
				.toReversed()
				.map((id) => ({ id, status: 'sent', reference: 'batch 8' })),
		);
		const refused = await call('/sent', { payout_ids: ids.toReversed() });
		expect([refused.status, refused.body.error]).toEqual([409, `Payout ${ids[1]} was already sent`]);
		expect((await call(`/${ids[2]}`)).body.data.status).toBe('made');
	});

	test('are not found in another program', async () => {
		const { payout } = await aPayout(100);
		const other = await aShop(owner);
		for (const [path, body] of [
			['/sent', { payout_ids: [payout.id] }],
			[`/${payout.id}/sent`, {}],
			[`/${payout.id}/failed`, { reason: 'x' }],
		] as const) {
			const answer = await api(`${other.path}/payouts${path}`, { token: owner.token, body });
			expect([answer.status, answer.body.error]).toEqual([404, `Payout ${payout.id} not found`]);
		}
		expect((await call(`/${payout.id}`)).body.data.status).toBe('made');
	});

	test('are filtered by state and currency', async () => {
		const partner = await aPartner(shop);
		const [one, two] = [(await aPayout(100, partner)).payout.id, (await aPayout(100, partner)).payout.id];
		await sent(one);
		await failed(two);
		const { payout: made } = await aPayout(100, partner);
		const of = (query: string) => list(`?partner_id=${partner.id}&${query}`);
		expect(await of('status=made')).toEqual([made.id]);
		expect(await of('status=sent')).toEqual([one]);
		expect(await of('status=failed')).toEqual([two]);
		expect(await of('currency=usd')).toEqual([made.id, two, one]);
		expect(await of('currency=EUR')).toEqual([]);
	});
});

describe('sent_at', () => {
	test('is a day or a time, never before the payout was made', async () => {
		const { payout } = await aPayout(100);
		const today = new Date().toISOString().slice(0, 10);
		expect((await sent(payout.id, { sent_at: today })).body.data.sent_at).toBe(payout.created_at);
	});

	test.each([
		['2020-01-01', /^sent_at is before payout \d+ was made, at /],
		['2099-01-01T00:00:00Z', /^sent_at is in the future$/],
		['soon', /^sent_at must be an ISO 8601 date/],
	])('%s is refused', async (at, error) => {
		const { payout } = await aPayout(100);
		const answer = await sent(payout.id, { sent_at: at });
		expect(answer.status).toBe(400);
		expect(answer.body.error).toMatch(error);
	});
});

describe('concurrent requests', () => {
	test('only one marks a payout as sent', async () => {
		const { payout } = await aPayout(100);
		expect(statusesOf(await Promise.all([1, 2, 3, 4].map((number) => sent(payout.id, { reference: `batch ${number}` }))))).toEqual([
			200, 409, 409, 409,
		]);
	});

	test('only one marks a payout as failed and returns its amount', async () => {
		const { partner, payout } = await aPayout(100);
		expect(statusesOf(await Promise.all([1, 2, 3, 4].map(() => failed(payout.id))))).toEqual([200, 409, 409, 409]);
		expect(await available(partner)).toBe(100);
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});

	test('sent and failed: it has failed, in either order', async () => {
		for (let round = 0; round < 3; round += 1) {
			const { partner, payout } = await aPayout(100);
			const [sending, failing] = await Promise.all([sent(payout.id), failed(payout.id)]);
			expect(failing.status).toBe(200);
			expect([200, 409]).toContain(sending.status);
			const { data } = (await call(`/${payout.id}`)).body;
			expect([data.status, data.sent_at !== null]).toEqual(['failed', sending.status === 200]);
			expect(await available(partner)).toBe(100);
		}
	});

	test('a failure, payouts and a refund: the amount due is paid once', async () => {
		for (let round = 0; round < 3; round += 1) {
			const partner = await aPartner(shop);
			const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
			const [payout] = await pay({ commission_ids: [earned.commissionId] });
			const { commissionId } = await anEarnedCommission(shop, partner, { amountCents: 300 });
			await Promise.all([
				failed(payout?.id ?? 0),
				pay({ commission_ids: [commissionId] }),
				pay({ partner_ids: [partner.id] }),
				aRefund(shop, earned, 400),
				pay({ partner_ids: [partner.id] }),
			]);
			await pay({ partner_ids: [partner.id] });
			await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
			const [sums] = await rows<{ paid: number }>(
				'SELECT sum(amount_cents) AS paid FROM payouts WHERE partner_program_id = ? AND failed_at IS NULL',
				partner.partner_program_id,
			);
			const { USD } = await standingsOf(shop, partner);
			expect(USD).toEqual({ available: 0, pending: 0, debt: (sums?.paid ?? 0) - 900 });
		}
	});
});

test('the partner is notified once of each', async () => {
	const { partner, payout } = await aPayout(100);
	await sent(payout.id, { reference: 'batch 9' });
	await failed(payout.id);
	await expect
		.poll(
			async () =>
				(await rows("SELECT kind FROM notifications WHERE partner_id = ? AND kind LIKE 'payout%' ORDER BY kind", partner.id)).length,
			{
				timeout: 300_000,
			},
		)
		.toBe(3);
});
