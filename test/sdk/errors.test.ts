import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { answer, KEY, type Reply, scriptedTracker, trackerErrorOf } from '../support/scripted-service.ts';

// The SDK's errors, and what they never contain.

const SALE = { transaction_id: 'order-1', amount_cents: 100, customer_key: 'user-1' };

describe('invalid options', () => {
	test.each([
		['no address', { baseUrl: 'track.example' }, /^baseUrl/],
		['another scheme', { baseUrl: 'ftp://track.example' }, /^baseUrl/],
		['a password in the address', { baseUrl: 'https://user:secret@track.example' }, /^baseUrl must be [^@]*$/],
		['a query in the address', { baseUrl: 'https://track.example?a=b' }, /^baseUrl/],
		['no key', { apiKey: '  ' }, /^apiKey/],
		['a key that does not fit into a header', { apiKey: 'prg_secret\nx' }, /^apiKey (?!.*secret)/],
		['an empty session', { sessionToken: '' }, /^sessionToken/],
		['no timeout', { timeoutMs: 0 }, /^timeoutMs/],
		["a timeout beyond a timer's maximum", { timeoutMs: 2 ** 31 }, /^timeoutMs/],
		['half a retry', { retries: 0.5 }, /^retries/],
		['a wait below zero', { retryDelayMs: -1 }, /^retryDelayMs/],
	])('%s', (_, options, message) => {
		expect(() => scriptedTracker(answer(200, {}), options)).toThrow(
			expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
		);
	});
});

describe('an error', () => {
	test.each([
		[400, 'amount_cents is required and must be a positive integer', 'invalid'],
		[400, 'Customer not found. Provide customer_key or click_id.', 'customer_not_found'],
		[401, 'Invalid API key: the token matches no active program', 'authentication'],
		[403, 'Origin not allowed', 'forbidden'],
		[404, 'Sale not found for transaction_id', 'not_found'],
		[404, 'No such path: /v1/api/v1/track/sale', 'unexpected'],
		[413, 'Request body is larger than 64 KiB.', 'invalid'],
		[405, 'Method POST is not allowed here.', 'unexpected'],
	])('%i %s is %s at once', async (status, error, kind) => {
		const { tracker, sent } = scriptedTracker(answer(status, { error }));
		const failure = await trackerErrorOf(tracker.sale(SALE));
		expect(failure).toMatchObject({ name: 'TrackerError', kind, status, message: error, attempts: 1, mayBeRecorded: false });
		expect(sent).toHaveLength(1);
	});

	test('from a page that is not the service says so', async () => {
		const page = new Response('<html>Not here</html>', { status: 404, headers: { 'Content-Type': 'text/html' } });
		expect(await trackerErrorOf(scriptedTracker(page).tracker.refund({ transaction_id: 'a' }))).toMatchObject({
			kind: 'unexpected',
			status: 404,
			message: expect.stringContaining('baseUrl'),
		});
	});

	test('from a redirect says so, and the redirect is not followed', async () => {
		const moved = new Response(null, { status: 301, headers: { Location: 'https://elsewhere.example' } });
		const { tracker, sent } = scriptedTracker(moved);
		expect(await trackerErrorOf(tracker.sale(SALE))).toMatchObject({ kind: 'unexpected', status: 301, attempts: 1, mayBeRecorded: false });
		expect(sent).toHaveLength(1);
	});

	test('from a server error keeps its request id and its message', async () => {
		const fault = answer(500, { error: 'Sale tracking failed' }, { 'X-Request-Id': 'req-1' });
		expect(await trackerErrorOf(scriptedTracker(fault, { retries: 0 }).tracker.sale(SALE))).toMatchObject({
			kind: 'server',
			message: 'Sale tracking failed',
			requestId: 'req-1',
			mayBeRecorded: true,
		});
	});

	test('from the network keeps the thrown error and states its cause', async () => {
		const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
		const error = await trackerErrorOf(scriptedTracker(cause, { retries: 0 }).tracker.status());
		expect(error).toMatchObject({ kind: 'network', message: 'No answer: fetch failed (connect ECONNREFUSED)', mayBeRecorded: false });
		expect(error.cause).toBe(cause);
	});
});

describe('the key', () => {
	test('is visible neither in the tracker nor in any error', async () => {
		const replies: Reply[] = [new TypeError('fetch failed'), answer(500, {}), answer(401, { error: 'no' }), answer(200, {}), 'never ends'];
		for (const reply of replies) {
			const { tracker } = scriptedTracker(reply, { retries: 0, timeoutMs: 5, sessionToken: KEY });
			const errors = [await trackerErrorOf(tracker.sale(SALE)), await trackerErrorOf(tracker.performance(1))];
			for (const shown of [tracker, ...errors]) {
				expect(inspect(shown, { depth: Infinity, showHidden: true })).not.toContain(KEY);
				expect(JSON.stringify(shown)).not.toContain(KEY);
			}
		}
	});
});
