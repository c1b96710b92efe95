import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { proportionOf } from '../../src/domain/money.ts';
import { openContext } from '../../src/context.ts';
import { releaseHolds } from '../../src/sales/release-holds.ts';
import { APART, apart } from '../support/apart.ts';
import { aFunnel, aSale, balanceOf, type Funnel, rows, sharedOwner, track } from '../support/funnel.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, ledgerOf, type Shop } from '../support/ledger.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api } from '../support/world.ts';

// How refunds change balances, and how they race (contract, section 3; decisions 14 to 16).

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

function refund(funnel: Pick<Funnel, 'apiToken'>, transactionId: string, overrides: Record<string, unknown> = {}) {
	return track('refund', { transaction_id: transactionId, ...overrides }, funnel.apiToken);
}

async function pay(shop: Pick<Funnel, 'id' | 'owner'>, commissionIds: readonly (number | null)[]) {
	return api(`/api/v1/programs/${shop.id}/payouts`, { token: shop.owner.token, body: { commission_ids: commissionIds } });
}

describe('the balance', () => {
	let shop: Shop;
	beforeAll(async () => {
		shop = await aShop(await sharedOwner());
	});

	test('stops at zero for an unpaid commission', async () => {
		const partner = await aPartner(shop);
		const debt = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await pay(shop, [debt.commissionId]);
		await aRefund(shop, debt, 400);
		const next = await anEarnedCommission(shop, partner, { amountCents: 1_500 });
		await aRefund(shop, next);
		expect(await ledgerOf(partner)).toEqual([
			'credit 1000 1000 1000',
			'payout -1000 -1000 0',
			'reversal -400 -400 -400',
			'credit 1500 1500 1100',
			'reversal -1500 -1100 0',
		]);
	});

	test('stays negative when an unpaid commission is refunded: no debt is forgiven', async () => {
		const partner = await aPartner(shop);
		const debt = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await pay(shop, [debt.commissionId]);
		await aRefund(shop, debt);
		const next = await anEarnedCommission(shop, partner, { amountCents: 300 });
		await aRefund(shop, next);
		expect((await ledgerOf(partner)).slice(2)).toEqual(['reversal -1000 -1000 -1000', 'credit 300 300 -700', 'reversal -300 0 -700']);
	});

	test('goes below zero for a paid commission, even for the rest of a partly refunded one', async () => {
		const partner = await aPartner(shop);
		const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await refund(shop, earned.transactionId, { refund_id: 'r1', refund_amount_cents: 250 });
		await pay(shop, [earned.commissionId]);
		const { body } = await refund(shop, earned.transactionId, { refund_id: 'r2' });
		expect(body).toMatchObject({ status: 'reversed', deductionAmount: 7.5 });
		expect(await ledgerOf(partner)).toEqual([
			'credit 1000 1000 1000',
			'reversal -250 -250 750',
			'payout -750 -750 0',
			'reversal -750 -750 -750',
		]);
		const [commission] = await rows(
			'SELECT status, status_before_refund, paid_at IS NOT NULL AS paid FROM commissions WHERE id = ?',
			earned.commissionId,
		);
		expect(commission).toEqual({ status: 'reversed', status_before_refund: 'approved', paid: 1 });
	});

	test('in another currency, program or partner does not change', async () => {
		const [ada, bob] = [await aPartner(shop), await aPartner(shop)];
		const euros = await anEarnedCommission(shop, ada, { amountCents: 500, currency: 'EUR' });
		await anEarnedCommission(shop, ada, { amountCents: 700 });
		await anEarnedCommission(shop, bob, { amountCents: 900, currency: 'EUR' });
		await aRefund(shop, euros);
		const balances = [
			await balanceOf({ partnerProgramId: ada.partner_program_id }, 'EUR'),
			await balanceOf({ partnerProgramId: ada.partner_program_id }),
			await balanceOf({ partnerProgramId: bob.partner_program_id }, 'EUR'),
		];
		expect(balances).toEqual([0, 700, 900]);
	});
});

describe('concurrent refunds', () => {
	test('50 without an id: one is reversed, 49 skipped, one deduction', async () => {
		const funnel = await aFunnel();
		await aSale(funnel);
		const { transactionId } = await aSale(funnel);
		const answers = await Promise.all(times(50).map(() => refund(funnel, transactionId)));
		expect(answers.filter(({ body }) => body['status'] === 'reversed')).toHaveLength(1);
		expect(answers.filter(({ body }) => body['status'] === 'skipped')).toHaveLength(49);
		expect(await balanceOf(funnel)).toBe(2_000);
		await expectSoundLedger(funnel);
	});

	test('50 with one refund_id: one takes effect', async () => {
		const funnel = await aFunnel();
		const { transactionId } = await aSale(funnel);
		const answers = await Promise.all(times(50).map(() => refund(funnel, transactionId, { refund_id: 'r', refund_amount_cents: 100 })));
		expect(answers.filter(({ body }) => body['status'] === 'refunded')).toHaveLength(1);
		expect(answers.filter(({ body }) => body['status'] === 'skipped')).toHaveLength(49);
		expect(await balanceOf(funnel)).toBe(1_980);
	});

	// Each round of attempts settles one refund, so there are 1,275 attempts in all.
	test('50 with different ids: all add up exactly', async () => {
		const funnel = await aFunnel();
		const { transactionId } = await aSale(funnel);
		const answers = await Promise.all(
			times(50).map((index) => refund(funnel, transactionId, { refund_id: `r${index}`, refund_amount_cents: 101 })),
		);
		expect(answers.every(({ body }) => body['status'] === 'refunded')).toBe(true);
		const deducted = answers.reduce((sum, { body }) => sum + Math.round(Number(body['deductionAmount']) * 100), 0);
		expect(deducted).toBe(1_010);
		expect(await balanceOf(funnel)).toBe(990);
		await expectSoundLedger(funnel);
	});

	test('20 with ids, together more than the sale: they stop at its amount', async () => {
		const funnel = await aFunnel();
		const { transactionId, saleId } = await aSale(funnel);
		const answers = await Promise.all(
			times(20).map((index) => refund(funnel, transactionId, { refund_id: `r${index}`, refund_amount_cents: 600 })),
		);
		expect(answers.filter(({ body }) => body['status'] === 'refunded')).toHaveLength(17);
		expect(answers.filter(({ body }) => body['status'] === 'skipped')).toHaveLength(3);
		expect(await rows('SELECT refunded_cents FROM affiliate_sale_events WHERE id = ?', saleId)).toEqual([{ refunded_cents: 10_000 }]);
		expect(await balanceOf(funnel)).toBe(0);
		await expectSoundLedger(funnel);
	});

	test('on many sales of one partner: every deduction reaches the balance', async () => {
		const funnel = await aFunnel();
		const sales = [];
		for (const _ of times(12)) sales.push(await aSale(funnel));
		await Promise.all(sales.flatMap(({ transactionId }) => [refund(funnel, transactionId), refund(funnel, transactionId)]));
		expect(await balanceOf(funnel)).toBe(0);
		await expectSoundLedger(funnel);
	});

	test('and a payout: in either order the ledger is sound and nothing is paid twice', async () => {
		const orders = new Set<unknown>();
		for (const [index, late] of APART.entries()) {
			const isWhole = index % 2 === 0;
			const funnel = await aFunnel();
			const { transactionId, commissionId } = await aSale(funnel);
			const [paid, answer] = await apart(
				late,
				() => pay(funnel, [commissionId]),
				() => refund(funnel, transactionId, isWhole ? {} : { refund_amount_cents: 2_500 }),
			);
			expect(answer.body['status']).toBe(isWhole ? 'reversed' : 'refunded');
			expect([201, 409]).toContain(paid.status);
			await expectSoundLedger(funnel);
			const [commission] = await rows<{ rest: number; payout: number; status_before_refund: string }>(
				`SELECT amount_cents - deducted_cents AS rest, status_before_refund,
					coalesce((SELECT amount_cents FROM payouts WHERE id = c.payout_id), 0) AS payout
				FROM commissions c WHERE id = ?`,
				commissionId,
			);
			expect((commission?.payout ?? 0) + (await balanceOf(funnel))).toBe(commission?.rest);
			orders.add(commission?.status_before_refund);
		}
		expect(orders).toEqual(new Set(['approved', 'paid']));
	});

	test('and a rejection: only one of them deducts the credit', async () => {
		const funnel = await aFunnel();
		for (const _ of times(6)) {
			const { transactionId, commissionId } = await aSale(funnel);
			const path = `/api/v1/programs/${funnel.id}/commissions/reject`;
			const [rejected, answer] = await Promise.all([
				api(path, { token: funnel.owner.token, body: { commission_ids: [commissionId] } }),
				refund(funnel, transactionId),
			]);
			expect([rejected.status, answer.body['status']]).toEqual(rejected.status === 200 ? [200, 'skipped'] : [409, 'reversed']);
			expect(await balanceOf(funnel)).toBe(0);
		}
	});

	test('and the end of the hold: both take effect', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 1 } });
		const { transactionId, commissionId } = await aSale(funnel);
		await env.DB.prepare('UPDATE commissions SET hold_until = 0, revision = revision + 1 WHERE id = ?').bind(commissionId).run();
		const ctx = openContext(env, { waitUntil: () => undefined });
		const [answer] = await Promise.all([refund(funnel, transactionId, { refund_amount_cents: 5_000 }), releaseHolds(ctx, 500)]);
		expect(answer.body['status']).toBe('refunded');
		const [commission] = await rows<{ status: string; status_before_refund: string }>(
			'SELECT status, status_before_refund FROM commissions WHERE id = ?',
			commissionId,
		);
		expect(commission?.status).toBe('refunded');
		expect(['pending', 'approved']).toContain(commission?.status_before_refund);
		await expectSoundLedger(funnel);
	});
});

test('for any amounts, the deductions add up to the half-up proportion and never exceed the commission', async () => {
	const funnels = await Promise.all(
		[1, 33.33, 100].map(async (percent) => ({ percent, ...(await aFunnel({ commission: { type: 'percent', percent } })) })),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...funnels),
			fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 99_999_999_999 })),
			fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
			async (funnel, amountCents, parts) => {
				const { transactionId, commissionId } = await aSale(funnel, { amount_cents: amountCents });
				const [commission] = await rows<{ amount_cents: number }>('SELECT amount_cents FROM commissions WHERE id = ?', commissionId);
				const commissionCents = commission?.amount_cents ?? -1;
				let refunded = 0;
				let deducted = 0;
				for (const [index, part] of parts.entries()) {
					const amount = Math.max(1, Math.floor((amountCents * part) / 100));
					const { body } = await refund(funnel, transactionId, { refund_id: `r${index}`, refund_amount_cents: amount });
					refunded = Math.min(refunded + amount, amountCents);
					deducted += Math.round(Number(body['deductionAmount'] ?? 0) * 100);
					expect(deducted).toBe(proportionOf(commissionCents, refunded, amountCents));
					expect(deducted).toBeLessThanOrEqual(commissionCents);
				}
				await expectSoundLedger(funnel);
			},
		),
		{ numRuns: 15 },
	);
});
