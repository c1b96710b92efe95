import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../support/funnel.ts';
import {
	aPartner,
	aRefund,
	aShop,
	anEarnedCommission,
	balancesOf,
	type Earned,
	ledgerOf,
	type Shop,
	standingsOf,
	type TestPartner,
} from '../support/ledger.ts';
import { aReversalFact, reportReversal, undone } from '../support/payments.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// Debts and surpluses of an account (decision 19a).

interface Payout {
	readonly amount_cents: number;
	readonly recovered_cents: number;
	readonly commission_cents: number;
	readonly surplus_cents: number;
	readonly commission_ids: readonly number[];
	readonly amount_reason: string;
}

let owner: Owner;
let shop: Shop;
/** With a hold, commissions are pending until approved. */
let slowShop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
	slowShop = await aShop(owner, 30);
});

async function pay(place: Shop, body: Record<string, unknown>): Promise<readonly Payout[]> {
	const answer = await api<Payout[]>(`${place.path}/payouts`, { token: owner.token, body });
	expect(answer.status, answer.text).toBe(201);
	return answer.body.data;
}

function decide(place: Shop, verb: 'approve' | 'reject', ids: readonly number[]) {
	return api(`${place.path}/commissions/${verb}`, { token: owner.token, body: { commission_ids: ids } });
}

async function approved(place: Shop, partner: TestPartner, amountCents: number): Promise<Earned> {
	const earned = await anEarnedCommission(place, partner, { amountCents });
	if (place === slowShop) await decide(place, 'approve', [earned.commissionId]);
	return earned;
}

/** The refund of a paid commission leaves this debt. */
async function aDebtor(place: Shop, debtCents: number): Promise<TestPartner> {
	const partner = await aPartner(place);
	const earned = await approved(place, partner, debtCents);
	await pay(place, { commission_ids: [earned.commissionId] });
	await aRefund(place, earned);
	return partner;
}

/** A partner with this surplus and no unpaid commission: a dispute's debt was recovered, then the dispute was won. */
async function aCreditor(place: Shop, surplusCents: number): Promise<TestPartner> {
	const partner = await aPartner(place);
	const disputed = await approved(place, partner, surplusCents);
	await pay(place, { commission_ids: [disputed.commissionId] });
	const dispute = aReversalFact([disputed.transactionId], surplusCents, { kind: 'dispute' });
	await reportReversal(place, dispute);
	const next = await approved(place, partner, surplusCents);
	expect(await pay(place, { commission_ids: [next.commissionId] })).toMatchObject([{ amount_cents: 0, recovered_cents: surplusCents }]);
	await reportReversal(place, undone(dispute));
	return partner;
}

const owing = (available: number, pending: number, debt: number) => ({ USD: { available, pending, debt } });

describe('a debt', () => {
	test('is not hidden by credits on hold, which may still be refunded', async () => {
		const partner = await aDebtor(slowShop, 50);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(0, 0, 50));
		const held = await anEarnedCommission(slowShop, partner, { amountCents: 100 });
		expect(await standingsOf(slowShop, partner)).toEqual(owing(0, 100, 50));
		await approved(slowShop, partner, 40);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(0, 100, 10));
		expect(await pay(slowShop, { partner_ids: [partner.id] })).toMatchObject([
			{
				amount_cents: 0,
				recovered_cents: 40,
				commission_cents: 40,
				surplus_cents: 0,
				amount_reason: 'Nothing to pay: 0.40 USD deducted for an earlier debt',
			},
		]);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(0, 100, 10));
		await decide(slowShop, 'approve', [held.commissionId]);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(90, 0, 0));
		expect(await pay(slowShop, { commission_ids: [held.commissionId] })).toMatchObject([
			{
				amount_cents: 90,
				recovered_cents: 10,
				amount_reason: 'The unpaid part of its commissions, less 0.10 USD deducted for an earlier debt',
			},
		]);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(0, 0, 0));
	});

	test('is not hidden by commissions that a payout leaves out', async () => {
		const partner = await aDebtor(shop, 500);
		const [chosen, left] = [await approved(shop, partner, 300), await approved(shop, partner, 400)];
		expect(await pay(shop, { commission_ids: [chosen.commissionId] })).toMatchObject([{ amount_cents: 0, recovered_cents: 300 }]);
		expect(await pay(shop, { commission_ids: [left.commissionId] })).toMatchObject([{ amount_cents: 200, recovered_cents: 200 }]);
	});

	test('counts against the minimum, regardless of credits on hold', async () => {
		const partner = await aDebtor(slowShop, 500);
		await anEarnedCommission(slowShop, partner, { amountCents: 10_000 });
		await approved(slowShop, partner, 800);
		expect(await pay(slowShop, { partner_ids: [partner.id], minimum_cents: 301 })).toEqual([]);
		expect(await pay(slowShop, { partner_ids: [partner.id], minimum_cents: 300 })).toMatchObject([
			{ amount_cents: 300, recovered_cents: 500 },
		]);
	});

	test('a rest on hold is pending; if its hold was waived, it is available', async () => {
		const partner = await aPartner(slowShop);
		const [held, free] = [await anEarnedCommission(slowShop, partner, { amountCents: 100 }), await approved(slowShop, partner, 1_000)];
		await aRefund(slowShop, held, 30);
		await aRefund(slowShop, free, 300);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(700, 70, 0));
		await aRefund(slowShop, await anEarnedCommission(slowShop, partner, { amountCents: 5 }));
		await decide(slowShop, 'reject', [(await anEarnedCommission(slowShop, partner, { amountCents: 7 })).commissionId]);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(700, 70, 0));
	});

	test('the CSV says that nothing was paid, and why', async () => {
		const partner = await aDebtor(shop, 500);
		await approved(shop, partner, 300);
		await pay(shop, { partner_ids: [partner.id] });
		const { text } = await api(`${shop.path}/payouts?partner_id=${partner.id}&limit=1`, {
			token: owner.token,
			headers: { Accept: 'text/csv' },
		});
		expect(text).toMatch(/,USD,0,300,300,0,\d+,[^,]*,Nothing to pay: 3.00 USD deducted for an earlier debt,settled,,,,,1\r\n$/);
	});
});

describe('a surplus', () => {
	test('is available at once, and can be paid alone', async () => {
		const partner = await aCreditor(shop, 2_000);
		expect(await standingsOf(shop, partner)).toEqual(owing(2_000, 0, 0));
		expect(await pay(shop, { partner_ids: [partner.id] })).toMatchObject([
			{
				amount_cents: 2_000,
				recovered_cents: 0,
				commission_cents: 0,
				surplus_cents: 2_000,
				commission_ids: [],
				amount_reason: 'Was credited back because a refund or payout failed or a dispute was won',
			},
		]);
		expect((await ledgerOf(partner)).slice(-2)).toEqual(['reinstatement 2000 2000 2000', 'surplus -2000 -2000 0']);
		expect(await pay(shop, { partner_ids: [partner.id] })).toEqual([]);
		expect(await standingsOf(shop, partner)).toEqual(owing(0, 0, 0));
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});

	test('is paid once, with any selected commission of its account', async () => {
		const partner = await aCreditor(shop, 2_000);
		const [first, second] = [await approved(shop, partner, 100), await approved(shop, partner, 300)];
		expect(await pay(shop, { commission_ids: [first.commissionId] })).toMatchObject([
			{
				amount_cents: 2_100,
				commission_cents: 100,
				surplus_cents: 2_000,
				commission_ids: [first.commissionId],
				amount_reason:
					'The unpaid part of its commissions, and 20.00 USD credited back because a refund or payout failed or a dispute was won',
			},
		]);
		expect((await ledgerOf(partner)).slice(-2)).toEqual(['payout -100 -100 2300', 'surplus -2000 -2000 300']);
		expect(await pay(shop, { commission_ids: [second.commissionId] })).toMatchObject([{ amount_cents: 300, surplus_cents: 0 }]);
	});

	test('does not include credits on hold', async () => {
		const partner = await aCreditor(slowShop, 700);
		await anEarnedCommission(slowShop, partner, { amountCents: 5_000 });
		expect(await standingsOf(slowShop, partner)).toEqual(owing(700, 5_000, 0));
		expect(await pay(slowShop, { partner_ids: [partner.id] })).toMatchObject([{ amount_cents: 700, commission_ids: [] }]);
		expect(await standingsOf(slowShop, partner)).toEqual(owing(0, 5_000, 0));
	});

	test('is filtered by partner and minimum, not by date; other currencies are separate accounts', async () => {
		const place = await aShop(owner);
		const [small, large] = [await aCreditor(place, 300), await aCreditor(place, 900)];
		const euros = await anEarnedCommission(place, small, { amountCents: 50, currency: 'EUR' });
		expect(await pay(place, { partner_ids: [small.id], minimum_cents: 301 })).toEqual([]);
		expect(await pay(place, { before: '2026-01-01', minimum_cents: 300, partner_ids: [small.id] })).toMatchObject([{ amount_cents: 300 }]);
		expect(await pay(place, { commission_ids: [euros.commissionId] })).toMatchObject([{ amount_cents: 50, surplus_cents: 0 }]);
		expect(await pay(place, {})).toMatchObject([{ amount_cents: 900, surplus_cents: 900 }]);
		expect(await balancesOf(place, large)).toEqual({ USD: 0 });
	});

	test('counts toward the minimum with its commissions', async () => {
		const partner = await aCreditor(shop, 300);
		await approved(shop, partner, 200);
		expect(await pay(shop, { partner_ids: [partner.id], minimum_cents: 501 })).toEqual([]);
		expect(await pay(shop, { partner_ids: [partner.id], minimum_cents: 500 })).toMatchObject([{ amount_cents: 500, surplus_cents: 300 }]);
	});
});

describe('a reinstatement after the rest was rejected', () => {
	test('changes no balance: net revenue is right, and nothing is owed', async () => {
		const partner = await aPartner(shop);
		const earned = await approved(shop, partner, 1_000);
		const refund = aReversalFact([earned.transactionId], 400);
		await reportReversal(shop, refund);
		expect((await decide(shop, 'reject', [earned.commissionId])).status).toBe(200);
		const before = await ledgerOf(partner);
		expect(await reportReversal(shop, undone(refund))).toMatchObject({ outcome: 'reinstated', amountCents: 400, deductionCents: 0 });
		expect(await ledgerOf(partner)).toEqual(before);
		expect(await standingsOf(shop, partner)).toEqual(owing(0, 0, 0));
		const [sale] = await rows('SELECT refunded_cents FROM affiliate_sale_events WHERE id = ?', earned.saleId);
		expect(sale).toEqual({ refunded_cents: 0 });
	});
});

describe('concurrent requests', () => {
	test('payouts of a surplus alone: one pays, the others find nothing', async () => {
		const partner = await aCreditor(shop, 900);
		const answers = await Promise.all([1, 2, 3, 4].map((minimum) => pay(shop, { partner_ids: [partner.id], minimum_cents: minimum })));
		expect(answers.flat()).toMatchObject([{ amount_cents: 900, surplus_cents: 900 }]);
		expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	});

	test('payouts of different commissions of one account: one of them includes the surplus', async () => {
		const partner = await aCreditor(shop, 900);
		const ids: number[] = [];
		for (const amountCents of [10, 20, 30]) ids.push((await approved(shop, partner, amountCents)).commissionId);
		const paid = (await Promise.all(ids.map((id) => pay(shop, { commission_ids: [id] })))).flat();
		expect(paid.map(({ surplus_cents }) => surplus_cents).toSorted((a, b) => a - b)).toEqual([0, 0, 900]);
		expect(paid.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(960);
		expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	});

	test('payouts of different commissions recover a debt once', async () => {
		const partner = await aDebtor(shop, 100);
		const ids: number[] = [];
		for (const amountCents of [80, 90, 100]) ids.push((await approved(shop, partner, amountCents)).commissionId);
		const paid = (await Promise.all(ids.map((id) => pay(shop, { commission_ids: [id] })))).flat();
		expect(paid.reduce((sum, { recovered_cents }) => sum + recovered_cents, 0)).toBe(100);
		expect(paid.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(170);
		expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	});

	test('a payout, a new dispute, a reinstatement and a rejection: after a final payout only a real debt is left', async () => {
		for (const late of [0, 1, 2, 3]) {
			const partner = await aPartner(shop);
			// The second is large enough that its refund is never clamped.
			const [first, second, third] = [
				await approved(shop, partner, 500),
				await approved(shop, partner, 1_000),
				await approved(shop, partner, 200),
			];
			await pay(shop, { commission_ids: [first.commissionId] });
			const [dispute, other] = [first, second].map(({ transactionId }) => aReversalFact([transactionId], 250, { kind: 'dispute' }));
			if (!dispute || !other) throw new Error('There are two disputes');
			await reportReversal(shop, dispute);
			await Promise.all([
				pay(shop, { partner_ids: [partner.id] }),
				scheduler.wait(late).then(() => reportReversal(shop, undone(dispute))),
				reportReversal(shop, other),
				decide(shop, 'reject', [third.commissionId]),
				pay(shop, { partner_ids: [partner.id] }),
			]);
			await pay(shop, { partner_ids: [partner.id] });
			await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
			const [sums] = await rows<{ due: number; paid: number }>(
				`SELECT (SELECT sum(amount_cents - deducted_cents) FROM commissions WHERE partner_program_id = ?1 AND status <> 'rejected') AS due,
					(SELECT sum(amount_cents) FROM payouts WHERE partner_program_id = ?1) AS paid`,
				partner.partner_program_id,
			);
			const { USD } = await standingsOf(shop, partner);
			expect(USD).toEqual({ available: 0, pending: 0, debt: (sums?.paid ?? 0) - (sums?.due ?? 0) });
		}
	});
});
