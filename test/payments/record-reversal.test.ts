import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { repairCommissions } from '../../src/sales/repair-commissions.ts';
import { countingTrips, metered } from '../../testing/d1/metered.ts';
import { keysOf, kindsWaiting, reportedOf } from '../support/effects.ts';
import { aSaleWithoutItsCommission } from '../support/failing-commissions.ts';
import { losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aFunnel, aLead, aSale, balanceOf, rows } from '../support/funnel.ts';
import {
	aPayment,
	aPaymentFact,
	aReversalFact,
	context,
	pay,
	paymentIds,
	refundsOf,
	stateOf,
	reportReversal,
	undone,
} from '../support/payments.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, unique } from '../support/world.ts';

// Refunds and disputes that a processor reports, in any order.

describe('a refund that the processor reports', () => {
	test('reverses the commission in proportion to the charge including tax', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel, { chargedCents: 11_900 });
		const partly = await reportReversal(funnel, aReversalFact([ids.charge], 5_950, { id: 're_1' }, { reason: 'duplicate' }));
		const { saleId, commissionId } = receipt;
		const moved = { saleId, commissionId, amountCents: 5_000, deductionCents: 1_000, currency: 'USD' };
		expect(partly).toEqual({ ...moved, outcome: 'refunded' });
		expect(await stateOf(saleId)).toBe('5000 of 10000, refunded 1000 of 2000');
		expect(await reportReversal(funnel, aReversalFact([ids.intent], 5_950, { kind: 'dispute' }))).toEqual({
			...moved,
			outcome: 'reversed',
		});
		expect(await stateOf(saleId)).toBe('10000 of 10000, reversed 2000 of 2000');
		expect(await balanceOf(funnel)).toBe(0);
		await expectSoundLedger(funnel);
		expect(await rows('SELECT source, refund_id, outcome, reason FROM refund_events WHERE sale_id = ? ORDER BY id', saleId)).toMatchObject([
			{ source: 'processor', refund_id: 're_1', outcome: 'refunded', reason: 'duplicate' },
			{ source: 'processor', outcome: 'reversed', reason: 'Disputed' },
		]);
		expect(await keysOf(funnel, 'sale_refunded')).toHaveLength(2);
		expect(await reportedOf(funnel)).toEqual(['USD 1 10000 10000 2000 2000']);
	});

	test('counts once if two events or a total report it', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		const first = aReversalFact([ids.charge], 2_500, { happenedAt: 1_000 });
		const total = aReversalFact([ids.charge], 7_500, { kind: 'total', id: `${ids.charge}:4:7500`, happenedAt: 4_000 });
		const outcomes = [];
		for (const fact of [first, first, total, aReversalFact([ids.charge], 5_000, { happenedAt: 3_000 }), total]) {
			outcomes.push((await reportReversal(funnel, fact))?.outcome);
		}
		expect(outcomes).toEqual(['refunded', 'unchanged', 'refunded', 'unchanged', 'unchanged']);
		expect(await stateOf(receipt.saleId)).toBe('7500 of 10000, refunded 1500 of 2000');
		await expectSoundLedger(funnel);
	});

	test('without a known sale returns undefined and stores nothing', async () => {
		const [funnel, other] = [await aFunnel(), await aFunnel()];
		const { ids, receipt } = await aPayment(other);
		expect(await reportReversal(funnel, aReversalFact([unique('ch')], 2_500))).toBeUndefined();
		expect(await reportReversal(funnel, aReversalFact([ids.charge], 2_500))).toBeUndefined();
		expect(await stateOf(receipt.saleId)).toBe('0 of 10000, approved 0 of 2000');
		expect(await rows('SELECT * FROM payment_reversals WHERE sale_id = ?', receipt.saleId)).toEqual([]);
	});

	test('takes two trips, or one if everything was known', async () => {
		const funnel = await aFunnel();
		const { ids } = await aPayment(funnel);
		const fact = aReversalFact([ids.charge], 2_500);
		const DB = countingTrips(env.DB);
		await reportReversal(funnel, fact, { DB });
		expect(DB.trips()).toBe(2);
		await reportReversal(funnel, fact, { DB });
		expect(DB.trips()).toBe(3);
	});

	test('reads the same number of rows if the program has many sales', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		await reportReversal(funnel, aReversalFact([ids.charge], 100));
		const rowsRead = async () => {
			const DB = metered(env.DB);
			await reportReversal(funnel, aReversalFact([ids.charge], 100), { DB });
			return DB.spent().rowsRead;
		};
		const before = await rowsRead();
		await env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
			INSERT INTO affiliate_sale_events (program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, sale_type,
				is_recurring, inside_window, commission_state, no_commission_reason, created_at, sale_day, op_id)
			SELECT program_id, ?1 || i, 0, customer_id, partner_program_id, 1, currency, sale_type, 0, 1, 'none', 'no_rule', i, sale_day, ?1 || i
			FROM affiliate_sale_events JOIN n WHERE id = ?2`,
		)
			.bind(unique('many'), receipt.saleId)
			.run();
		expect(await rowsRead()).toBeLessThan(before + 20);
	});

	test('adds missing ids and the charge to the sale', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const { saleId } = await aSale(funnel, { transaction_id: ids.intent });
		const fact = aReversalFact([ids.intent, ids.charge], 5_000, { chargeId: ids.charge, chargeCents: 20_000 });
		expect(await reportReversal(funnel, fact)).toMatchObject({ outcome: 'refunded', amountCents: 2_500 });
		expect(await reportReversal(funnel, aReversalFact([ids.charge], 5_000))).toMatchObject({ saleId, amountCents: 2_500 });
	});

	test('returns the same receipt for the same operation, even if answers or trips are lost', async () => {
		const funnel = await aFunnel();
		for (const DB of [env.DB, losingAnswers(env.DB, 1), losingAnswers(env.DB, 3), losingTrips(env.DB, 1)]) {
			const { ids, receipt } = await aPayment(funnel);
			const [fact, opId] = [aReversalFact([ids.charge], 2_500), unique('op')];
			const reported = { saleId: receipt.saleId, outcome: 'refunded', amountCents: 2_500, deductionCents: 500 };
			expect(await reportReversal(funnel, fact, { DB, opId })).toMatchObject(reported);
			expect(await reportReversal(funnel, fact, { opId })).toMatchObject(reported);
			expect(await refundsOf(receipt.saleId)).toEqual(['processor refunded 2500 500']);
		}
		await expectSoundLedger(funnel);
	});

	test('deducts only revenue if the sale has no commission or a rejected one', async () => {
		const [free, funnel] = [await aFunnel({ commission: undefined }), await aFunnel()];
		const unpaid = await aPayment(free);
		expect(await reportReversal(free, aReversalFact([unpaid.ids.charge], 2_500))).toMatchObject({
			outcome: 'no_commission',
			commissionId: null,
		});
		expect(await stateOf(unpaid.receipt.saleId)).toBe('2500 of 10000, no commission');

		const { ids, receipt } = await aPayment(funnel);
		const path = `/api/v1/programs/${funnel.id}/commissions/reject`;
		await api(path, { token: funnel.owner.token, body: { commission_ids: [receipt.commissionId] } });
		const fact = aReversalFact([ids.charge], 2_500);
		expect(await reportReversal(funnel, fact)).toMatchObject({ outcome: 'no_commission', amountCents: 2_500, deductionCents: 0 });
		expect(await stateOf(receipt.saleId)).toBe('2500 of 10000, rejected 0 of 2000');
		expect(await reportReversal(funnel, undone(fact))).toMatchObject({ outcome: 'reinstated', amountCents: 2_500, deductionCents: 0 });
		expect(await stateOf(receipt.saleId)).toBe('0 of 10000, rejected 0 of 2000');
		expect(await balanceOf(funnel)).toBe(0);
	});

	test('before the commission is created leaves only the rest to create', async () => {
		const funnel = await aFunnel();
		const states = [];
		for (const [cents, comesUndone] of [
			[2_500, false],
			[10_000, false],
			[2_500, true],
		] as const) {
			const { transactionId } = await aSaleWithoutItsCommission(funnel);
			const fact = aReversalFact([transactionId], cents);
			const reported = await reportReversal(funnel, fact);
			if (comesUndone) await reportReversal(funnel, undone(fact));
			await repairCommissions(context(), 500);
			states.push(await stateOf(reported?.saleId ?? 0));
			if (!comesUndone) {
				await reportReversal(funnel, undone(fact));
				expect(await stateOf(reported?.saleId ?? 0)).toBe('0 of 10000, approved 0 of 2000');
			}
		}
		expect(states).toEqual([
			'2500 of 10000, refunded 500 of 2000',
			'10000 of 10000, reversed 2000 of 2000',
			'0 of 10000, approved 0 of 2000',
		]);
		expect(await balanceOf(funnel)).toBe(6_000);
		await expectSoundLedger(funnel);
	});

	test('in dollars deducts that share if the dollar sale was charged in euros', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const { saleId } = await aSale(funnel, { transaction_id: ids.intent });
		await pay(funnel, aPaymentFact(ids, { chargedCents: 9_200, sale: { currency: 'EUR' } }), {});
		const dollars = aReversalFact([ids.charge], 2_500, { kind: 'dispute' });
		expect(await reportReversal(funnel, dollars)).toMatchObject({ outcome: 'refunded', amountCents: 2_500 });
		expect(await stateOf(saleId)).toBe('2500 of 10000, refunded 500 of 2000');
	});

	test('is reinstated in part if the charge turns out to be more than the sale', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const { saleId } = await aSale(funnel, { transaction_id: ids.intent });
		await reportReversal(funnel, aReversalFact([ids.intent], 5_000));
		await pay(funnel, aPaymentFact(ids, { chargedCents: 12_500 }), {});
		expect(await stateOf(saleId)).toBe('4000 of 10000, refunded 800 of 2000');
		expect(await refundsOf(saleId)).toEqual(['processor refunded 5000 1000', 'processor reinstated 1000 200']);
	});
});

/** 119.00 including 19.00 tax, paid by two charges of equal amount. */
async function anInvoice() {
	const funnel = await aFunnel();
	const ids = paymentIds();
	const second = unique('ch');
	const invoice = aPaymentFact(ids, { chargedCents: 11_900, paymentIds: [ids.invoice, ids.charge, second], invoiceId: ids.invoice });
	return { funnel, ids, second, invoice };
}
function totalOf(charge: string, amountCents: number) {
	const total = {
		kind: 'total',
		id: `${charge}:2000:${amountCents}`,
		happenedAt: 2_000_000,
		chargeId: charge,
		chargeCents: 5_950,
	} as const;
	return aReversalFact([charge], amountCents, total);
}

describe('an invoice with two charges', () => {
	test('can have one refund reported by id and the other as a total', async () => {
		const { funnel, ids, second, invoice } = await anInvoice();
		const { saleId } = await pay(funnel, invoice, { customerKey: await aLead(funnel) });
		await reportReversal(funnel, aReversalFact([ids.charge], 2_380, { chargeId: ids.charge }));
		await reportReversal(funnel, totalOf(second, 3_570));
		expect(await stateOf(saleId)).toBe('5000 of 10000, refunded 1000 of 2000');
		await expectSoundLedger(funnel);
	});

	test('that the backend reported may have a refund before or after the processor reports it', async () => {
		const states = [true, false].map(async (isRefundFirst) => {
			const { funnel, ids, second, invoice } = await anInvoice();
			const { saleId } = await aSale(funnel, { transaction_id: ids.invoice });
			const refund = { ...totalOf(second, 5_950), paymentIds: [second, ids.invoice], invoiceId: ids.invoice };
			if (isRefundFirst) await reportReversal(funnel, refund);
			await pay(funnel, invoice, {});
			if (!isRefundFirst) await reportReversal(funnel, refund);
			await expectSoundLedger(funnel);
			return stateOf(saleId);
		});
		const half = '5000 of 10000, refunded 1000 of 2000';
		expect(await Promise.all(states)).toEqual([half, half]);
	});
});

describe('in test mode', () => {
	test('a refund is stored once for the test sale and changes nothing', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const { saleId } = await pay(funnel, aPaymentFact(ids), {}, { isTest: true });
		const fact = aReversalFact([ids.charge, 're_alias'], 2_500);
		const receipt = { saleId, commissionId: null, outcome: 'test', amountCents: 2_500, deductionCents: 0, currency: 'USD' };
		const opId = unique('op');
		expect(await reportReversal(funnel, fact, { isTest: true, opId })).toEqual(receipt);
		expect(await reportReversal(funnel, fact, { isTest: true, opId })).toEqual(receipt);
		expect(await reportReversal(funnel, fact, { isTest: true })).toMatchObject({ outcome: 'unchanged' });
		expect(await reportReversal(funnel, undone(fact), { isTest: true })).toMatchObject({ outcome: 'unchanged' });
		expect(await refundsOf(saleId)).toEqual(['processor test 2500 ']);
		expect(await rows('SELECT refunded_cents FROM affiliate_sale_events WHERE id = ?', saleId)).toEqual([{ refunded_cents: 0 }]);
		// Only the new partner's own row is waiting.
		expect(await kindsWaiting(funnel)).toEqual(['partner_joined']);
		expect(await reportedOf(funnel)).toEqual([]);
	});

	test('test refunds match only test sales, and real refunds only real ones', async () => {
		const funnel = await aFunnel();
		const real = await aPayment(funnel);
		expect(await reportReversal(funnel, aReversalFact([real.ids.charge], 2_500), { isTest: true })).toBeUndefined();
		const ids = paymentIds();
		await pay(funnel, aPaymentFact(ids), {}, { isTest: true });
		expect(await reportReversal(funnel, aReversalFact([ids.charge], 2_500))).toBeUndefined();
	});
});
