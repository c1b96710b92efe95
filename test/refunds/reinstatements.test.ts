import { describe, expect, test } from 'vitest';
import { aFunnel, balanceOf, type Funnel, rows, sharedOwner } from '../support/funnel.ts';
import { aPartner, aShop, anEarnedCommission, ledgerOf } from '../support/ledger.ts';
import { aPayment, aReversalFact, refundsOf, stateOf, reportReversal, undone } from '../support/payments.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api } from '../support/world.ts';

// Reinstatements: a refund fails, or a dispute is won (decision 19).

async function payOut(funnel: Pick<Funnel, 'id' | 'owner'>, commissionId: number | null): Promise<void> {
	const body = { commission_ids: [commissionId] };
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/payouts`, { token: funnel.owner.token, body });
	expect(status, text).toBe(201);
}

describe('a failed refund or a won dispute', () => {
	test('reinstates the deduction with separate entries, and the commission is as before', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 3 } });
		const { ids, receipt } = await aPayment(funnel);
		const dispute = aReversalFact([ids.charge], 10_000, { kind: 'dispute' }, { reason: 'fraudulent' });
		await reportReversal(funnel, dispute);
		const [reversed] = await rows('SELECT status, status_before_refund, refund_reason FROM commissions WHERE id = ?', receipt.commissionId);
		expect(reversed).toEqual({ status: 'reversed', status_before_refund: 'pending', refund_reason: 'Disputed: fraudulent' });
		expect(await reportReversal(funnel, undone(dispute))).toMatchObject({
			outcome: 'reinstated',
			amountCents: 10_000,
			deductionCents: 2_000,
		});
		const [back] = await rows('SELECT status, status_before_refund, refund_reason FROM commissions WHERE id = ?', receipt.commissionId);
		expect(back).toEqual({ status: 'pending', status_before_refund: null, refund_reason: null });
		expect(await balanceOf(funnel)).toBe(2_000);
		expect(await refundsOf(receipt.saleId)).toEqual(['processor reversed 10000 2000', 'processor reinstated 10000 2000']);
		await expectSoundLedger(funnel);
	});

	test('deducts nothing if it was never reported, nor when it is reported late', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		const fact = aReversalFact([ids.charge], 2_500);
		expect(await reportReversal(funnel, undone(fact))).toMatchObject({ outcome: 'unchanged', amountCents: 0 });
		expect(await reportReversal(funnel, fact)).toMatchObject({ outcome: 'unchanged' });
		expect(await stateOf(receipt.saleId)).toBe('0 of 10000, approved 0 of 2000');
		expect(await refundsOf(receipt.saleId)).toEqual([]);
	});

	test('affects only that one: the other still counts', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		const [one, two] = [aReversalFact([ids.charge], 2_500), aReversalFact([ids.charge], 7_500)];
		await reportReversal(funnel, one);
		await reportReversal(funnel, two);
		expect(await stateOf(receipt.saleId)).toBe('10000 of 10000, reversed 2000 of 2000');
		await reportReversal(funnel, undone(two));
		expect(await stateOf(receipt.saleId)).toBe('2500 of 10000, refunded 500 of 2000');
		await expectSoundLedger(funnel);
	});

	test('whose deduction was clamped reinstates only what was really deducted', async () => {
		const shop = await aShop(await sharedOwner());
		const partner = await aPartner(shop);
		const debt = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await payOut(shop, debt.commissionId);
		await reportReversal(shop, aReversalFact([debt.transactionId], 700));
		const next = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		const [half, rest] = [aReversalFact([next.transactionId], 500), aReversalFact([next.transactionId], 500)];
		await reportReversal(shop, half);
		await reportReversal(shop, rest);
		await reportReversal(shop, undone(rest));
		await reportReversal(shop, undone(half));
		expect((await ledgerOf(partner)).slice(2)).toEqual([
			'reversal -700 -700 -700',
			'credit 1000 1000 300',
			'reversal -500 -300 0',
			'reversal -500 0 0',
			'reinstatement 500 0 0',
			'reinstatement 500 300 300',
		]);
		await expectSoundLedger({ partnerProgramId: partner.partner_program_id });
	});

	test('on a paid commission clears the debt and makes it paid again; the ledger shows each step', async () => {
		const shop = await aShop(await sharedOwner());
		const partner = await aPartner(shop);
		const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await payOut(shop, earned.commissionId);
		const fact = aReversalFact([earned.transactionId], 1_000);
		await reportReversal(shop, fact);
		await reportReversal(shop, undone(fact));
		expect(await ledgerOf(partner)).toEqual([
			'credit 1000 1000 1000',
			'payout -1000 -1000 0',
			'reversal -1000 -1000 -1000',
			'reinstatement 1000 1000 0',
		]);
		expect(await stateOf(earned.saleId)).toBe('0 of 1000, paid 0 of 1000');
	});

	test('after the rest was paid leaves a paid commission, and adds the deduction to the balance', async () => {
		const shop = await aShop(await sharedOwner());
		const partner = await aPartner(shop);
		const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		const fact = aReversalFact([earned.transactionId], 300);
		await reportReversal(shop, fact);
		await payOut(shop, earned.commissionId);
		await reportReversal(shop, undone(fact));
		expect(await stateOf(earned.saleId)).toBe('0 of 1000, paid 0 of 1000');
		expect(await balanceOf({ partnerProgramId: partner.partner_program_id })).toBe(300);
	});

	test('restores a commission of 0 cents too', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 0 } });
		const { ids, receipt } = await aPayment(funnel);
		const fact = aReversalFact([ids.charge], 2_500);
		await reportReversal(funnel, fact);
		expect(await stateOf(receipt.saleId)).toBe('2500 of 10000, refunded 0 of 0');
		await reportReversal(funnel, undone(fact));
		expect(await stateOf(receipt.saleId)).toBe('0 of 10000, approved 0 of 0');
	});
});

test('a payout and a won dispute at once: balance and commission agree', async () => {
	const shop = await aShop(await sharedOwner());
	for (const late of [0, 1, 2, 3]) {
		const partner = await aPartner(shop);
		const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		const dispute = aReversalFact([earned.transactionId], 1_000, { kind: 'dispute' });
		const body = { commission_ids: [earned.commissionId] };
		await Promise.all([
			scheduler.wait(late).then(() => api(`/api/v1/programs/${shop.id}/payouts`, { token: shop.owner.token, body })),
			reportReversal(shop, dispute),
			reportReversal(shop, undone(dispute)),
		]);
		const account = { partnerProgramId: partner.partner_program_id };
		await expectSoundLedger(account);
		const isPaid = (await stateOf(earned.saleId)) === '0 of 1000, paid 0 of 1000';
		expect(await balanceOf(account)).toBe(isPaid ? 0 : 1_000);
	}
});
