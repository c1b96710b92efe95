import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { aClick, aSale, type Funnel, track } from '../support/funnel.ts';
import { aTarget, statusOf, storedOf } from '../support/hostile.ts';
import { isForAnybody, isSigned, isTracking, named, type Route, ROUTES, WRITES } from '../support/hostile-calls.ts';
import { someOf } from '../support/hostile-urls.ts';
import { signed, signingSecret } from '../../testing/stripe/sign.ts';
import { unique } from '../support/world.ts';

// Whatever body a route receives, the response is never a 5xx, an error is {"error": string}, and a refused call changes nothing (decision
// 30).

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

describe('a body that is not a JSON object', () => {
	test.each(named(WRITES))('%s', async (_name, route) => {
		const before = await storedOf(target);
		// Tracking routes get every body; the others get a random selection in each run.
		for (const [what, body, status = 400] of isTracking(route) ? BODIES : someOf(BODIES, 5)) {
			expect(await statusOf(target, route, { body }), what).toBe(status);
			const asNobody = await statusOf(target, route, { body, as: 'nobody' });
			expect(asNobody, what).toBeGreaterThanOrEqual(400);
			if (!isTracking(route) && !isForAnybody(route) && !route.path.includes('/auth/')) expect(asNobody, what).toBe(401);
		}
		expect(await storedOf(target)).toEqual(before);
	});

	test.each(named(WRITES))('no body: %s', async (_name, route) => {
		// If every field is optional, the body is optional too.
		const mayBeLeftOut = new Map([
			['/api/v1/notifications', 200],
			['/api/v1/programs/:id/processor-replay', 200],
			['/api/v1/programs/:id/test-chain', 200],
			['/api/v1/invitations/:token/accept', 404],
			['/api/v1/programs/:id/applications/:applicationId/approve', 404],
			['/api/v1/programs/:id/applications/:applicationId/decline', 404],
			['/api/v1/programs/:id/webhooks/:webhookId/secret', 404],
			['/api/v1/programs/:id/webhooks/:webhookId/test', 404],
			['/api/v1/partner-programs/:id/postback/test', 404],
		]);
		expect(await statusOf(target, route, {})).toBe(mayBeLeftOut.get(route.path) ?? 400);
		expect(await statusOf(target, route, { as: 'nobody' })).toBeGreaterThanOrEqual(400);
	});
});

describe('a webhook', () => {
	const limit = 1024 * 1024;

	test.each(named(ROUTES.filter(isSigned)))('whose body is not an event, signed or not: %s', async (_name, route) => {
		const secret = signingSecret();
		const connected = { method: 'PUT', path: '/api/v1/programs/:id/stripe' };
		expect(await statusOf(target, connected, { body: JSON.stringify({ webhook_secret: secret }) })).toBe(200);
		const before = await storedOf(target);
		for (const [what, body] of [...BODIES, ['nothing', ''] as const]) {
			const { header } = signed(typeof body === 'string' ? body : new TextDecoder().decode(body), secret, Date.now());
			const expected = new Blob([body]).size > limit ? 413 : 400;
			expect(await statusOf(target, route, { body, headers: { 'Stripe-Signature': header } }), what).toBe(expected);
			expect(await statusOf(target, route, { body, as: 'nobody' }), what).toBe(expected);
		}
		expect(await storedOf(target)).toEqual(before);
	});
});

const ANY_FIELD = ['click_id', 'additional_data', '__proto__', 'constructor', 'toString', ''];

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

/** A valid body for the route, with every field. */
function validFor(of: Funnel, { method, path }: Route): Record<string, unknown> {
	const terms = { type: 'percent', percent: 1, hold_days: 1, recurring_months: null };
	const settings = { name: 'P', domain: null, currency: 'EUR', cookie_window_days: 3, allowed_origins: [], server_leads_only: true };
	const sale = { transaction_id: unique('t'), amount_cents: 1, customer_key: 'k', click_id: '', currency: 'USD', sale_type: 'payment' };
	const email = `${unique('p')}@people.example`;
	const bodies: Record<string, Record<string, unknown>> = {
		click: { affiliate_url: `https://shop.example/?aff=${of.shortLink}`, existing_click_id: '', page_url: 'x', user_agent: 'x' },
		lead: { customer_key: unique('k'), click_id: '', email, additional_data: {} },
		sale: { ...sale, line_items: {}, is_recurring: true, subscription_id: 's', product_id: 'p', additional_data: { test_mode: true } },
		refund: { transaction_id: 't', refund_amount_cents: 0, refund_reason: '', refund_id: 'r' },
		'sign-in': { email, password: '' },
		'sign-up': { email: '', password: '', name: 'N', workspace_name: 'W', setup_token: '' },
		password: { old_password: '', new_password: 'a new password' },
		reveal: { password: '' },
		workspaces: { name: 'W' },
		members: method === 'POST' ? { email, role: 'admin' } : { role: 'member', active: true },
		accept: { name: 'N', password: 'a new password' },
		'api-token': { password: '', overlap_hours: 24 },
		programs: { ...settings, time_zone: 'UTC', keep_emails: true, ...(method === 'POST' ? { commission: terms } : { active: true }) },
		'commission-rules': { ...terms, ...(method === 'POST' ? { product_id: unique('p'), partner_id: of.partnerId } : {}) },
		partners: { name: 'P', ...(method === 'POST' ? { email, short_link: unique('s') } : { status: 'active' }) },
		links: { destination_url: 'https://x.example', ...(method === 'POST' ? { partner_id: of.partnerId, short_link: unique('s') } : {}) },
		approve: { commission_ids: [1] },
		reject: { commission_ids: [1], reason: 'x' },
		stripe: { webhook_secret: signingSecret(), amount_basis: 'net' },
		processors: { webhook_secret: signingSecret(), amount_basis: 'net' },
		payouts: { partner_ids: [of.partnerId], before: '2026-01-01', minimum_cents: 0 },
	};
	return bodies[path.split('/').findLast((part) => !part.startsWith(':')) ?? ''] ?? {};
}

function hashesPassword({ path }: Route): boolean {
	return path.includes('/auth/') || /\/(api-token|reveal)$/.test(path);
}

function changed(body: Record<string, unknown>, change: readonly [number, unknown][]): string {
	const fields = [...Object.keys(body), ...Object.keys(body), ...ANY_FIELD];
	return JSON.stringify({ ...body, ...Object.fromEntries(change.map(([at, value]) => [fields[at % fields.length], value])) });
}

describe('a valid body with a few random fields', () => {
	/** A field's index and its new value; undefined removes it. */
	const changes = fc.array(fc.tuple(fc.nat(), fc.option(values, { nil: undefined, freq: 8 })), { maxLength: 3 });
	const most = inject('thorough') ? 400 : 150;
	test.each([
		['tracking', WRITES.filter(isTracking), ['key', 'nobody'] as const, most],
		['management', WRITES.filter((route) => !isTracking(route) && !hashesPassword(route)), ['owner'] as const, most],
		// Each run hashes a password, which is expensive.
		['password', WRITES.filter(hashesPassword), ['owner'] as const, 20],
	])('on the %s routes', async (_what, routes, callers, numRuns) => {
		// The target is new, because a successful call may deactivate the program or end its key.
		const own = await aTarget();
		const met = new Set<number>();
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...routes), changes, fc.constantFrom(...callers), async (route, change, as) => {
				met.add(await statusOf(own, route, { body: changed(validFor(own, route), change), as }));
			}),
			{ numRuns },
		);
		// If every call succeeded or every call was refused, the property would prove little.
		if (numRuns > 100) expect([...met].some((status) => status < 300) && met.has(400)).toBe(true);
	});

	test('on the tracking routes, field by field', async () => {
		for (const route of WRITES.filter(({ path }) => path.startsWith('/api/v1/track/')))
			for (const field of [...Object.keys(validFor(target, route)), ...ANY_FIELD])
				for (const value of [null, 2 ** 53, 1e308, '\ud800', '\u0000', [[]], { a: '\udfff' }])
					await statusOf(target, route, { body: JSON.stringify({ ...validFor(target, route), [field]: value }) });
	});
});

describe('a call refused for one field stores nothing of the others', () => {
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
		['lead', { customer_key: 'undefined' }],
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
		const { affiliate_click_events: _arriving, outbox: _leaving, ...before } = await storedOf(target);
		const call = { body: JSON.stringify({ ...bodies[route], ...fields }) };
		expect(await statusOf(target, { method: 'POST', path: `/api/v1/track/${route}` }, call)).toBe(400);
		expect(await storedOf(target)).toMatchObject(before);
	});
});

test('line items are accepted to their 31st level, the 32nd of the body, and no deeper', async () => {
	const customer_key = unique('k');
	expect((await track('lead', { customer_key, click_id: await aClick(target) }, target.apiToken)).status).toBe(200);
	const saleOf = (levels: number) => {
		const body = JSON.stringify({ transaction_id: unique('t'), amount_cents: 1, customer_key, line_items: 'LEVELS' });
		return track('sale', body.replace('"LEVELS"', nested(levels, '{"a":', '}', '1')), target.apiToken);
	};
	expect((await saleOf(31)).status).toBe(200);
	const { outbox: _leaving, ...before } = await storedOf(target);
	for (const levels of [32, 9_000]) {
		const { status, body } = await saleOf(levels);
		expect([status, body]).toEqual([400, { error: 'Request body must not be nested deeper than 32 levels' }]);
	}
	expect(await storedOf(target)).toMatchObject(before);
});
