import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { APART, apart } from '../support/apart.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { aFunnel, aLead, aSale, balanceOf, rows, track } from '../support/funnel.ts';
import { aliasesOf, aPaymentFact, aReversalFact, pay, paymentIds, refusalOf, stateOf, reportReversal } from '../support/payments.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { unique } from '../support/world.ts';

// One payment that is recorded twice, or by several events at once.

async function salesOf(funnel: { readonly id: number }) {
	return rows('SELECT * FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', funnel.id);
}

/** Together they link three sales to one payment. */
const PAIRS = [
	[
		[0, 1],
		[1, 2],
	],
	[
		[1, 2],
		[0, 1],
	],
	[
		[0, 2],
		[1, 2],
	],
] as const;

describe('two sales that turn out to be one payment', () => {
	test('keep the earlier; the later is fully reversed and counts nothing', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const reported = await aSale(funnel, { transaction_id: ids.charge });
		const paid = await pay(funnel, aPaymentFact(ids, { paymentIds: [ids.intent] }), { customerKey: await aLead(funnel) });
		expect([paid.isNew, await balanceOf(funnel)]).toEqual([true, 4_000]);

		const again = await pay(funnel, aPaymentFact(ids), {});
		expect(again).toEqual({ saleId: reported.saleId, commissionId: reported.commissionId, reason: null, isNew: false });
		expect([await stateOf(reported.saleId), await stateOf(paid.saleId)]).toEqual([
			'0 of 10000, approved 0 of 2000',
			'10000 of 10000, reversed 2000 of 2000',
		]);
		expect(await balanceOf(funnel)).toBe(2_000);
		await expectSoundLedger(funnel);
		const [event] = await rows('SELECT source, outcome, reason FROM refund_events WHERE sale_id = ?', paid.saleId);
		expect(event).toEqual({
			source: 'processor',
			outcome: 'reversed',
			reason: `This is the same payment as sale ${reported.saleId}, which was recorded first`,
		});
		// Every id now belongs to the earlier sale, even the later sale's own id.
		for (const transaction_id of [ids.intent, ids.charge, ids.invoice]) {
			const { body } = await track('refund', { transaction_id, refund_id: transaction_id, refund_amount_cents: 1_000 }, funnel.apiToken);
			expect(body).toMatchObject({ status: 'refunded', commission_id: reported.commissionId });
		}
		expect(await stateOf(reported.saleId)).toBe('3000 of 10000, refunded 600 of 2000');
	});

	test('move refunds from both sources and the charge from the later to the earlier', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const reported = await aSale(funnel, { transaction_id: ids.charge, amount_cents: 10_000 });
		const fact = aPaymentFact(ids, { paymentIds: [ids.intent], chargedCents: 20_000 });
		const paid = await pay(funnel, fact, { customerKey: await aLead(funnel) });
		await reportReversal(funnel, aReversalFact([ids.intent], 5_000));
		const call = { transaction_id: ids.intent, refund_amount_cents: 4_000, refund_id: 'x' };
		await track('refund', call, funnel.apiToken);
		expect(await stateOf(paid.saleId)).toBe('4000 of 10000, refunded 800 of 2000');

		await pay(funnel, aPaymentFact(ids), {});
		expect(await stateOf(reported.saleId)).toBe('4000 of 10000, refunded 800 of 2000');
		expect(await stateOf(paid.saleId)).toBe('10000 of 10000, reversed 2000 of 2000');
		expect((await track('refund', call, funnel.apiToken)).body['status']).toBe('skipped');
		await expectSoundLedger(funnel);
	});

	test('and a third are merged, whichever pair is found first', async () => {
		for (const pairs of PAIRS) {
			const funnel = await aFunnel();
			const names = [unique('a'), unique('b'), unique('c')] as const;
			const sales = [];
			for (const transaction_id of names) sales.push(await aSale(funnel, { transaction_id }));
			for (const [one, two] of pairs) {
				const fact = aPaymentFact(paymentIds(), { paymentIds: [names[one], names[two]], sale: { transactionId: names[one] } });
				expect((await pay(funnel, fact, {})).isNew).toBe(false);
			}
			expect(
				await rows('SELECT duplicate_of_sale_id AS of FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', funnel.id),
			).toEqual([{ of: null }, { of: sales[0]?.saleId }, { of: sales[0]?.saleId }]);
			expect(await balanceOf(funnel)).toBe(2_000);
			for (const transaction_id of names) {
				const refund = { transaction_id, refund_id: transaction_id, refund_amount_cents: 1_000 };
				expect((await track('refund', refund, funnel.apiToken)).body).toMatchObject({ commission_id: sales[0]?.commissionId });
			}
			await expectSoundLedger(funnel);
		}
	});

	test('count a reported refund of the third once, whichever pair is found first', async () => {
		for (const pairs of PAIRS) {
			const funnel = await aFunnel();
			const names = [unique('a'), unique('b'), unique('c')] as const;
			const sales = [];
			for (const transaction_id of names) sales.push(await aSale(funnel, { transaction_id }));
			await track('refund', { transaction_id: names[2], refund_id: 'x', refund_amount_cents: 3_000 }, funnel.apiToken);
			for (const [one, two] of pairs) {
				await pay(funnel, aPaymentFact(paymentIds(), { paymentIds: [names[one], names[two]], sale: { transactionId: names[one] } }), {});
			}
			expect(await stateOf(sales[0]?.saleId ?? 0)).toBe('3000 of 10000, refunded 600 of 2000');
			expect(await balanceOf(funnel)).toBe(1_400);
			await expectSoundLedger(funnel);
		}
	});

	test('count a refund reported for both under one refund_id once, with the greater amount', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const [earlier] = [await aSale(funnel, { transaction_id: ids.charge }), await aSale(funnel, { transaction_id: ids.intent })];
		const reports = [
			{ transaction_id: ids.charge, refund_id: 'x', refund_amount_cents: 2_000 },
			{ transaction_id: ids.intent, refund_id: 'x', refund_amount_cents: 2_500 },
			{ transaction_id: ids.intent, refund_id: 'y', refund_amount_cents: 1_500 },
		];
		for (const call of reports) expect((await track('refund', call, funnel.apiToken)).body['status']).toBe('refunded');
		await pay(funnel, aPaymentFact(ids), {});
		expect(await stateOf(earlier.saleId)).toBe('4000 of 10000, refunded 800 of 2000');
		expect(await balanceOf(funnel)).toBe(1_200);
		await expectSoundLedger(funnel);
	});

	test('count a refund once if the processor reported it for one of them first', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const [earlier] = [await aSale(funnel, { transaction_id: ids.charge }), await aSale(funnel, { transaction_id: ids.intent })];
		await reportReversal(funnel, aReversalFact([ids.intent], 5_000));
		const statuses = [];
		for (const transaction_id of [ids.intent, ids.charge]) {
			const call = { transaction_id, refund_id: 'y', refund_amount_cents: 5_000 };
			statuses.push((await track('refund', call, funnel.apiToken)).body['status']);
		}
		expect(statuses).toEqual(['skipped', 'refunded']);
		await pay(funnel, aPaymentFact(ids), {});
		expect(await stateOf(earlier.saleId)).toBe('5000 of 10000, refunded 1000 of 2000');
		await expectSoundLedger(funnel);
	});

	test('count refunds reported for both without a refund_id as one', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const [earlier] = [await aSale(funnel, { transaction_id: ids.charge }), await aSale(funnel, { transaction_id: ids.intent })];
		for (const transaction_id of [ids.charge, ids.intent]) {
			await track('refund', { transaction_id, refund_amount_cents: 3_000 }, funnel.apiToken);
		}
		await pay(funnel, aPaymentFact(ids), {});
		expect(await stateOf(earlier.saleId)).toBe('3000 of 10000, refunded 600 of 2000');
		await expectSoundLedger(funnel);
	});
});

describe('in a race', () => {
	test('20 events of one payment make one sale and one commission', async () => {
		const funnel = await aFunnel();
		const [ids, customerKey] = [paymentIds(), await aLead(funnel)];
		const receipts = await Promise.all(
			Array.from({ length: 20 }, (_, index) => {
				const transactionId = [ids.intent, ids.charge, ids.invoice][index % 3] ?? ids.intent;
				return pay(funnel, aPaymentFact(ids, { sale: { transactionId } }), { customerKey });
			}),
		);
		expect(receipts.filter(({ isNew }) => isNew)).toHaveLength(1);
		expect(new Set(receipts.map(({ saleId }) => saleId)).size).toBe(1);
		expect(await balanceOf(funnel)).toBe(2_000);
		await expectSoundLedger(funnel);
	});

	test('the backend and the processor report one payment under different ids and make one sale', async () => {
		const firsts = new Set<boolean>();
		for (const late of APART) {
			const funnel = await aFunnel();
			const [ids, customerKey] = [paymentIds(), await aLead(funnel)];
			const sale = { transaction_id: ids.charge, amount_cents: 10_000, customer_key: customerKey };
			const [receipt, answer] = await apart(
				late,
				() => pay(funnel, aPaymentFact(ids), { customerKey }),
				() => track('sale', sale, funnel.apiToken),
			);
			expect(answer.status).toBe(receipt.isNew ? 409 : 200);
			expect(await salesOf(funnel)).toHaveLength(1);
			expect(await aliasesOf(receipt.saleId)).toHaveLength(2);
			expect(await balanceOf(funnel)).toBe(2_000);
			firsts.add(receipt.isNew);
		}
		expect(firsts).toEqual(new Set([true, false]));
	});

	test("a sale recorded between the other's read and write is found", async () => {
		const funnel = await aFunnel();
		const [ids, customerKey] = [paymentIds(), await aLead(funnel)];
		const sale = { transaction_id: ids.charge, amount_cents: 10_000, customer_key: customerKey };
		const late = await pay(
			funnel,
			aPaymentFact(ids),
			{ customerKey },
			{ DB: interrupted(env.DB, () => track('sale', sale, funnel.apiToken)) },
		);
		expect(late.isNew).toBe(false);

		const [more, second] = [paymentIds(), await aLead(funnel)];
		const again = { ...sale, transaction_id: more.charge, customer_key: second };
		const DB = interrupted(env.DB, () => pay(funnel, aPaymentFact(more), { customerKey: second }));
		expect((await trackWith({ DB }, 'sale', again, bearer(funnel.apiToken))).status).toBe(409);
		expect(await salesOf(funnel)).toHaveLength(2);
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('payments of two programs with one id: one program gets it', async () => {
		const funnels = [await aFunnel(), await aFunnel()];
		const ids = paymentIds();
		const answers = await Promise.all(
			funnels.map(async (funnel) => refusalOf(pay(funnel, aPaymentFact(ids), { customerKey: await aLead(funnel) }))),
		);
		expect(answers.toSorted()).toEqual(['not refused', 'transaction_recorded_elsewhere']);
	});
});
