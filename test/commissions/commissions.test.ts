import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdingQueue } from '../../testing/queues.ts';
import { callWith } from '../support/bindings.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, balancesOf, ledgerOf } from '../support/ledger.ts';
import { type Shop, standingsOf, statusesOf } from '../support/ledger.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

interface Row {
	readonly id: number;
	readonly status: string;
	readonly state_reason: string;
	readonly [field: string]: unknown;
}

let owner: Owner;
/** Without a hold, commissions are approved at once. */
let shop: Shop;
/** With a hold of 30 days, commissions are pending at first. */
let slowShop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
	slowShop = await aShop(owner, 30);
});

function decide(place: Shop, verb: 'approve' | 'reject', ids: readonly number[], reason?: string) {
	return api<Row[]>(`${place.path}/commissions/${verb}`, { token: owner.token, body: { commission_ids: ids, reason } });
}

async function list(place: Shop, filter = '') {
	const { status, text, body } = await api<Row[]>(`${place.path}/commissions${filter}`, { token: owner.token });
	expect(status, text).toBe(200);
	return body;
}

test('a row shows the sale, the rule, the refunds and the reason of its state', async () => {
	const partner = await aPartner(shop, { name: 'Row Partner' });
	const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
	await aRefund(shop, earned, 250);
	const { data } = await list(shop, `?partner_id=${partner.id}`);
	const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	expect(data).toEqual([
		{
			id: earned.commissionId,
			status: 'refunded',
			state_reason: 'The sale was partly refunded. The rest can be paid',
			amount_cents: 1_000,
			deducted_cents: 250,
			currency: 'USD',
			partner: { id: partner.id, name: 'Row Partner' },
			sale: {
				id: earned.saleId,
				transaction_id: earned.transactionId,
				amount_cents: 1_000,
				refunded_cents: 250,
				sub_id: null,
				created_at: instant,
			},
			rule: { id: expect.any(Number), version: 1, type: 'percent', percent: 100 },
			refunds: [
				{
					id: expect.any(Number),
					refund_id: null,
					amount_cents: 250,
					deduction_cents: 250,
					withheld_cents: 0,
					outcome: 'refunded',
					source: 'endpoint',
					reason: null,
					created_at: instant,
				},
			],
			hold_until: instant,
			paid_at: null,
			payout_id: null,
			refund_reason: null,
			rejection_reason: null,
			created_at: instant,
		},
	]);
});

test('the list is newest first, paged, and filtered by status, partner and time', async () => {
	const place = await aShop(owner, 1);
	const [ada, bob] = [await aPartner(place), await aPartner(place)];
	const ids: number[] = [];
	for (const partner of [ada, bob, ada]) ids.unshift((await anEarnedCommission(place, partner, { amountCents: 100 })).commissionId);
	await decide(place, 'approve', ids.slice(0, 1));
	const idsOf = async (filter: string) => (await list(place, filter)).data.map((row) => row.id);

	const first = await list(place, '?limit=2');
	expect(first.data.map((row) => row.id)).toEqual(ids.slice(0, 2));
	expect(await idsOf(`?limit=2&cursor=${first.meta.next_cursor}`)).toEqual(ids.slice(2));
	expect(await idsOf('?status=approved')).toEqual(ids.slice(0, 1));
	expect(await idsOf(`?partner_id=${bob.id}`)).toEqual(ids.slice(1, 2));
	const today = new Date().toISOString().slice(0, 10);
	expect(await idsOf(`?from=${today}&to=${today}`)).toEqual(ids);
	expect(await idsOf('?to=2026-01-01')).toEqual([]);
	expect(await idsOf(`?from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
	expect(await idsOf('?from=2026-01-01T00:00:00+02:00')).toEqual(ids);
});

test.each([
	['?status=done', 'status must be one of pending, approved, paid, rejected, reversed, refunded'],
	['?from=2026-02-30', 'from must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
	['?to=2026-01-31T12', 'to must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
	['?partner_id=x', 'partner_id must be a positive integer'],
	['?limit=201', 'limit must be an integer from 1 to 200'],
])('an invalid filter %s is refused: %s', async (filter, error) => {
	const answer = await api(`${shop.path}/commissions${filter}`, { token: owner.token });
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});

test('pending commissions can be approved before their hold ends', async () => {
	const partner = await aPartner(slowShop);
	const { commissionId } = await anEarnedCommission(slowShop, partner, { amountCents: 500 });
	expect((await list(slowShop, `?partner_id=${partner.id}`)).data[0]?.state_reason).toMatch(/^On hold until /);
	const approved = await decide(slowShop, 'approve', [commissionId, commissionId]);
	expect([approved.status, approved.body.data]).toEqual([200, [{ id: commissionId, status: 'approved' }]]);
	const { data } = await list(slowShop, `?partner_id=${partner.id}`);
	expect(data[0]).toMatchObject({
		status: 'approved',
		state_reason: expect.stringMatching(/^Approved before its hold would have ended at /),
	});
	expect(await balancesOf(slowShop, partner)).toEqual({ USD: 500 });
});

test('approving and rejecting are all or nothing', async () => {
	const partner = await aPartner(slowShop);
	const [first, second] = [
		await anEarnedCommission(slowShop, partner, { amountCents: 100 }),
		await anEarnedCommission(slowShop, partner, { amountCents: 200 }),
	];
	const foreign = await anEarnedCommission(shop, await aPartner(shop), { amountCents: 100 });
	await decide(slowShop, 'approve', [second.commissionId]);

	const twice = await decide(slowShop, 'approve', [first.commissionId, second.commissionId]);
	expect([twice.status, twice.body.error]).toEqual([
		409,
		`Commission ${second.commissionId} is approved: only pending commissions can be approved`,
	]);
	for (const verb of ['approve', 'reject'] as const) {
		const unknown = await decide(slowShop, verb, [first.commissionId, foreign.commissionId]);
		expect([unknown.status, unknown.body.error]).toEqual([404, `Commission ${foreign.commissionId} not found`]);
	}
	const statuses = (await list(slowShop, `?partner_id=${partner.id}`)).data.map((row) => row.status);
	expect(statuses).toEqual(['approved', 'pending']);
	expect(await balancesOf(slowShop, partner)).toEqual({ USD: 300 });
});

test('a rejection deducts the credit and gives the reason', async () => {
	const partner = await aPartner(shop);
	const earned = [
		await anEarnedCommission(shop, partner, { amountCents: 300 }),
		await anEarnedCommission(shop, partner, { amountCents: 500 }),
		await anEarnedCommission(shop, partner, { amountCents: 900, currency: 'EUR' }),
	];
	const ids = earned.map(({ commissionId }) => commissionId);
	// The messages are held, so that the row remains in the outbox.
	const held = { EFFECTS: holdingQueue() };
	const body = { commission_ids: ids, reason: 'Self-referral' };
	expect((await callWith(held, `${shop.path}/commissions/reject`, { token: owner.token, body })).status).toBe(200);
	expect(await balancesOf(shop, partner)).toEqual({ USD: 0, EUR: 0 });
	expect(await ledgerOf(partner)).toEqual(['credit 300 300 300', 'credit 500 500 800', 'rejection -300 -300 500', 'rejection -500 -500 0']);
	const { data } = await list(shop, `?partner_id=${partner.id}&limit=1`);
	expect(data[0]).toMatchObject({ status: 'rejected', rejection_reason: 'Self-referral', state_reason: 'Rejected: Self-referral' });
	const { results } = await env.DB.prepare(
		"SELECT subject_id FROM outbox WHERE kind = 'commission_rejected' AND program_id = ? ORDER BY subject_id",
	)
		.bind(shop.id)
		.all<{ subject_id: number }>();
	expect(results.map((row) => row.subject_id)).toEqual(expect.arrayContaining(ids));
	const again = await decide(shop, 'reject', ids);
	expect([again.status, again.body.error]).toEqual([
		409,
		`Commission ${ids[0]} is rejected: only pending and approved commissions and the rest of partly refunded ones can be rejected`,
	]);
});

test('a rejection deducts the whole commission: it does not reduce a debt, and does not stop at zero', async () => {
	const partner = await aPartner(shop);
	const paid = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
	await api(`${shop.path}/payouts`, { token: owner.token, body: { commission_ids: [paid.commissionId] } });
	await aRefund(shop, paid);
	expect(await balancesOf(shop, partner)).toEqual({ USD: -1_000 });

	const eaten = await anEarnedCommission(shop, partner, { amountCents: 400 });
	expect((await decide(shop, 'reject', [eaten.commissionId])).status).toBe(200);
	expect((await ledgerOf(partner)).at(-1)).toBe('rejection -400 -400 -1000');

	const three = [];
	for (const amountCents of [500, 300, 200]) three.push((await anEarnedCommission(shop, partner, { amountCents })).commissionId);
	expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	expect((await decide(shop, 'reject', three)).status).toBe(200);
	expect(await standingsOf(shop, partner)).toEqual({ USD: { available: 0, pending: 0, debt: 1_000 } });
	expect((await ledgerOf(partner)).slice(-3)).toEqual([
		'rejection -500 -500 -500',
		'rejection -300 -300 -800',
		'rejection -200 -200 -1000',
	]);
});

describe('a partly refunded commission', () => {
	test('can have its rest rejected, on hold or not, and nothing remains', async () => {
		for (const place of [shop, slowShop]) {
			const partner = await aPartner(place);
			const earned = await anEarnedCommission(place, partner, { amountCents: 1_000 });
			await aRefund(place, earned, 100);
			expect((await decide(place, 'reject', [earned.commissionId], 'Own purchase')).status).toBe(200);
			expect((await ledgerOf(partner)).slice(1)).toEqual(['reversal -100 -100 900', 'rejection -900 -900 0']);
			const { data } = await list(place, `?partner_id=${partner.id}`);
			expect(data).toMatchObject([{ status: 'rejected', deducted_cents: 100, state_reason: 'Rejected: Own purchase' }]);
			await api(`${place.path}/payouts`, { token: owner.token, body: { partner_ids: [partner.id] } });
			expect(await standingsOf(place, partner)).toEqual({ USD: { available: 0, pending: 0, debt: 0 } });
		}
	});

	test('cannot be rejected if it was paid or has no rest', async () => {
		const partner = await aPartner(shop);
		const [before, after, nothing] = [
			await anEarnedCommission(shop, partner, { amountCents: 1_000 }),
			await anEarnedCommission(shop, partner, { amountCents: 1_000 }),
			await anEarnedCommission(shop, partner, { amountCents: 1_000 }),
		];
		await aRefund(shop, before, 100);
		await api(`${shop.path}/payouts`, { token: owner.token, body: { commission_ids: [before.commissionId, after.commissionId] } });
		await aRefund(shop, after, 100);
		await aRefund(shop, nothing, 1_000);
		for (const [{ commissionId }, reason] of [
			[before, 'is refunded and was already paid'],
			[after, 'is refunded and was already paid'],
			[nothing, 'is refunded and has nothing left to reject'],
		] as const) {
			const refused = await decide(shop, 'reject', [commissionId]);
			expect([refused.status, refused.body.error]).toEqual([409, `Commission ${commissionId} ${reason}`]);
		}
	});

	test('is either rejected or paid if both race', async () => {
		for (const late of [0, 1, 2, 3]) {
			const partner = await aPartner(shop);
			const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
			await aRefund(shop, earned, 100);
			const ids = [earned.commissionId];
			const answers = await Promise.all([
				scheduler.wait(late).then(() => decide(shop, 'reject', ids)),
				api(`${shop.path}/payouts`, { token: owner.token, body: { commission_ids: ids } }),
			]);
			expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
			expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
			await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
		}
	});
});

test('exactly one of several concurrent decisions on a commission succeeds', async () => {
	const partner = await aPartner(slowShop);
	const { commissionId } = await anEarnedCommission(slowShop, partner, { amountCents: 800 });
	const approvals = await Promise.all([1, 2, 3, 4].map(() => decide(slowShop, 'approve', [commissionId])));
	expect(statusesOf(approvals)).toEqual([200, 409, 409, 409]);
	const rejections = await Promise.all([1, 2, 3, 4].map(() => decide(slowShop, 'reject', [commissionId])));
	expect(statusesOf(rejections)).toEqual([200, 409, 409, 409]);
	expect(await balancesOf(slowShop, partner)).toEqual({ USD: 0 });
});

test('a refund that races a rejection deducts once', async () => {
	const partner = await aPartner(shop);
	const kept = await anEarnedCommission(shop, partner, { amountCents: 5_000 });
	const raced = await anEarnedCommission(shop, partner, { amountCents: 700 });
	const [first, , second] = await Promise.all([
		decide(shop, 'reject', [raced.commissionId]),
		aRefund(shop, raced),
		decide(shop, 'reject', [raced.commissionId]),
	]);
	// Either the refund wins, or one of the rejections.
	expect([
		[200, 409],
		[409, 409],
	]).toContainEqual(statusesOf([first, second]));
	expect(await balancesOf(shop, partner)).toEqual({ USD: 5_000 });
	expect((await decide(shop, 'reject', [kept.commissionId])).status).toBe(200);
});

test.each([
	[{ commission_ids: 1 }, 'commission_ids must be a list of ids'],
	[{ commission_ids: [] }, 'commission_ids must name at least one id'],
	[{ commission_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'commission_ids must name at most 500 ids'],
	[{ commission_ids: ['1'] }, 'commission_ids.0 must be an integer'],
])('an invalid list of ids is refused (%#)', async (body, error) => {
	const answer = await api(`${shop.path}/commissions/approve`, { token: owner.token, body });
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});
