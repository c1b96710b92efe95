import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { countingTrips } from '../../testing/d1/metered.ts';
import { countedOf, kindsWaiting, reportedOf } from '../support/effects.ts';
import { aSaleWithoutItsCommission, whileCommissionsFail } from '../support/failing-commissions.ts';
import { losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, rows, track } from '../support/funnel.ts';
import { aliasesOf, aPayment, aPaymentFact, pay, paymentIds, refusalOf } from '../support/payments.ts';
import { api, unique } from '../support/world.ts';

// A payment reported by a processor is an ordinary sale, and the same sale whichever source reports it.

const DAY_MS = 86_400_000;

async function salesOf(funnel: { readonly id: number }) {
	return rows('SELECT * FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', funnel.id);
}

describe('a payment', () => {
	test('makes a sale with its commission, credit and other ids', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel, { chargedCents: 11_900 });
		expect(receipt).toEqual({ saleId: expect.any(Number), commissionId: expect.any(Number), reason: null, isNew: true });
		expect(await salesOf(funnel)).toMatchObject([
			{ id: receipt.saleId, processor_event_id: ids.intent, amount_cents: 10_000, charged_cents: 11_900, is_test: 0 },
		]);
		expect(await aliasesOf(receipt.saleId)).toEqual([ids.charge, ids.invoice].toSorted());
		expect(await balanceOf(funnel)).toBe(2_000);
		expect(await kindsWaiting(funnel)).toEqual(['commission_created', 'lead_recorded', 'partner_joined']);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], ['USD 1 10000 0 2000 0']]);
	});

	test('with a click id creates its customer without a lead', async () => {
		const funnel = await aFunnel();
		const clickId = await aClick(funnel);
		const { commissionId } = await pay(funnel, aPaymentFact(paymentIds()), { clickId });
		expect(commissionId).not.toBeNull();
		expect(await rows('SELECT status, signup_date FROM customers WHERE click_id = ?', clickId)).toEqual([
			{ status: 'conversion', signup_date: null },
		]);
	});

	test('is checked against the window by its payment time; its day and hold start now', async () => {
		const funnel = await aFunnel({ cookie_window_days: 1, commission: { type: 'percent', percent: 20, hold_days: 7 } });
		const late = await aPayment(funnel, { paidAt: Date.now() + DAY_MS + 60_000 });
		expect(late.receipt).toMatchObject({ commissionId: null, reason: 'window_expired' });
		const inTime = await aPayment(funnel, { paidAt: Date.now() - 30_000 });
		const [made] = await rows<{ held: number }>(
			'SELECT c.hold_until - s.created_at AS held FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE c.id = ?',
			inTime.receipt.commissionId,
		);
		expect(made?.held).toBe(7 * DAY_MS);
	});

	test('takes two trips, or one if it is known', async () => {
		const funnel = await aFunnel();
		const [fact, customerKey] = [aPaymentFact(paymentIds()), await aLead(funnel)];
		const DB = countingTrips(env.DB);
		await pay(funnel, fact, { customerKey }, { DB });
		expect(DB.trips()).toBe(2);
		await pay(funnel, fact, { customerKey }, { DB });
		expect(DB.trips()).toBe(3);
	});

	test('is refused and not stored if its customer is unknown or unattributed or the program is inactive', async () => {
		const funnel = await aFunnel();
		const unattributed = unique('customer');
		await track('lead', { customer_key: unattributed }, funnel.apiToken);
		const fact = aPaymentFact(paymentIds());
		expect(await refusalOf(pay(funnel, fact, { customerKey: 'nobody' }))).toBe('sale_customer_not_found');
		expect(await refusalOf(pay(funnel, fact, { customerKey: unattributed }))).toBe('customer_unattributed');
		const customerKey = await aLead(funnel);
		await api(`/api/v1/programs/${funnel.id}`, { token: funnel.owner.token, method: 'PATCH', body: { active: false } });
		expect(await refusalOf(pay(funnel, fact, { customerKey }))).toBe('not_found');
		expect(await salesOf(funnel)).toEqual([]);
	});

	test('renews the subscription of an earlier one', async () => {
		const funnel = await aFunnel({ commission: { type: 'percent', percent: 20, recurring_months: 0 } });
		const sale = { subscriptionId: unique('sub'), saleType: 'subscription' } as const;
		const first = await aPayment(funnel, { sale });
		const fact = aPaymentFact(paymentIds(), { sale: { ...sale, isRecurring: true } });
		const renewal = await pay(funnel, fact, { customerKey: first.customerKey });
		expect([first.receipt.reason, renewal.reason]).toEqual([null, 'recurring_limit_reached']);
	});
});

describe('a repeated payment is the same sale', () => {
	test('from the same operation, with the same receipt', async () => {
		const funnel = await aFunnel();
		const [fact, customerKey, opId] = [aPaymentFact(paymentIds()), await aLead(funnel), unique('op')];
		const first = await pay(funnel, fact, { customerKey }, { opId });
		expect(await pay(funnel, fact, { customerKey }, { opId })).toEqual(first);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('from the same operation after a lost answer or trip', async () => {
		for (const lossy of [losingAnswers(env.DB, 1), losingAnswers(env.DB, 3), losingTrips(env.DB, 1)]) {
			const funnel = await aFunnel();
			const [fact, customerKey] = [aPaymentFact(paymentIds()), await aLead(funnel)];
			const receipt = await pay(funnel, fact, { customerKey }, { DB: lossy });
			expect(receipt).toMatchObject({ commissionId: expect.any(Number), isNew: true });
			expect(await balanceOf(funnel)).toBe(2_000);
			expect(await aliasesOf(receipt.saleId)).toHaveLength(2);
		}
	});

	test('from another event with any of its ids, and missing ids are added', async () => {
		const funnel = await aFunnel();
		const { ids, customerKey, receipt } = await aPayment(funnel);
		const session = unique('cs');
		const again = aPaymentFact(ids, { paymentIds: [ids.charge, session], sale: { transactionId: ids.invoice } });
		expect(await pay(funnel, again, { customerKey })).toEqual({ ...receipt, isNew: false });
		expect(await aliasesOf(receipt.saleId)).toEqual([ids.charge, ids.invoice, session].toSorted());
		expect(await salesOf(funnel)).toHaveLength(1);
	});

	test('even if its customer is no longer known', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		expect(await pay(funnel, aPaymentFact(ids), {})).toEqual({ ...receipt, isNew: false });
	});

	test('from the backend under any of its ids: 409 and one sale', async () => {
		const funnel = await aFunnel();
		const { ids, customerKey } = await aPayment(funnel);
		for (const transaction_id of Object.values(ids)) {
			const sale = { transaction_id, amount_cents: 10_000, customer_key: customerKey };
			expect((await track('sale', sale, funnel.apiToken)).status).toBe(409);
			const { status, body } = await track('sale', { ...sale, additional_data: { test_mode: true } }, funnel.apiToken);
			expect([status, body['success']]).toEqual([200, true]);
		}
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ? AND is_test = 0', funnel.id)).toHaveLength(1);
	});

	test('if the backend reported it first, and gets ids and charge', async () => {
		const funnel = await aFunnel();
		const ids = paymentIds();
		const sale = await aSale(funnel, { transaction_id: ids.charge });
		const receipt = await pay(funnel, aPaymentFact(ids, { chargedCents: 11_900 }), {});
		expect(receipt).toEqual({ saleId: sale.saleId, commissionId: sale.commissionId, reason: null, isNew: false });
		expect(await aliasesOf(sale.saleId)).toEqual([ids.intent, ids.invoice].toSorted());
		expect(await salesOf(funnel)).toMatchObject([{ charged_cents: 11_900, amount_cents: 10_000 }]);
		const { body } = await track('refund', { transaction_id: ids.invoice }, funnel.apiToken);
		expect(body).toMatchObject({ status: 'reversed', commission_id: sale.commissionId });
	});

	test('and is refused if another program reported it first, as from the backend', async () => {
		const [funnel, other] = [await aFunnel(), await aFunnel()];
		const { ids } = await aPayment(other);
		const customerKey = await aLead(funnel);
		expect(await refusalOf(pay(funnel, aPaymentFact(ids), { customerKey }))).toBe('transaction_recorded_elsewhere');
		const sale = { transaction_id: ids.charge, amount_cents: 1, customer_key: customerKey };
		const { status, body } = await track('sale', sale, funnel.apiToken);
		expect([status, body['message']]).toEqual([409, expect.stringContaining('Another program')]);
		expect((await track('refund', { transaction_id: ids.charge }, funnel.apiToken)).status).toBe(404);
	});
});

describe('a failed commission', () => {
	test('keeps the sale, and every retry reports that it is missing', async () => {
		const funnel = await aFunnel();
		const [fact, customerKey, opId] = [aPaymentFact(paymentIds()), await aLead(funnel), unique('op')];
		const owed = { saleId: expect.any(Number), commissionId: null, reason: null, isNew: true };
		await whileCommissionsFail(funnel, async () => {
			expect(await pay(funnel, fact, { customerKey }, { opId })).toEqual(owed);
		});
		expect(await pay(funnel, fact, { customerKey }, { opId })).toEqual(owed);
		expect(await salesOf(funnel)).toMatchObject([{ commission_state: 'failed', charged_cents: 10_000 }]);
	});

	test("of a sale from the backend still gets the processor's ids and charge", async () => {
		const funnel = await aFunnel();
		const { transactionId } = await aSaleWithoutItsCommission(funnel);
		const ids = { ...paymentIds(), charge: transactionId };
		expect(await pay(funnel, aPaymentFact(ids), {})).toMatchObject({ commissionId: null, reason: null, isNew: false });
	});
});

describe('a payment in test mode', () => {
	test('is stored once as a test sale without a commission', async () => {
		const funnel = await aFunnel();
		const [ids, opId] = [paymentIds(), unique('op')];
		const receipt = await pay(funnel, aPaymentFact(ids), {}, { isTest: true, opId });
		expect(receipt).toEqual({ saleId: expect.any(Number), commissionId: null, reason: 'test_mode', isNew: true });
		expect(await pay(funnel, aPaymentFact(ids), {}, { isTest: true, opId })).toEqual(receipt);
		const session = unique('cs');
		const again = aPaymentFact(ids, { paymentIds: [ids.charge, session] });
		expect(await pay(funnel, again, {}, { isTest: true })).toEqual({ ...receipt, isNew: false });
		expect(await salesOf(funnel)).toMatchObject([{ is_test: 1, customer_id: null, charged_cents: 10_000 }]);
		expect(await aliasesOf(receipt.saleId)).toEqual([ids.charge, ids.invoice, session].toSorted());
		const tested = { transaction_id: ids.charge, amount_cents: 1, additional_data: { test_mode: true } };
		expect((await track('sale', tested, funnel.apiToken)).status).toBe(409);
		expect((await track('refund', tested, funnel.apiToken)).status).toBe(200);
	});

	test('and a real one with the same ids are separate', async () => {
		const funnel = await aFunnel();
		const { ids, receipt } = await aPayment(funnel);
		const tested = await pay(funnel, aPaymentFact(ids), {}, { isTest: true });
		expect([tested.isNew, tested.saleId === receipt.saleId]).toEqual([true, false]);
	});
});
