import { describe, expect, test } from 'vitest';
import { formatClickId } from '../../src/domain/attribution/click-id.ts';
import { clickIdFrom, paddleCustomData, stripeMetadata } from '../../src/sdk/index.ts';

const CLICK = 'cust_229013431222928_996106818';

/** Resembles the result of cookies() in Next.js. */
function storeOf(cookies: Record<string, string>) {
	return {
		get(name: string) {
			const value = cookies[name];
			return value === undefined ? undefined : { name, value };
		},
	};
}

describe('the click id of a request', () => {
	const header = `theme=dark; tracker_click_id=${CLICK}; session=abc`;

	test.each([
		['a Request', new Request('https://shop.example', { headers: { Cookie: header } })],
		["Node's request, as in Express", { headers: { cookie: header, host: 'shop.example' } }],
		['a Cookie header', header],
		['a quoted value', `tracker_click_id="${CLICK}"`],
		['the second of two cookies if the first is invalid', `tracker_click_id=null; tracker_click_id=${CLICK}`],
		['the headers of a request', new Headers({ Cookie: header })],
		["Next.js' headers()", { get: (name: string) => (name.toLowerCase() === 'cookie' ? header : null) }],
		["Next.js' cookies()", storeOf({ tracker_click_id: CLICK })],
		["SvelteKit's cookies", { get: (name: string) => (name === 'tracker_click_id' ? CLICK : undefined) }],
		['a Map of cookies', new Map([['tracker_click_id', CLICK]])],
		["the cookie's value itself", CLICK],
		['a header with extra spaces', `a=b ;  tracker_click_id=${CLICK}  ;c=d`],
	])('is found in %s', (_, source) => {
		expect(clickIdFrom(source)).toBe(CLICK);
	});

	test.each([
		['no cookies', new Request('https://shop.example')],
		['headers without cookies', new Headers()],
		['cookies without it', storeOf({ session: 'abc' })],
		['cookies with an invalid click id', storeOf({ tracker_click_id: 'undefined' })],
		['cookies with one named cookie', storeOf({ cookie: `tracker_click_id=${CLICK}` })],
		["Node's headers without cookies", { headers: {} }],
		['null', null],
		['undefined', undefined],
		['an empty header', ''],
		['a cookie with the same ending', `not_tracker_click_id=${CLICK}`],
		['a cookie whose value contains one', `a=tracker_click_id=${CLICK}`],
		['an invalid click id', 'tracker_click_id=undefined'],
		['a longer text', `tracker_click_id=${CLICK}_x`],
		['a click id that is too long', `tracker_click_id=cust_${'1'.repeat(300)}_1`],
	])('is not found in %s', (_, source) => {
		expect(clickIdFrom(source)).toBeUndefined();
	});

	test.each([
		['cookies', storeOf({ tracker_click_id: CLICK })],
		['headers', new Headers({ Cookie: header })],
	])('is found in %s even if nobody awaited the promise', async (_, source) => {
		await expect(clickIdFrom(Promise.resolve(source))).resolves.toBe(CLICK);
		// Next.js lets code read the promise as if it were its value, but warns about it.
		const shim = Object.assign(Promise.resolve(source), { get: () => expect.fail('it was read before it was there') });
		await expect(clickIdFrom(shim)).resolves.toBe(CLICK);
	});

	test('a rejected promise throws', async () => {
		await expect(clickIdFrom(Promise.reject(new Error('no request')))).rejects.toThrow('no request');
	});

	test('the largest possible one is found', () => {
		const click = { referralLinkId: 2 ** 24 - 1, clickedAt: Date.UTC(2060, 0, 1), nonce: 4095, isTest: true };
		const largest = formatClickId(click, 2 ** 29 - 1);
		expect(clickIdFrom(`tracker_click_id=${largest}`)).toBe(largest);
	});
});

describe('Stripe metadata', () => {
	const ids = { customer_key: 'user-1', click_id: CLICK, program_id: 12 };
	const metadata = { tracker_customer_key: 'user-1', tracker_click_id: CLICK, program_id: '12' };

	test('for a payment', () => {
		expect(stripeMetadata('payment', ids)).toEqual({ metadata });
	});

	test('for a subscription and its renewals', () => {
		expect(stripeMetadata('subscription', ids)).toEqual({ metadata, subscription_data: { metadata } });
	});

	test('for a Paddle transaction', () => {
		expect(paddleCustomData(ids)).toEqual(metadata);
	});

	test('contains only known ids', () => {
		expect(paddleCustomData({ click_id: CLICK })).toEqual({ tracker_click_id: CLICK });
		expect(stripeMetadata('payment', { customer_key: 'user-1', click_id: undefined })).toEqual({
			metadata: { tracker_customer_key: 'user-1' },
		});
		expect(stripeMetadata('payment', { click_id: '' })).toEqual({ metadata: {} });
	});
});
