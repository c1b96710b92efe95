import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { anOutage, bearer, trackWith } from '../support/bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { tick } from '../support/deliver.ts';
import { countedOf, kindsWaiting, reportedOf, waitingOf } from '../support/effects.ts';
import { faultyDb, losingAnswers, losingTrips } from '../../testing/d1/failing.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { unique } from '../support/world.ts';

// D1 may commit but lose the response, or be unreachable. Each response of the service is true, and nothing is duplicated.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

function aSaleTo(customerKey: string) {
	return { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: customerKey };
}

function call(DB: D1Database, route: string, body: Record<string, unknown>, key = funnel.apiToken) {
	return trackWith({ DB, EFFECTS: holdingQueue() }, route, body, bearer(key));
}

describe('a sale', () => {
	test.each([
		['whose answer is lost once', () => losingAnswers(env.DB, 1)],
		['whose answer is lost twice', () => losingAnswers(env.DB, 2)],
		['whose first two trips never arrive', () => losingTrips(env.DB, 2)],
		[
			'whose first trip never arrives, and whose second answer is lost',
			() => faultyDb(env.DB, (trip) => (trip === 1 ? 'never arrives' : trip === 2 ? 'loses its answer' : undefined)),
		],
	])('%s is recorded once, with its commission, and answered', async (_, faulty) => {
		const before = await balanceOf(funnel);
		const sale = aSaleTo(await aLead(funnel));
		const { status, body } = await call(faulty(), 'sale', sale);
		expect([status, body]).toEqual([
			200,
			{ success: true, sale_id: expect.any(Number), commission_id: expect.any(Number), message: 'Sale recorded and commission created.' },
		]);
		expect(await balanceOf(funnel)).toBe(before + 2_000);
		expect((await call(env.DB, 'sale', sale)).status).toBe(409);
		const [row] = await rows(
			'SELECT s.id AS sale_id, c.id AS commission_id FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id WHERE s.processor_event_id = ?',
			sale.transaction_id,
		);
		expect(row).toEqual({ sale_id: body['sale_id'], commission_id: body['commission_id'] });
		// There is one row for both calls.
		expect(
			await rows(
				"SELECT kind, subject_id FROM outbox WHERE program_id = ? AND (kind = 'sale_recorded' OR kind = 'commission_created' AND subject_id = ?)",
				funnel.id,
				body['commission_id'],
			),
		).toEqual([{ kind: 'commission_created', subject_id: body['commission_id'] }]);
	});

	test('that earns nothing says why even if its answer is lost', async () => {
		const place = await aFunnel({ commission: undefined });
		const { body } = await call(losingAnswers(env.DB), 'sale', aSaleTo(await aLead(place)), place.apiToken);
		expect(body).toMatchObject({
			commission_id: null,
			message: 'Sale recorded. No commission was created: no commission rule applies to this sale.',
		});
	});

	test('with a click and an unknown key creates one customer', async () => {
		const [clickId, customerKey] = [await aClick(funnel), unique('customer')];
		const { status } = await call(losingAnswers(env.DB), 'sale', { ...aSaleTo(customerKey), click_id: clickId });
		expect(status).toBe(200);
		expect(await rows('SELECT customer_key, status FROM customers WHERE click_id = ?', clickId)).toEqual([
			{ customer_key: customerKey, status: 'conversion' },
		]);
	});

	test('gets a 500 and stores nothing if D1 is unreachable; it can be sent again', async () => {
		const before = await balanceOf(funnel);
		const sale = aSaleTo(await aLead(funnel));
		const { status, body } = await call(losingTrips(env.DB, 1_000), 'sale', sale);
		expect([status, body]).toEqual([500, { error: 'Sale tracking failed' }]);
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE processor_event_id = ?', sale.transaction_id)).toEqual([]);
		expect((await call(env.DB, 'sale', sale)).status).toBe(200);
		expect(await balanceOf(funnel)).toBe(before + 2_000);
	});

	test('is answered from its own row if every answer is lost', async () => {
		const sale = aSaleTo(await aLead(funnel));
		const { status, body } = await call(losingAnswers(env.DB, 1_000), 'sale', sale);
		expect([status, body['commission_id']]).toEqual([200, expect.any(Number)]);
		await expectSoundLedger(funnel);
	});

	test('racing itself with lost answers gets one 200, and the others 409', async () => {
		const before = await balanceOf(funnel);
		const sale = aSaleTo(await aLead(funnel));
		const answers = await Promise.all(Array.from({ length: 10 }, () => call(losingAnswers(env.DB), 'sale', sale)));
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
		expect(await balanceOf(funnel)).toBe(before + 2_000);
	});
});

describe('a refund', () => {
	test.each([
		['whose answer is lost', () => losingAnswers(env.DB)],
		['whose every answer is lost', () => losingAnswers(env.DB, 1_000)],
		['whose first trips never arrive', () => losingTrips(env.DB, 2)],
	])('%s is applied once and says so', async (_, faulty) => {
		const before = await balanceOf(funnel);
		const { transactionId, commissionId, saleId } = await aSale(funnel);
		const full = await call(faulty(), 'refund', { transaction_id: transactionId });
		expect(full.body).toEqual({ success: true, status: 'reversed', deductionAmount: 20, commission_id: commissionId });
		expect(await balanceOf(funnel)).toBe(before);
		const partly = await aSale(funnel);
		const part = await call(faulty(), 'refund', { transaction_id: partly.transactionId, refund_amount_cents: 2_500, refund_id: 'r1' });
		expect(part.body).toEqual({ success: true, status: 'refunded', deductionAmount: 5, commission_id: partly.commissionId });
		expect(await rows('SELECT id FROM refund_events WHERE sale_id IN (?, ?)', saleId, partly.saleId)).toHaveLength(2);
		await expectSoundLedger(funnel);
	});

	test('of a sale without commission is stored once and says so', async () => {
		const place = await aFunnel({ commission: undefined });
		const { transactionId, saleId } = await aSale(place);
		const { body } = await call(losingAnswers(env.DB), 'refund', { transaction_id: transactionId }, place.apiToken);
		expect(body).toEqual({ success: true, status: 'no_commission', message: 'Refund recorded. This sale has no commission to reverse.' });
		expect(await rows('SELECT id FROM refund_events WHERE sale_id = ?', saleId)).toHaveLength(1);
	});

	test('gets a 500 and changes nothing if D1 is unreachable', async () => {
		const { transactionId } = await aSale(funnel);
		const before = await balanceOf(funnel);
		const { status, body } = await call(losingTrips(env.DB, 1_000), 'refund', { transaction_id: transactionId });
		expect([status, body]).toEqual([500, { error: 'Refund tracking failed' }]);
		expect(await balanceOf(funnel)).toBe(before);
	});
});

describe('a lead', () => {
	test.each([
		['whose answer is lost', () => losingAnswers(env.DB)],
		['whose every answer is lost', () => losingAnswers(env.DB, 1_000)],
		['whose first trips never arrive', () => losingTrips(env.DB, 2)],
	])('%s is recorded once, not refused as a second one', async (_, faulty) => {
		const ids = { click_id: await aClick(funnel), customer_key: unique('customer') };
		const { status, body } = await call(faulty(), 'lead', ids);
		expect([status, body['success']]).toEqual([200, true]);
		expect(await rows('SELECT id FROM affiliate_lead_events WHERE customer_key = ?', ids.customer_key)).toEqual([{ id: body['lead_id'] }]);
		expect(await rows('SELECT status FROM customers WHERE customer_key = ?', ids.customer_key)).toEqual([{ status: 'lead' }]);
	});
});

describe('in test mode', () => {
	const test_mode = { additional_data: { test_mode: true } };

	test('a sale and a refund whose answers are lost are written once', async () => {
		const transactionId = unique('txn');
		const sold = await call(losingAnswers(env.DB), 'sale', { transaction_id: transactionId, ...test_mode });
		expect(sold.status, JSON.stringify(sold.body)).toBe(200);
		const generated = await call(losingAnswers(env.DB), 'sale', test_mode);
		expect(generated.status, JSON.stringify(generated.body)).toBe(200);
		const refunded = await call(losingAnswers(env.DB), 'refund', { transaction_id: transactionId, ...test_mode });
		expect(refunded.status, JSON.stringify(refunded.body)).toBe(200);
		expect(
			await rows(
				'SELECT r.id FROM refund_events r JOIN affiliate_sale_events s ON s.id = r.sale_id WHERE s.processor_event_id = ?',
				transactionId,
			),
		).toHaveLength(1);
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ? AND is_test = 1', funnel.id)).toHaveLength(2);
	});
});

describe('an unavailable queue', () => {
	test('does not affect the answers to a sale and a refund; the tick applies their effects', async () => {
		const place = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(place) };
		const broken = { EFFECTS: anOutage(env.EFFECTS) };
		const sold = await trackWith(broken, 'sale', sale, bearer(place.apiToken));
		expect([sold.status, sold.body['commission_id']]).toEqual([200, expect.any(Number)]);
		const refunded = await trackWith(broken, 'refund', { transaction_id: sale.transaction_id }, bearer(place.apiToken));
		expect([refunded.status, refunded.body['status']]).toEqual([200, 'reversed']);

		expect(await kindsWaiting(place)).toEqual(['commission_created', 'lead_recorded', 'partner_joined', 'sale_refunded']);
		const all = ['USD 1 10000 10000 2000 2000'];
		expect([await countedOf(place), await reportedOf(place)]).toEqual([[], all]);
		await tick(broken);
		expect(await waitingOf(place)).toEqual([]);
		expect([await countedOf(place), await reportedOf(place)]).toEqual([all, all]);
		expect(await rows('SELECT kind FROM notifications WHERE partner_id = ? ORDER BY kind', place.partnerId)).toEqual([
			{ kind: 'commission_created' },
			{ kind: 'commission_reversed' },
		]);
	});

	test('makes the click request write its row itself', async () => {
		const place = await aFunnel();
		const report = { affiliate_url: `https://shop.example/?aff=${place.shortLink}` };
		const { status, body } = await trackWith({ CLICKS: anOutage(env.CLICKS) }, 'click', report);
		expect(status).toBe(200);
		expect(await rows('SELECT click_id FROM affiliate_click_events WHERE program_id = ?', place.id)).toEqual([
			{ click_id: body['click_id'] },
		]);
	});
});
