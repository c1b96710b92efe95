import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { aClick, aSale, type Funnel } from '../support/funnel.ts';
import { aTarget, isTracking, named, type Route, statusOf, storedOf, WRITES } from '../support/hostile.ts';
import { unique } from '../support/world.ts';

// Decision 30: whatever body is sent to whatever route, the answer is never a 5xx, an error is {"error": string}, and what
// was refused has left nothing behind.

let target: Funnel;
beforeAll(async () => {
	target = await aTarget();
});

const nested = (depth: number, open: string, close: string, core = '') => open.repeat(depth) + core + close.repeat(depth);
const BODIES: [what: string, body: string | Uint8Array, status?: number][] = [
	['blank', '   '],
	['half an object', '{'],
	['no JSON', 'affiliate_url=https://shop.example'],
	['single quotes', "{'a': 1}"],
	['a comma too many', '{"a": 1,}'],
	['NaN', '{"amount_cents": NaN}'],
	['two values', '{} {}'],
	['null', 'null'],
	['true', 'true'],
	['a number', '42'],
	['a huge number', '1e999'],
	['a string', '"x"'],
	['a lone surrogate', '"\\ud800"'],
	['an empty list', '[]'],
	['a list of objects', '[{}]'],
	['NUL', '\u0000'],
	['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
	['a surrogate as bytes', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
	['UTF-16', new Uint8Array(new Uint16Array([0xfeff, 0x7b, 0x7d]).buffer)],
	['60 KB of [', '['.repeat(60 * 1024)],
	['60 KB of {"a":', '{"a":'.repeat(12_000)],
	['32,000 lists in each other', nested(32_000, '[', ']')],
	['9,000 objects in each other', nested(9_000, '{"a":', '}', '1')],
	['33 levels in a field', `{"additional_data":${nested(33, '{"a":', '}', '1')}}`],
	['100,000 brackets', nested(50_000, '[', ']'), 413],
	['3 MB', `{"a":"${'x'.repeat(3_000_000)}"}`, 413],
	['3 MB of nothing', ' '.repeat(3_000_000), 413],
];

describe('a body that is no JSON object', () => {
	test.each(named(WRITES))('%s', async (_name, route) => {
		const before = await storedOf(target);
		for (const [what, body, status = 400] of BODIES) {
			expect(await statusOf(target, route, { body }), what).toBe(status);
			const asNobody = await statusOf(target, route, { body, as: 'nobody' });
			expect(asNobody, what).toBeGreaterThanOrEqual(400);
			if (!isTracking(route) && !route.path.includes('/auth/')) expect(asNobody, what).toBe(401);
		}
		expect(await storedOf(target)).toEqual(before);
	});

	test.each(named(WRITES))('none at all: %s', async (_name, route) => {
		// A new key needs no body: every field of it may be left out.
		expect(await statusOf(target, route, {})).toBe(route.path.endsWith('/api-token') ? 201 : 400);
		expect(await statusOf(target, route, { as: 'nobody' })).toBeGreaterThanOrEqual(400);
	});
});

const FIELDS = `affiliate_url additional_data existing_click_id page_url user_agent click_id customer_key email currency
	transaction_id amount_cents sale_type line_items is_recurring subscription_id subscription_interval product_id
	refund_amount_cents refund_reason refund_id password name workspace_name setup_token old_password new_password
	workspace_id domain cookie_window_days allowed_origins commission active time_zone server_leads_only keep_emails
	type percent partner_id recurring_months hold_days overlap_hours short_link status destination_url archived
	commission_ids reason partner_ids before minimum_cents __proto__ constructor toString`.split(/\s+/);

const NUMBERS = [0, -0, -1, 0.5, 1.005, 1e-7, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 53), 99_999_999_999, 100_000_000_000];
const TEXTS = `0|-1|1e3|NaN|null|' OR 1=1 --|https://shop.example/?aff=%00|https://[::1|cust_1_1|USD|percent|flat|a@b.example
	|2026-01-01|../..|{}|%| |\u0000|\ud800|a\udfffb|\n|${'x'.repeat(256)}|${'😀'.repeat(200)}|`.split('|');
const THINGS: readonly unknown[] = [
	null,
	true,
	[],
	[[]],
	[null],
	[1, 1, 1],
	['\ud800'],
	Array(600).fill(1),
	{},
	{ test_mode: true },
	{ test_mode: 'x' },
	{ type: 'percent', percent: 1e-9 },
	{ type: 'flat', amount_cents: 2 ** 53 },
	{ toString: 1, length: 5 },
	{ a: { b: { c: [{ d: null }] } } },
];
const values = fc.oneof(
	fc.constantFrom<unknown[]>(...NUMBERS, ...TEXTS, ...THINGS),
	fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
	fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** A body that the route would take. */
function validFor(of: Funnel, { method, path }: Route): object {
	const resource = path.split('/').findLast((part) => !part.startsWith(':')) ?? '';
	const bodies: Record<string, object> = {
		click: { affiliate_url: `https://shop.example/?aff=${of.shortLink}` },
		lead: { customer_key: unique('k') },
		sale: { transaction_id: unique('t'), amount_cents: 1, customer_key: 'k' },
		refund: { transaction_id: 't' },
		'sign-in': { email: 'nobody@people.example', password: '' },
		programs: method === 'POST' ? { name: 'P' } : {},
		'commission-rules': { type: 'percent', percent: 1 },
		partners: { name: 'P', ...(method === 'POST' ? { email: `${unique('p')}@people.example` } : {}) },
		links: method === 'POST' ? { partner_id: of.partnerId } : { archived: false },
		approve: { commission_ids: [1] },
		reject: { commission_ids: [1] },
		payouts: { partner_ids: [of.partnerId] },
	};
	return bodies[resource] ?? {};
}

describe('a body that would do, but for a field or two that are anything', () => {
	const changes = fc.dictionary(fc.constantFrom(...FIELDS), values, { minKeys: 1, maxKeys: 3, noNullPrototype: false });

	test.each([
		['tracking', WRITES.filter(isTracking), ['key', 'nobody'] as const, 1000],
		['management', WRITES.filter((route) => !isTracking(route)), ['owner'] as const, 1000],
	])('on the %s routes', async (_what, routes, callers, numRuns) => {
		// What gets through may well deactivate the program or end its key.
		const own = await aTarget();
		const met = new Set<number>();
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...routes), changes, fc.constantFrom(...callers), async (route, change, as) => {
				met.add(await statusOf(own, route, { body: JSON.stringify({ ...validFor(own, route), ...change }), as }));
			}),
			{ numRuns },
		);
		// The property would tell little if all of them had been refused, or none.
		expect([...met].some((status) => status < 300)).toBe(true);
		expect(met).toContain(400);
	});

	test('on the tracking routes, field by field', async () => {
		for (const route of WRITES.filter(({ path }) => path.startsWith('/api/v1/track/')))
			for (const field of FIELDS.slice(0, 20))
				for (const value of [null, 2 ** 53, 1e308, '\ud800', '\u0000', [[]], { a: '\udfff' }])
					await statusOf(target, route, { body: JSON.stringify({ ...validFor(target, route), [field]: value }) });
	});
});

describe('what was refused for one field has stored nothing of the others', () => {
	test.each<[route: string, fields: object]>([
		...NUMBERS.filter((cents) => cents !== 99_999_999_999 && cents !== 2 ** 31).map((amount_cents): [string, object] => [
			'sale',
			{ amount_cents },
		]),
		['sale', { amount_cents: '100' }],
		['sale', { transaction_id: '\u0000' }],
		['sale', { transaction_id: 'x'.repeat(256) }],
		['sale', { customer_key: '\ud800' }],
		['sale', { customer_key: 7 }],
		['sale', { line_items: 'x' }],
		['sale', { product_id: '\ud800' }],
		['sale', { currency: 'ZZZ' }],
		['sale', { additional_data: { test_mode: 'true' } }],
		['lead', { email: 'x' }],
		['lead', { customer_key: 'a\u0000' }],
		['lead', { additional_data: 'x' }],
		['refund', { refund_amount_cents: -1 }],
		['refund', { refund_amount_cents: 0.5 }],
		['refund', { refund_amount_cents: '5' }],
		['refund', { refund_reason: '\ud800' }],
		['refund', { refund_id: '\u0007' }],
		['click', { additional_data: { test_mode: 'true' } }],
	])('%s %j', async (route, fields) => {
		const { transactionId } = await aSale(target);
		const bodies: Record<string, object> = {
			click: { affiliate_url: `https://shop.example/?aff=${target.shortLink}` },
			lead: { click_id: await aClick(target), customer_key: unique('k') },
			sale: { click_id: await aClick(target), customer_key: unique('k'), transaction_id: unique('t'), amount_cents: 500 },
			refund: { transaction_id: transactionId },
		};
		const { affiliate_click_events: _arriving, ...before } = await storedOf(target);
		const call = { body: JSON.stringify({ ...bodies[route], ...fields }) };
		expect(await statusOf(target, { method: 'POST', path: `/api/v1/track/${route}` }, call)).toBe(400);
		expect(await storedOf(target)).toMatchObject(before);
	});
});
