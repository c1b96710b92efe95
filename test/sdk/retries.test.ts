import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CallOptions, type Sale, type TestSale, Tracker, TrackerError, type TrackerOptions } from '../../src/sdk/index.ts';
import { answer, type Reply, scriptedFetch } from '../support/scripted-service.ts';

// When the SDK retries, how long it waits and when it gives up. The test controls the clock.

const SALE = { transaction_id: 'order-1', amount_cents: 100, customer_key: 'user-1' };
const RECORDED = answer(200, { success: true, sale_id: 7, commission_id: 8, message: 'Sale recorded and commission created.' });
const FAULT = answer(500, { error: 'Sale tracking failed' });
const LOST = new TypeError('fetch failed');

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

interface Ended {
	/** The receipt, or the error. */
	readonly end: unknown;
	/** In ms on the test's clock. */
	readonly tookMs: number;
	readonly calls: number;
}

async function saleWith(
	script: readonly Reply[],
	options: Partial<TrackerOptions> = {},
	call: CallOptions = {},
	sale: Sale | TestSale = SALE,
): Promise<Ended> {
	const { fetch, sent } = scriptedFetch(...script);
	const tracker = new Tracker({ baseUrl: 'https://track.example', apiKey: 'prg_1', fetch, ...options });
	const begin = Date.now();
	let tookMs = 0;
	const ended = tracker
		.sale(sale, call)
		.catch((error: unknown) => error)
		.finally(() => (tookMs = Date.now() - begin));
	await vi.runAllTimersAsync();
	return { end: await ended, tookMs, calls: sent.length };
}

describe('an unclear answer is retried', () => {
	test.each<[string, Reply]>([
		['a lost connection', LOST],
		['a server error', FAULT],
		['a bad gateway without a JSON body', new Response('Bad gateway', { status: 502 })],
		['a request timeout', answer(408, { error: 'Request timeout' })],
		['a truncated answer', new Response('{"success":tr')],
		['a page with status 200', new Response('<html>Welcome</html>')],
	])('%s', async (_, reply) => {
		expect(await saleWith([reply, reply, RECORDED])).toMatchObject({ calls: 3, end: { recorded: true, duplicate: false, retried: true } });
	});

	test.each<[string, Reply]>([
		['a fetch that never ends', 'never ends'],
		['a body that never ends', 'never ends its body'],
	])('%s, after 10 s', async (_, reply) => {
		vi.spyOn(Math, 'random').mockReturnValue(0);
		expect(await saleWith([reply, RECORDED])).toMatchObject({ calls: 2, tookMs: 10_000, end: { recorded: true, retried: true } });
	});

	test('too many requests, because none was processed', async () => {
		expect(await saleWith([answer(429, { error: 'Too many requests.' }), RECORDED])).toMatchObject({
			calls: 2,
			end: { recorded: true, duplicate: false, retried: false },
		});
	});

	test('a failed commission: the retry reports that the sale exists', async () => {
		const failed = answer(500, { error: 'Failed to create commission' });
		const conflict = answer(409, { error: 'Duplicate transaction_id. This sale has already been recorded.' });
		expect(await saleWith([failed, conflict])).toMatchObject({ calls: 2, end: { recorded: true, duplicate: true, retried: true } });
	});
});

describe('the wait', () => {
	test.each([
		[0, 0],
		[0.5, 250 + 500 + 1000],
		[0.999, 499.5 + 999 + 1998],
	])('is a random part (%d) of a bound that doubles: 500, 1,000, 2,000 ms', async (random, waitedMs) => {
		vi.spyOn(Math, 'random').mockReturnValue(random);
		const { tookMs, calls } = await saleWith([LOST]);
		expect(calls).toBe(4);
		expect(Math.abs(tookMs - waitedMs)).toBeLessThanOrEqual(3);
	});

	test('is never more than ten seconds', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(1);
		expect(await saleWith([LOST], { retries: 10, retryDelayMs: 4_000 })).toMatchObject({ calls: 11, tookMs: 4_000 + 8_000 + 8 * 10_000 });
	});

	test.each([
		['seconds', () => '60'],
		['a date', () => new Date(Date.now() + 60_000).toUTCString()],
	])('is slightly longer than the service requires in %s', async (_, header) => {
		vi.setSystemTime(1_800_000_000_000);
		vi.spyOn(Math, 'random').mockReturnValue(0.5);
		const limited = answer(429, { error: 'Too many requests.' }, { 'Retry-After': header() });
		expect(await saleWith([limited, RECORDED])).toMatchObject({ calls: 2, tookMs: 60_250, end: { recorded: true } });
	});

	test.each(['soon', '-5', ''])('ignores a Retry-After of "%s"', async (header) => {
		vi.spyOn(Math, 'random').mockReturnValue(0);
		expect(await saleWith([answer(503, {}, { 'Retry-After': header }), RECORDED])).toMatchObject({ calls: 2, tookMs: 0 });
	});

	test('does not start if the service requires more than a minute', async () => {
		const limited = answer(429, { error: 'Too many requests.' }, { 'Retry-After': '61' });
		const { end, calls } = await saleWith([limited, RECORDED]);
		expect(end).toMatchObject({ kind: 'rate_limited', retryAfterMs: 61_000, attempts: 1, mayBeRecorded: false });
		expect(calls).toBe(1);
	});
});

describe('giving up', () => {
	test.each<[string, Reply, object]>([
		['a lost connection', LOST, { kind: 'network', status: undefined, mayBeRecorded: true, cause: LOST }],
		['a server error', FAULT, { kind: 'server', status: 500, message: 'Sale tracking failed', mayBeRecorded: true }],
		['too many requests', answer(429, { error: 'Too many requests.' }), { kind: 'rate_limited', status: 429, mayBeRecorded: false }],
		[
			'a timeout',
			'never ends',
			{ kind: 'timeout', message: 'No answer within 10000 ms', mayBeRecorded: true, cause: { name: 'TimeoutError' } },
		],
	])('happens after four times %s', async (_, reply, failure) => {
		const { end, calls } = await saleWith([reply]);
		expect(end).toBeInstanceOf(TrackerError);
		expect(end).toMatchObject({ attempts: 4, ...failure });
		expect(calls).toBe(4);
	});

	test('a refusal after an unclear try leaves open whether that try succeeded', async () => {
		const refused = answer(401, { error: 'Invalid API key: the token matches no active program' });
		expect((await saleWith([LOST, refused])).end).toMatchObject({ kind: 'authentication', attempts: 2, mayBeRecorded: true });
	});

	test('a rate limit after it leaves it open too', async () => {
		const limited = answer(429, { error: 'Too many requests.' });
		expect((await saleWith([LOST, limited])).end).toMatchObject({ kind: 'rate_limited', attempts: 4, mayBeRecorded: true });
	});

	test('happens at once with no retries', async () => {
		expect(await saleWith([LOST, RECORDED], { retries: 0 })).toMatchObject({ calls: 1, end: { attempts: 1 } });
	});
});

describe('calls without idempotency are not retried:', () => {
	const testMode = { additional_data: { test_mode: true } } as const;

	test('a test sale without an id', async () => {
		expect(await saleWith([LOST, RECORDED], {}, {}, testMode)).toMatchObject({ calls: 1, end: { kind: 'network', mayBeRecorded: true } });
		expect(await saleWith([LOST, RECORDED], {}, {}, { ...testMode, transaction_id: 'a' })).toMatchObject({ calls: 2 });
	});

	test('a test lead and a test refund', async () => {
		for (const call of ['lead', 'refund'] as const) {
			const { fetch, sent } = scriptedFetch(LOST);
			const tracker = new Tracker({ baseUrl: 'https://track.example', apiKey: 'prg_1', fetch });
			const ended = tracker[call]({ customer_key: 'a', transaction_id: 'a', ...testMode }).catch((error: unknown) => error);
			await vi.runAllTimersAsync();
			expect(await ended).toMatchObject({ attempts: 1 });
			expect(sent).toHaveLength(1);
		}
	});

	test('except one that was refused before processing', async () => {
		const limited = answer(429, { error: 'Too many requests.' }, { 'Retry-After': '1' });
		expect(await saleWith([limited, RECORDED], {}, {}, testMode)).toMatchObject({ calls: 2, end: { recorded: true } });
	});
});

describe("the caller's signal", () => {
	test('aborted before the call: nothing is sent', async () => {
		const reason = new Error('The request is gone');
		const { end, calls } = await saleWith([RECORDED], {}, { signal: AbortSignal.abort(reason) });
		expect(end).toMatchObject({ kind: 'aborted', attempts: 0, mayBeRecorded: false, cause: reason });
		expect(calls).toBe(0);
	});

	test('aborted during the request: the fetch is aborted, and the call ends', async () => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 100);
		const { end, tookMs, calls } = await saleWith(['never ends'], {}, { signal: controller.signal });
		expect(end).toMatchObject({ kind: 'aborted', attempts: 1, mayBeRecorded: true, cause: { name: 'AbortError' } });
		expect([tookMs, calls]).toEqual([100, 1]);
	});

	test('aborted during a wait: the wait ends', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(1);
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 100);
		const { end, tookMs, calls } = await saleWith([LOST], {}, { signal: controller.signal });
		expect(end).toMatchObject({ kind: 'aborted', attempts: 1, mayBeRecorded: true });
		expect([tookMs, calls]).toEqual([100, 1]);
	});

	test('that is never aborted loses its listeners', async () => {
		const { signal } = new AbortController();
		const added = vi.spyOn(signal, 'addEventListener');
		const removed = vi.spyOn(signal, 'removeEventListener');
		await saleWith([LOST, FAULT, RECORDED], {}, { signal });
		expect(removed.mock.calls).toEqual(added.mock.calls);
		expect(added).toHaveBeenCalled();
	});
});

test('no timer is left after a call', async () => {
	const { fetch } = scriptedFetch(RECORDED);
	await new Tracker({ baseUrl: 'https://track.example', apiKey: 'prg_1', fetch }).sale(SALE);
	expect(vi.getTimerCount()).toBe(0);
});

test('the fetch of a try that timed out is aborted', async () => {
	const { fetch, sent } = scriptedFetch('never ends', RECORDED);
	const ended = new Tracker({ baseUrl: 'https://track.example', apiKey: 'prg_1', fetch, timeoutMs: 50 }).sale(SALE);
	await vi.runAllTimersAsync();
	await ended;
	expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
});
