import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aClick, aFunnel, aLead, type Funnel, rows, track } from '../support/funnel.ts';
import { api, aProgram, unique } from '../support/world.ts';

// Contract, 4.1 and section 5, rule 4; decisions 6, 27 and 28.

const shop = `https://${unique('shop')}.example`;
const brand = `${unique('brand')}.example`;
const domain = `${unique('domain')}.example`;
const elsewhere = `https://${unique('elsewhere')}.example`;
const NOT_ALLOWED = { error: 'Origin not allowed' };

let funnel: Funnel;
let other: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ allowed_origins: [shop, `https://*.${brand}`, 'http://localhost:3000', 'http://127.0.0.1:*'], domain });
	other = await aFunnel({ allowed_origins: [elsewhere] });
});

const LISTED: [what: string, origin: () => string][] = [
	['itself', () => shop],
	['by a wildcard', () => `https://www.${brand}`],
	['by a wildcard, deeper', () => `https://a.b.${brand}`],
	['with a port', () => 'http://localhost:3000'],
	['with any port of this machine', () => 'http://127.0.0.1:5173'],
	['as the domain', () => `https://${domain}`],
	['as the www of the domain', () => `https://www.${domain}`],
];
const UNLISTED: [what: string, origin: () => string][] = [
	['null', () => 'null'],
	['of nobody', () => `https://${unique('nobody')}.example`],
	['under http', () => shop.replace('https:', 'http:')],
	['with another port', () => `${shop}:8443`],
	['the apex of a wildcard', () => `https://${brand}`],
	['the wildcard itself', () => `https://*.${brand}`],
	['that only ends alike', () => `https://evil${brand}`],
	['that only begins alike', () => `${shop}.evil.example`],
	['a subdomain of the domain', () => `https://api.${domain}`],
	['no origin at all', () => 'nonsense'],
	['with a path', () => `${shop}/`],
	['of very many labels', () => `https://${'a.'.repeat(500)}example`],
];

async function preflight(path: string, origin: string | undefined): Promise<Response> {
	return exports.default.fetch(`http://service.test${path}`, {
		method: 'OPTIONS',
		headers: {
			...(origin === undefined ? {} : { Origin: origin }),
			'Access-Control-Request-Method': 'POST',
			'Access-Control-Request-Headers': 'content-type',
		},
	});
}
const click = (origin: string, of: Funnel = funnel, headers = {}) =>
	track('click', { affiliate_url: `https://shop.example/?aff=${of.shortLink}` }, undefined, { Origin: origin, ...headers });
const allowOrigin = ({ headers }: { headers: Headers }) => headers.get('Access-Control-Allow-Origin');

test('a page may read the request id, whether the call is refused or not', async () => {
	for (const origin of [shop, elsewhere]) {
		const { headers } = await click(origin);
		expect(headers.get('Access-Control-Expose-Headers')).toBe('X-Request-Id');
		expect(headers.get('X-Request-Id')).toBeTruthy();
	}
});

describe.each(['/api/v1/track/click', '/api/v1/track/lead', '/api/tracking/click', '/api/tracking/lead'])('the preflight of %s', (path) => {
	test.each(LISTED)('is accepted from an origin listed %s', async (_what, originOf) => {
		const origin = originOf();
		const response = await preflight(path, origin);
		expect([response.status, await response.text()]).toEqual([204, '']);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			'access-control-allow-origin': origin,
			'access-control-allow-methods': 'POST',
			'access-control-allow-headers': 'Content-Type',
			vary: 'Origin',
		});
		expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false);
	});

	test.each(UNLISTED)('is refused from an origin that is %s', async (_what, originOf) => {
		const response = await preflight(path, originOf());
		expect([response.status, await response.json(), allowOrigin(response)]).toEqual([403, NOT_ALLOWED, null]);
	});

	test('is refused without an origin', async () => {
		expect((await preflight(path, undefined)).status).toBe(403);
	});
});

describe('a program that changes its origins', () => {
	test('a new program opens its origins at once, even those that were refused before', async () => {
		const origin = `https://${unique('fresh')}.example`;
		expect((await preflight('/api/v1/track/click', origin)).status).toBe(403);
		await aProgram(funnel.owner, { allowed_origins: [origin] });
		expect((await preflight('/api/v1/track/click', origin)).status).toBe(204);
	});

	test('a changed list takes effect at once for preflight, click and lead', async () => {
		const [before, after] = [`https://${unique('before')}.example`, `https://${unique('after')}.example`];
		const moved = await aFunnel({ allowed_origins: [before] });
		expect((await click(before, moved)).status).toBe(200);
		expect((await click(after, moved)).status).toBe(403);
		await api(`/api/v1/programs/${moved.id}`, { method: 'PATCH', token: moved.owner.token, body: { allowed_origins: [after] } });
		expect([(await click(before, moved)).status, (await click(after, moved)).status]).toEqual([403, 200]);
		const click_id = await aClick(moved);
		expect((await track('lead', { click_id }, undefined, { Origin: before })).status).toBe(403);
		expect((await track('lead', { click_id }, undefined, { Origin: after })).status).toBe(200);
		expect((await preflight('/api/v1/track/click', before)).status).toBe(403);
	});

	test('the origins of an inactive program are closed', async () => {
		const origin = `https://${unique('closed')}.example`;
		const { id } = await aProgram(funnel.owner, { allowed_origins: [origin] });
		await api(`/api/v1/programs/${id}`, { method: 'PATCH', token: funnel.owner.token, body: { active: false } });
		expect((await preflight('/api/v1/track/click', origin)).status).toBe(403);
	});
});

describe('a click', () => {
	test.each(LISTED)('from a page listed %s is recorded, and the page may read the answer', async (_what, originOf) => {
		const answer = await click(originOf());
		expect([answer.status, allowOrigin(answer)]).toEqual([200, originOf()]);
		expect(answer.headers.get('Vary')).toContain('Origin');
	});

	test.each(UNLISTED)('from a page that is %s: 403 Origin not allowed', async (_what, originOf) => {
		const origin = originOf();
		const answer = await click(origin);
		expect([answer.status, answer.body]).toEqual([403, NOT_ALLOWED]);
		expect(allowOrigin(answer)).toBeNull();
	});

	test('from a page that only another program lists: 403, which that page may read', async () => {
		const answer = await click(elsewhere);
		expect([answer.status, answer.body, allowOrigin(answer)]).toEqual([403, NOT_ALLOWED, elsewhere]);
		expect((await click(elsewhere, other)).status).toBe(200);
	});

	test('is not recorded when it is refused', async () => {
		const [before] = await rows('SELECT max(id) AS id FROM affiliate_click_events WHERE program_id = ?', other.id);
		const test_mode = { affiliate_url: `https://shop.example/?aff=${other.shortLink}`, additional_data: { test_mode: true } };
		expect((await track('click', test_mode, undefined, { Origin: shop })).status).toBe(403);
		expect(await rows('SELECT max(id) AS id FROM affiliate_click_events WHERE program_id = ?', other.id)).toEqual([before]);
	});

	test('is accepted without an origin, from a server', async () => {
		const answer = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
		expect([answer.status, allowOrigin(answer)]).toEqual([200, null]);
	});

	test('as text/plain, which needs no preflight, must still come from a listed origin', async () => {
		const text = { 'Content-Type': 'text/plain;charset=UTF-8' };
		expect((await click(shop, funnel, text)).status).toBe(200);
		expect((await click(elsewhere, funnel, text)).status).toBe(403);
	});
});

describe('a lead without a key', () => {
	test.each(LISTED)('from a page listed %s is recorded, and the page may read the answer', async (_what, originOf) => {
		for (const type of ['application/json', 'text/plain']) {
			const headers = { Origin: originOf(), 'Content-Type': type };
			const answer = await track('lead', { click_id: await aClick(funnel) }, undefined, headers);
			expect([answer.status, allowOrigin(answer)]).toEqual([200, originOf()]);
		}
	});

	test.each(UNLISTED)('from a page that is %s: 403, nothing recorded', async (_what, originOf) => {
		const click_id = await aClick(funnel);
		const answer = await track('lead', { click_id }, undefined, { Origin: originOf() });
		expect([answer.status, answer.body, allowOrigin(answer)]).toEqual([403, NOT_ALLOWED, null]);
		expect(await rows('SELECT id FROM customers WHERE click_id = ?', click_id)).toEqual([]);
	});
});

describe('a lead with a key', () => {
	test('is not restricted by the origin list', async () => {
		for (const origin of [shop, elsewhere, 'null', 'https://nobody.example']) {
			const answer = await track('lead', { customer_key: unique('c') }, funnel.apiToken, { Origin: origin });
			expect(answer.status).toBe(200);
		}
	});

	test('does not open CORS: a page that is not listed cannot read the answer', async () => {
		for (const [origin, allowed] of [
			[shop, shop],
			['null', null],
			['https://nobody.example', null],
		]) {
			const answer = await track('lead', { customer_key: unique('c') }, funnel.apiToken, { Origin: String(origin) });
			expect(allowOrigin(answer)).toBe(allowed);
		}
	});
});

describe('errors can be read by a page of a listed origin', () => {
	test.each<[status: number, route: string, body: unknown, key?: string]>([
		[400, 'click', {}],
		[400, 'click', '{'],
		[400, 'click', { affiliate_url: 'https://shop.example/?aff=nobody' }],
		[413, 'click', 'x'.repeat(70_000)],
		[400, 'lead', {}],
		[400, 'lead', { click_id: 'cust_1_1' }],
		[401, 'lead', { customer_key: 'x' }, 'wrong'],
		[413, 'lead', 'x'.repeat(70_000)],
	])('%i from %s', async (status, route, body, key) => {
		const answer = await track(route, body, key, { Origin: shop });
		expect([answer.status, allowOrigin(answer)]).toEqual([status, shop]);
		const foreign = await track(route, body, key, { Origin: 'https://nobody.example' });
		expect([foreign.status, allowOrigin(foreign)]).toEqual([status, null]);
	});
});

test('sale and refund are not for browsers: no preflight, no CORS headers', async () => {
	for (const route of ['sale', 'refund']) {
		expect((await preflight(`/api/v1/track/${route}`, shop)).status).toBe(405);
		const body = { transaction_id: unique('t'), amount_cents: 100, customer_key: await aLead(funnel) };
		expect(allowOrigin(await track(route, body, funnel.apiToken, { Origin: shop }))).toBeNull();
	}
});
