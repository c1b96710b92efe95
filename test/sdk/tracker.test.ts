import { describe, expect, test } from 'vitest';
import { Tracker } from '../../src/sdk/index.ts';
import { answer, KEY, scriptedFetch, scriptedTracker, trackerErrorOf } from '../support/scripted-service.ts';

// The SDK's requests, and how it reads each response. Errors: errors.test.ts. Retries: retries.test.ts.

const SALE = { transaction_id: 'order-1', amount_cents: 100, customer_key: 'user-1' };
const RECORDED = { success: true, sale_id: 7, commission_id: 8, message: 'Sale recorded and commission created.' };
const DUPLICATE = 'Duplicate transaction_id. This sale has already been recorded.';
const IN_TEST_MODE = { additional_data: { test_mode: true } } as const;
const TEST_ANSWER = { success: true, message: 'Test', data: { eventId: 3, programId: 1, test_mode: true } };

describe('a call', () => {
	test('is a POST with the key and the body as passed', async () => {
		const { tracker, sent } = scriptedTracker(answer(200, RECORDED));
		await tracker.sale({ ...SALE, line_items: [{ sku: 'ä' }], currency: undefined });
		expect(sent).toEqual([
			{
				url: 'https://track.example/api/v1/track/sale',
				method: 'POST',
				headers: { accept: 'application/json', authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
				body: { ...SALE, line_items: [{ sku: 'ä' }] },
				redirect: 'manual',
				signal: expect.any(AbortSignal),
			},
		]);
	});

	test.each([
		['https://track.example/', 'https://track.example/api/v1/cli/status'],
		['http://127.0.0.1:8787', 'http://127.0.0.1:8787/api/v1/cli/status'],
		[' https://shop.example/tracking/ ', 'https://shop.example/tracking/api/v1/cli/status'],
		['https://shop.example/tracking//', 'https://shop.example/tracking/api/v1/cli/status'],
		['https://track.example?', 'https://track.example/api/v1/cli/status'],
		['https://track.example/#', 'https://track.example/api/v1/cli/status'],
	])('to %s goes to %s', async (baseUrl, url) => {
		const { tracker, sent } = scriptedTracker(answer(200, { success: true, program_id: 1, checks: [] }), { baseUrl });
		await tracker.status();
		expect(sent).toMatchObject([{ url, method: 'GET', body: undefined }]);
	});

	test("uses the platform's current fetch", async () => {
		const { fetch, sent } = scriptedFetch(answer(200, RECORDED));
		const tracker = new Tracker({ baseUrl: 'https://track.example', apiKey: KEY });
		const before = globalThis.fetch;
		globalThis.fetch = fetch;
		try {
			await tracker.sale(SALE);
		} finally {
			globalThis.fetch = before;
		}
		expect(sent).toHaveLength(1);
	});

	test('that cannot be serialized as JSON is never sent', async () => {
		const { tracker, sent } = scriptedTracker(answer(200, RECORDED));
		const error = await trackerErrorOf(tracker.sale({ ...SALE, line_items: { big: 1n } }));
		expect(error).toMatchObject({ kind: 'invalid', attempts: 0, mayBeRecorded: false, cause: expect.any(TypeError) });
		expect(sent).toEqual([]);
	});
});

describe('a click', () => {
	const CLICK = { affiliate_url: 'https://shop.example/?aff=pat', user_agent: 'Mozilla/5.0' };
	const ANSWER = { success: true, click_id: 'cust_1_2', cookie_window_days: 60, partner_code: 'pat' };

	test('returns what the cookie needs', async () => {
		const { tracker, sent } = scriptedTracker(answer(200, ANSWER));
		expect(await tracker.click(CLICK)).toEqual({
			click_id: 'cust_1_2',
			cookie_window_days: 60,
			partner_code: 'pat',
			retried: false,
		});
		expect(sent).toMatchObject([{ url: 'https://track.example/api/v1/track/click', method: 'POST', body: CLICK }]);
	});

	test('is retried after an unclear answer', async () => {
		const { tracker, sent } = scriptedTracker([new TypeError('fetch failed'), answer(200, ANSWER)]);
		expect(await tracker.click(CLICK)).toMatchObject({ click_id: 'cust_1_2', retried: true });
		expect(sent).toHaveLength(2);
	});

	test('in test mode is sent once and returns its record', async () => {
		const { data } = TEST_ANSWER;
		expect(await scriptedTracker(answer(200, { ...ANSWER, data })).tracker.click({ ...CLICK, ...IN_TEST_MODE })).toMatchObject({ data });
		const { tracker, sent } = scriptedTracker([new TypeError('fetch failed'), answer(200, ANSWER)]);
		expect(await trackerErrorOf(tracker.click({ ...CLICK, ...IN_TEST_MODE }))).toMatchObject({ kind: 'network' });
		expect(sent).toHaveLength(1);
	});

	test('on an unknown link is refused', async () => {
		const { tracker } = scriptedTracker(answer(400, { error: 'Referral link not found' }));
		expect(await trackerErrorOf(tracker.click(CLICK))).toMatchObject({ kind: 'invalid', message: 'Referral link not found' });
	});

	test.each([{}, { success: false, message: 'No' }, { ...ANSWER, click_id: 7 }, { ...ANSWER, cookie_window_days: undefined }])(
		'answered 200 with %j does not count',
		async (body) => {
			const error = await trackerErrorOf(scriptedTracker(answer(200, body), { retries: 0 }).tracker.click(CLICK));
			expect(error).toMatchObject({ kind: 'unexpected' });
		},
	);
});

describe('a sale', () => {
	test('is recorded', async () => {
		expect(await scriptedTracker(answer(200, RECORDED)).tracker.sale(SALE)).toEqual({
			recorded: true,
			duplicate: false,
			sale_id: 7,
			commission_id: 8,
			message: 'Sale recorded and commission created.',
			retried: false,
		});
	});

	test('that was recorded before is not an error', async () => {
		const conflict = answer(409, { error: DUPLICATE, message: 'The sale is recorded. Do not send it again.', statusCode: 409 });
		expect(await scriptedTracker(conflict).tracker.sale(SALE)).toEqual({
			recorded: true,
			duplicate: true,
			differs: [],
			sale_id: null,
			commission_id: null,
			message: 'The sale is recorded. Do not send it again.',
			retried: false,
		});
	});

	test('with an id from another program is not recorded, even after retries', async () => {
		const message = 'Another program has used this transaction_id. Ids are unique across all programs, so add your own prefix to them.';
		const conflict = answer(409, { error: DUPLICATE, message, statusCode: 409 });
		for (const script of [[conflict], [new TypeError('fetch failed'), conflict]]) {
			const error = await trackerErrorOf(scriptedTracker(script).tracker.sale(SALE));
			expect(error).toMatchObject({ kind: 'conflict', status: 409, message, attempts: script.length, mayBeRecorded: false });
		}
	});

	test('to a customer without a partner is not an error and not recorded', async () => {
		expect(await scriptedTracker(answer(400, { error: 'partnerId required to create commission' })).tracker.sale(SALE)).toEqual({
			recorded: false,
			duplicate: false,
			sale_id: null,
			commission_id: null,
			message: 'partnerId required to create commission',
			retried: false,
		});
	});

	test('works in test mode', async () => {
		expect(await scriptedTracker(answer(200, TEST_ANSWER)).tracker.sale(IN_TEST_MODE)).toEqual({
			recorded: true,
			duplicate: false,
			sale_id: null,
			commission_id: null,
			message: 'Test',
			data: TEST_ANSWER.data,
			retried: false,
		});
	});

	test.each([
		['an empty object', {}],
		['success without an id', { success: true }],
		['an id as text', { ...RECORDED, sale_id: '7' }],
		['no commission_id', { ...RECORDED, commission_id: undefined }],
		['a list', [RECORDED]],
	])('answered 200 with %s does not count as recorded', async (_, body) => {
		const error = await trackerErrorOf(scriptedTracker(answer(200, body), { retries: 1 }).tracker.sale(SALE));
		expect(error).toMatchObject({ kind: 'unexpected', status: 200, attempts: 2, mayBeRecorded: true });
	});

	test('answered 409 by something else does not count as recorded', async () => {
		for (const body of ['<html>', { error: 'Conflict' }]) {
			const error = await trackerErrorOf(scriptedTracker(answer(409, body)).tracker.sale(SALE));
			expect(error).toMatchObject({ status: 409, attempts: 1, mayBeRecorded: false });
		}
	});
});

describe('a lead', () => {
	test('is recorded', async () => {
		const { tracker } = scriptedTracker(answer(200, { success: true, lead_id: 5, attributed: false, message: 'Lead recorded' }));
		expect(await tracker.lead({ customer_key: 'user-1' })).toEqual({
			recorded: true,
			duplicate: false,
			lead_id: 5,
			attributed: false,
			message: 'Lead recorded',
			retried: false,
		});
	});

	test.each(['lead', 'conversion'])('of a customer who is a %s already is not an error', async (status) => {
		const message = `Customer status cannot be updated to lead. Current status: ${status}`;
		const { tracker } = scriptedTracker(answer(400, { error: message }));
		expect(await tracker.lead({ customer_key: 'user-1' })).toEqual({
			recorded: true,
			duplicate: true,
			lead_id: null,
			attributed: null,
			message,
			retried: false,
		});
	});

	test('works in test mode', async () => {
		const { tracker } = scriptedTracker(answer(200, TEST_ANSWER));
		expect(await tracker.lead({ customer_key: 'a', ...IN_TEST_MODE })).toMatchObject({ lead_id: null, data: TEST_ANSWER.data });
	});
});

describe('a refund', () => {
	test.each([
		{ status: 'reversed', deductionAmount: 19.8, commission_id: 8 },
		{ status: 'refunded', deductionAmount: 0, commission_id: 8 },
		{ status: 'skipped', reason: 'Commission already reversed', commission_id: 8 },
		{ status: 'no_commission', message: 'Refund recorded. This sale has no commission to reverse.' },
	])('can answer $status', async (body) => {
		const { tracker } = scriptedTracker(answer(200, { success: true, ...body }));
		expect(await tracker.refund({ transaction_id: 'order-1' })).toEqual({ ...body, retried: false });
	});

	test('works in test mode', async () => {
		const { tracker } = scriptedTracker(answer(200, TEST_ANSWER));
		expect(await tracker.refund({ transaction_id: 'a', ...IN_TEST_MODE })).toEqual({
			status: 'test',
			message: 'Test',
			data: TEST_ANSWER.data,
			retried: false,
		});
	});

	test('returns skipped and retried if an earlier try may have recorded it', async () => {
		const skipped = answer(200, { success: true, status: 'skipped', reason: 'Commission already reversed', commission_id: 8 });
		const { tracker } = scriptedTracker([new TypeError('fetch failed'), skipped]);
		expect(await tracker.refund({ transaction_id: 'order-1' })).toMatchObject({ status: 'skipped', retried: true });
	});

	test('with an unknown status does not count', async () => {
		const { tracker } = scriptedTracker(answer(200, { success: true, status: 'done' }));
		expect(await trackerErrorOf(tracker.refund({ transaction_id: 'a' }))).toMatchObject({ kind: 'unexpected' });
	});
});
