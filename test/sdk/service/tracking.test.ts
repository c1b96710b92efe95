import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { limitOf } from '../../../testing/limits.ts';
import { app } from '../../../src/http/app.ts';
import { LeadRequest, RefundRequest, SaleRequest } from '../../../src/http/tracking-requests.ts';
import { clickIdFrom, type Lead, type Refund, type Sale, TrackerError } from '../../../src/sdk/index.ts';
import { aCoupon } from '../../support/coupons.ts';
import { tick } from '../../support/deliver.ts';
import { aTracker, faultyNetwork } from '../../support/faulty-network.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, type Funnel, rows } from '../../support/funnel.ts';
import { trackerErrorOf } from '../../support/scripted-service.ts';
import { unique } from '../../support/world.ts';

// The SDK and the Worker without faults: the SDK understands each response correctly.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const aTransaction = (customerKey: string) => ({ transaction_id: unique('txn'), amount_cents: 10_000, customer_key: customerKey });
const IN_TEST_MODE = { additional_data: { test_mode: true } } as const;

test('a click is recorded, and the same visitor again', async () => {
	const tracker = aTracker(funnel);
	const affiliate_url = `https://shop.example/?aff=${funnel.shortLink}`;
	const { click_id, cookie_window_days } = await tracker.click({ affiliate_url, user_agent: 'Mozilla/5.0 Firefox/140.0' });
	expect([click_id, cookie_window_days]).toEqual([expect.stringMatching(/^cust_\d+_\d+$/), 60]);
	expect(await tracker.click({ affiliate_url, existing_click_id: click_id })).toMatchObject({ click_id });
	const customer_key = unique('customer');
	await tracker.lead({ customer_key, click_id });
	expect(await tracker.sale(aTransaction(customer_key))).toMatchObject({ commission_id: expect.any(Number) });
	expect(await tracker.click({ affiliate_url, ...IN_TEST_MODE })).toMatchObject({ data: { test_mode: true } });
	expect(await trackerErrorOf(tracker.click({ affiliate_url: 'https://shop.example/?aff=nobody-at-all' }))).toMatchObject({
		kind: 'invalid',
		message: 'Referral link not found',
	});
});

describe('a lead', () => {
	test('with the click of its cookie is attributed and recorded once', async () => {
		const clickId = await aClick(funnel);
		const request = new Request('https://shop.example', { headers: { Cookie: `a=b; tracker_click_id=${clickId}` } });
		const lead = {
			customer_key: unique('customer'),
			click_id: clickIdFrom(request),
			email: 'a@b.example',
			additional_data: {},
		} satisfies Lead;
		expect(Object.keys(lead).toSorted()).toEqual(Object.keys(LeadRequest().shape).toSorted());
		const tracker = aTracker(funnel);
		const { lead_id } = await tracker.lead(lead);
		expect(
			await rows('SELECT id, click_id, customer_key FROM affiliate_lead_events WHERE program_id = ? AND click_id = ?', funnel.id, clickId),
		).toEqual([{ id: lead_id, click_id: clickId, customer_key: lead.customer_key }]);
		expect(await tracker.lead(lead)).toMatchObject({ recorded: true, duplicate: true, lead_id: null, retried: false });
		await tracker.sale(aTransaction(lead.customer_key));
		expect(await tracker.lead(lead)).toMatchObject({ duplicate: true, message: expect.stringContaining('conversion') });
	});

	test('with an invalid click and no key has no customer', async () => {
		expect(await trackerErrorOf(aTracker(funnel).lead({ click_id: 'cust_1_1' }))).toMatchObject({
			kind: 'customer_not_found',
			status: 400,
		});
	});

	test('works in test mode', async () => {
		expect(await aTracker(funnel).lead({ customer_key: 'a', ...IN_TEST_MODE })).toMatchObject({
			duplicate: false,
			data: { programId: funnel.id, test_mode: true },
		});
	});
});

describe('a sale', () => {
	test('is recorded with every field', async () => {
		const coupon = await aCoupon(funnel);
		const sale = {
			...aTransaction(await aLead(funnel)),
			click_id: await aClick(funnel),
			currency: 'eur',
			sale_type: 'subscription',
			line_items: { sku: 'pro' },
			is_recurring: true,
			subscription_id: unique('sub'),
			subscription_interval: 'annual',
			product_id: 'pro',
			coupon_code: coupon.code.toLowerCase(),
			additional_data: { test_mode: false },
		} satisfies Sale;
		expect(Object.keys(sale).toSorted()).toEqual(Object.keys(SaleRequest().shape).toSorted());
		const { sale_id } = await aTracker(funnel).sale(sale);
		expect(await rows('SELECT * FROM affiliate_sale_events WHERE processor_event_id = ?', sale.transaction_id)).toMatchObject([
			{
				id: sale_id,
				amount_cents: 10_000,
				currency: 'EUR',
				sale_type: 'subscription',
				line_items: '{"sku":"pro"}',
				is_recurring: 1,
				subscription_id: sale.subscription_id,
				subscription_interval: 'annual',
				product_id: 'pro',
				coupon_id: coupon.id,
				is_test: 0,
			},
		]);
	});

	test('that is sent twice is recorded once, and the second call is not an error', async () => {
		const sale = aTransaction(await aLead(funnel));
		const tracker = aTracker(funnel);
		const receipts = await Promise.all([tracker.sale(sale), tracker.sale(sale), tracker.sale(sale)]);
		expect(receipts.map(({ recorded }) => recorded)).toEqual([true, true, true]);
		expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
	});

	test('with an id from another program is an error with advice', async () => {
		const taken = await aSale(await aFunnel());
		const sale = { ...aTransaction(await aLead(funnel)), transaction_id: taken.transactionId };
		expect(await trackerErrorOf(aTracker(funnel).sale(sale))).toMatchObject({
			kind: 'conflict',
			status: 409,
			mayBeRecorded: false,
			message: expect.stringContaining('add your own prefix to them'),
		});
	});

	test('to a customer without a partner is not an error', async () => {
		const [tracker, customerKey] = [aTracker(funnel), unique('direct')];
		await tracker.lead({ customer_key: customerKey });
		expect(await tracker.sale(aTransaction(customerKey))).toMatchObject({ recorded: false, duplicate: false, sale_id: null });
	});

	test('to an unknown customer is an error', async () => {
		expect(await trackerErrorOf(aTracker(funnel).sale(aTransaction(unique('nobody'))))).toMatchObject({
			kind: 'customer_not_found',
			message: 'Customer not found. Provide customer_key or click_id.',
			mayBeRecorded: false,
		});
	});

	test('that earns nothing says why', async () => {
		const place = await aFunnel({ commission: undefined });
		expect(await aTracker(place).sale(aTransaction(await aLead(place)))).toMatchObject({
			recorded: true,
			commission_id: null,
			message: 'Sale recorded. No commission was created: no commission rule applies to this sale.',
		});
	});

	test('with a failed commission is recorded, and the commission follows', async () => {
		const place = await aFunnel();
		const { fetch } = faultyNetwork(place, ['commission fails']);
		expect(await aTracker(place, { fetch }).sale(aTransaction(await aLead(place)))).toMatchObject({
			recorded: true,
			duplicate: true,
			retried: true,
		});
		await tick();
		expect(await balanceOf(place)).toBe(2_000);
	});

	test('with a wrong amount names the field', async () => {
		expect(await trackerErrorOf(aTracker(funnel).sale({ transaction_id: 'a', amount_cents: 1.5 }))).toMatchObject({
			kind: 'invalid',
			message: 'amount_cents is required and must be a positive integer',
			attempts: 1,
		});
	});

	test('that is too large is an error', async () => {
		const sale = { transaction_id: 'a', amount_cents: 1, line_items: ['x'.repeat(65_536)] };
		expect(await trackerErrorOf(aTracker(funnel).sale(sale))).toMatchObject({ kind: 'invalid', status: 413 });
	});

	test('with an unknown key is an error', async () => {
		expect(await trackerErrorOf(aTracker({ apiToken: 'prg_none' }).sale({ transaction_id: 'a', amount_cents: 1 }))).toMatchObject({
			kind: 'authentication',
			status: 401,
		});
	});

	test('in test mode needs neither id nor amount, and is recorded once per id', async () => {
		const tracker = aTracker(funnel);
		expect(await tracker.sale(IN_TEST_MODE)).toMatchObject({ recorded: true, sale_id: null, data: { programId: funnel.id } });
		const sale = { transaction_id: unique('txn'), ...IN_TEST_MODE };
		expect(await tracker.sale(sale)).toMatchObject({ duplicate: false });
		expect(await tracker.sale(sale)).toMatchObject({ duplicate: true });
	});
});

describe('a refund', () => {
	test('is recorded with every field and counts once', async () => {
		const { transactionId, commissionId, saleId } = await aSale(funnel);
		const refund = {
			transaction_id: transactionId,
			refund_amount_cents: 2_500,
			refund_reason: 'Too big',
			refund_id: 'one',
			additional_data: { test_mode: false },
		} satisfies Refund;
		expect(Object.keys(refund).toSorted()).toEqual(Object.keys(RefundRequest().shape).toSorted());
		const tracker = aTracker(funnel);
		expect(await tracker.refund(refund)).toEqual({ status: 'refunded', deductionAmount: 5, commission_id: commissionId, retried: false });
		expect(await rows('SELECT amount_cents, reason, refund_id FROM refund_events WHERE sale_id = ?', saleId)).toEqual([
			{ amount_cents: 2_500, reason: 'Too big', refund_id: 'one' },
		]);
		expect(await tracker.refund(refund)).toMatchObject({
			status: 'skipped',
			reason: expect.stringContaining('refund_id'),
			commission_id: commissionId,
		});
	});

	test('works in full, for a sale without commission, and in test mode', async () => {
		const place = await aFunnel();
		const tracker = aTracker(place);
		expect(await tracker.refund({ transaction_id: (await aSale(place)).transactionId })).toMatchObject({
			status: 'reversed',
			deductionAmount: 20,
		});
		const ruleless = await aFunnel({ commission: undefined });
		expect(await aTracker(ruleless).refund({ transaction_id: (await aSale(ruleless)).transactionId })).toMatchObject({
			status: 'no_commission',
		});
		const transaction_id = unique('txn');
		await tracker.sale({ transaction_id, ...IN_TEST_MODE });
		expect(await tracker.refund({ transaction_id, ...IN_TEST_MODE })).toMatchObject({ status: 'test', data: { programId: place.id } });
	});

	test('for an unknown sale is an error', async () => {
		const { transactionId } = await aSale(await aFunnel());
		expect(await trackerErrorOf(aTracker(funnel).refund({ transaction_id: transactionId }))).toMatchObject({
			kind: 'not_found',
			status: 404,
		});
	});
});

test('a rate limit says how long to wait', async () => {
	const limited = { ...env, SERVER_LIMIT: limitOf(3) };
	const fetch = async (input: RequestInfo | URL, init?: RequestInit) =>
		app.fetch(new Request(input, init), limited, createExecutionContext());
	const tracker = aTracker(await aFunnel(), { fetch, retries: 0 });
	const ends: unknown[] = [];
	for (let call = 0; call < 4; call += 1) ends.push(await tracker.sale(IN_TEST_MODE).catch((error: unknown) => error));
	const errors = ends.filter((end) => end instanceof TrackerError);
	expect(errors[0]).toMatchObject({ kind: 'rate_limited', status: 429, retryAfterMs: 60_000, mayBeRecorded: false });
});
