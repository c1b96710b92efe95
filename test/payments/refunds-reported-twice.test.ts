import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { ReversalFact } from '../../src/domain/processors/processor-event.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { reverseSale } from '../../src/refunds/reverse-sale.ts';
import { interrupted, losingAnswers } from '../../testing/d1/failing.ts';
import { APART, apart } from '../support/apart.ts';
import { aFunnel, balanceOf, type Funnel, track } from '../support/funnel.ts';
import { aPayment, aReversalFact, context, refundsOf, stateOf, reportReversal, undone } from '../support/payments.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';

// The refund endpoint and the processor report refunds of one sale. They are reconciled, never added (decision 16).

function report(funnel: Pick<Funnel, 'apiToken'>, transactionId: string, more: Record<string, unknown> = {}) {
	return track('refund', { transaction_id: transactionId, ...more }, funnel.apiToken);
}

describe('the endpoint and the processor report the same refund', () => {
	test('if the endpoint is first, it counts once and is reinstated with the failed refund', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		expect((await report(funnel, ids.invoice, { refund_amount_cents: 2_500 })).body).toMatchObject({ status: 'refunded' });
		const fact = aReversalFact([ids.charge], 2_500);
		expect(await reportReversal(funnel, fact)).toMatchObject({ outcome: 'unchanged' });
		expect(await stateOf(receipt.saleId)).toBe('2500 of 10000, refunded 500 of 2000');
		expect(await reportReversal(funnel, undone(fact))).toMatchObject({ outcome: 'reinstated', deductionCents: 500 });
		expect(await stateOf(receipt.saleId)).toBe('0 of 10000, approved 0 of 2000');
	});

	test('if the processor is first, the endpoint answers that it is known and keeps the report', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		await reportReversal(funnel, aReversalFact([ids.charge], 2_500));
		const skipped = {
			success: true,
			status: 'skipped',
			reason: 'Commission already refunded: the payment processor reported this refund',
			commission_id: receipt.commissionId,
		};
		expect((await report(funnel, ids.intent, { refund_id: 'a', refund_amount_cents: 2_500 })).body).toEqual(skipped);
		const again = await report(funnel, ids.intent, { refund_id: 'a', refund_amount_cents: 2_500 });
		expect(again.body['reason']).toBe('A refund with this refund_id was already processed');
		expect(await refundsOf(receipt.saleId)).toEqual(['processor refunded 2500 500', 'endpoint skipped 0 0']);
		// Only the excess counts: 25 are known, and 35 are reported in two parts.
		const more = await report(funnel, ids.intent, { refund_id: 'b', refund_amount_cents: 1_000 });
		expect(more.body).toMatchObject({ status: 'refunded', deductionAmount: 2 });
		expect(await stateOf(receipt.saleId)).toBe('3500 of 10000, refunded 700 of 2000');
		await expectSoundLedger(funnel);
	});

	test('a skipped report gets the same answer if the first answer was lost', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		await reportReversal(funnel, aReversalFact([ids.charge], 2_500));
		const refund = { transactionId: ids.intent, amountCents: 2_500, reason: undefined, refundId: 'a' };
		const keyHash = await sha256Hex(funnel.apiToken);
		expect(await reverseSale(context(losingAnswers(env.DB, 1)), keyHash, refund)).toMatchObject({
			outcome: 'skipped',
			reason: expect.stringContaining('the payment processor reported'),
		});
		expect(await refundsOf(receipt.saleId)).toHaveLength(2);
	});

	test("the processor's refund id is already processed", async () => {
		const funnel = await aFunnel();
		const { ids } = await aPayment(funnel);
		await reportReversal(funnel, aReversalFact([ids.charge], 2_500, { id: 're_known' }));
		const { body } = await report(funnel, ids.intent, { refund_id: 're_known', refund_amount_cents: 2_500 });
		expect(body).toMatchObject({ status: 'skipped', reason: 'A refund with this refund_id was already processed' });
	});

	test('after a full refund at the processor, the commission is already reversed', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		await reportReversal(funnel, aReversalFact([ids.charge], 10_000));
		expect((await report(funnel, ids.intent)).body).toMatchObject({ status: 'skipped', reason: 'Commission already reversed' });
		expect(await stateOf(receipt.saleId)).toBe('10000 of 10000, reversed 2000 of 2000');
	});

	test('without a commission, a known refund deducts nothing more', async () => {
		const funnel = await aFunnel({ commission: undefined });
		const { ids, receipt } = await aPayment(funnel);
		await reportReversal(funnel, aReversalFact([ids.charge], 2_500));
		expect((await report(funnel, ids.intent, { refund_amount_cents: 2_500 })).body['status']).toBe('no_commission');
		expect(await stateOf(receipt.saleId)).toBe('2500 of 10000, no commission');
	});

	test('in a race exactly one deducts', async () => {
		const firsts = new Set<unknown>();
		for (const late of APART) {
			const funnel = await aFunnel();
			const { ids, receipt } = await aPayment(funnel);
			const [answer, reported] = await apart(
				late,
				() => report(funnel, ids.intent, { refund_amount_cents: 2_500 }),
				() => reportReversal(funnel, aReversalFact([ids.charge], 2_500)),
			);
			expect([answer.body['status'], reported?.outcome]).toEqual(
				reported?.outcome === 'refunded' ? ['skipped', 'refunded'] : ['refunded', 'unchanged'],
			);
			firsts.add(reported?.outcome);
			expect(await stateOf(receipt.saleId)).toBe('2500 of 10000, refunded 500 of 2000');
			expect(await balanceOf(funnel)).toBe(1_500);
			await expectSoundLedger(funnel);
		}
		expect(firsts).toEqual(new Set(['refunded', 'unchanged']));
	});

	test("one between the other's read and write is detected", async () => {
		const funnel = await aFunnel();
		const one = await aPayment(funnel);
		const DB = interrupted(env.DB, () => report(funnel, one.ids.intent, { refund_amount_cents: 2_500 }));
		expect(await reportReversal(funnel, aReversalFact([one.ids.charge], 4_000), { DB })).toMatchObject({
			outcome: 'refunded',
			amountCents: 1_500,
		});
		expect(await stateOf(one.receipt.saleId)).toBe('4000 of 10000, refunded 800 of 2000');
		await expectSoundLedger(funnel);
	});
});

test('30 facts of one payment, each reported twice, leave the ledger as their set requires', async () => {
	const funnel = await aFunnel();
	const { ids, receipt } = await aPayment(funnel);
	const refunds = Array.from({ length: 10 }, (_, index) => aReversalFact([ids.charge], 301, { happenedAt: (index + 1) * 10_000 }));
	const failed = refunds.slice(0, 3).map((fact) => undone(fact, fact.reversal.happenedAt + 5_000));
	const reported: ReversalFact[] = [...refunds, ...failed, ...refunds, ...failed];
	await Promise.all(reported.map((fact) => reportReversal(funnel, fact)));
	expect(await stateOf(receipt.saleId)).toBe('2107 of 10000, refunded 421 of 2000');
	expect(await balanceOf(funnel)).toBe(1_579);
	await expectSoundLedger(funnel);
});
