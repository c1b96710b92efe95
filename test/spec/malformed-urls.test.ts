import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { follow } from '../support/follow.ts';
import { type Funnel, rows } from '../support/funnel.ts';
import { aTarget, isForAnybody, isTracking, named, ROUTES, statusOf, storedOf, WRITES } from '../support/hostile.ts';

// Decision 30, for everything but the body: paths, methods, queries and headers.

let target: Funnel;
beforeAll(async () => {
	target = await aTarget();
});

/** But for what anybody may read: files, pages (test/http/docs.test.ts), and where a link leads. */
const READS = ROUTES.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && !/\.\w+$/.test(path));

describe('a path', () => {
	const IDS = `0 -1 1000000000 9007199254740991 9007199254740993 99999999999999999999 01 1.5 1e3 abc null __proto__ %00 %20 %0A %FF
		%ED%A0%80 %E0%A4%A % %F0%9F%98%80 1'-- 1%2F2 ..%2F.. ; ${'x'.repeat(5_000)}`.split(/\s+/);

	test.each(named(ROUTES.filter(({ path }) => path.includes(':'))))('whose id is anything: %s', async (_name, route) => {
		const before = await storedOf(target);
		for (const id of IDS) {
			const call = ['POST', 'PUT', 'PATCH'].includes(route.method) ? { id, body: '{}' } : { id };
			expect(await statusOf(target, route, call), id).toBeGreaterThanOrEqual(400);
			expect(await statusOf(target, route, { ...call, as: 'nobody' }), id).toBeGreaterThanOrEqual(400);
		}
		expect(await storedOf(target)).toEqual(before);
	});

	const UNKNOWN = `// /api /api/ /api/v1 /api/v1/ /api/v1/track /api/v1/track/ /api/v1/track/click/ /api/v1/track/clicks /.env
		/api/v2/track/click /API/v1/track/click /api/v1//track/click /api/v1/track/click/1 /api/v1/track/%63lick%00 /% /%ff /api/*
		/api/v1/programs/1/nothing /api/v1/track/:x /* /${'x'.repeat(7_000)} /${'a/'.repeat(2_000)}`.split(/\s+/);

	test.each(UNKNOWN)('that is unknown: %s', async (path) => {
		for (const method of ['GET', 'POST', 'DELETE']) {
			const call = method === 'POST' ? { body: '{}', as: 'nobody' as const } : { as: 'nobody' as const };
			expect(await statusOf(target, { method, path }, call)).toBe(404);
		}
	});

	test('made of anything', async () => {
		const parts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('api', 'v1', 'track', 'programs', '1', '..'));
		await fc.assert(
			fc.asyncProperty(fc.array(parts, { maxLength: 6 }), fc.constantFrom('GET', 'POST', 'PUT'), async (path, method) => {
				const encoded = `/${path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
				await statusOf(target, { method, path: encoded }, method === 'GET' ? {} : { body: '{}' });
			}),
			{ numRuns: 200 },
		);
	});

	test.each(named(ROUTES))('under the methods that it does not have: %s', async (_name, { path }) => {
		const known = new Set(ROUTES.filter((route) => isAlso(path, route.path)).map(({ method }) => method));
		for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])
			if (!known.has(method)) expect(await statusOf(target, { method, path }, { as: 'nobody' }), method).toBe(405);
	});
});

/** Whether the path is one of the route's: `/commissions/approve` is also a `/commissions/:commissionId`, of which there is none. */
function isAlso(path: string, route: string): boolean {
	const [segments, pattern] = [path.split('/'), route.split('/')];
	return segments.length === pattern.length && pattern.every((segment, index) => segment.startsWith(':') || segment === segments[index]);
}

describe('a query that is anything', () => {
	const QUERIES = `? ?? ?&&&= ?= ?limit ?limit= ?limit=0 ?limit=-1 ?limit=201 ?limit=1e2 ?limit=1.5 ?limit=99999999999 ?limit=% ?limit=%00
		?limit=%ED%A0%80 ?limit=1&limit=x ?limit[]=1 ?cursor= ?cursor=0 ?cursor=-1 ?cursor=x ?cursor=9007199254740993
		?cursor=9007199254740991 ?cursor=${'9'.repeat(3_000)} ?__proto__=1 ?constructor=1 ?toString=1 ?status=nope ?status= ?status=%00
		?partner_id=0 ?partner_id=x ?partner_id=999999999999999 ?partner_id=1e3 ?from=x ?from= ?from=2026-02-30 ?from=0000-01-01
		?from=9999-12-31 ?from=2026-01-01T00:00 ?to=-1 ?to=%00 ?from=9999-12-31T23:59:59.999Z ?to=0000-01-01T00:00:00Z
		?from=0000-01-01T00:00:00%2B14:00 ?${'a=1&'.repeat(2_000)} ?${'x'.repeat(7_000)}`.split(/\s+/);

	test.each(named(READS))('%s', async (_name, route) => {
		for (const query of QUERIES) {
			await statusOf(target, route, { query });
			const asNobody = await statusOf(target, route, { query, as: 'nobody' });
			if (isForAnybody(route)) expect(asNobody, query).toBeGreaterThanOrEqual(400);
			else expect(asNobody, query).toBe(401);
		}
		for (const accept of ['', '*', 'text/csv', 'text/csv;q=x', ';;;,,,', 'text/csv;q=0', 'x'.repeat(4_000)])
			await statusOf(target, route, { headers: { Accept: accept } });
	});

	test('changes nothing of where a referral link leads', async () => {
		await rows("UPDATE referral_links SET destination_url = 'https://shop.example/a' WHERE short_link = ?", target.shortLink);
		for (const query of [...QUERIES, '?aff=x&tracker_click_id=x&tracker_click_id=', '?%00#', '?@evil.example', '?//evil.example/']) {
			const { status, location } = await follow(`/r/${target.shortLink}${query}`);
			const aff = location?.searchParams.getAll('aff');
			expect([status, location?.origin, location?.pathname, aff], query).toEqual([302, 'https://shop.example', '/a', [target.shortLink]]);
		}
	});

	test.each(named(WRITES.filter(isTracking)))('is ignored by %s', async (_name, route) => {
		for (const query of ['?limit=x', '?%', '?customer_key=x&click_id=y']) {
			expect(await statusOf(target, route, { query, body: '{}' })).toBe(400);
		}
	});
});

test.each(named(WRITES.filter(isTracking)))('headers that are anything: %s', async (_name, route) => {
	const sent: Record<string, string>[] = [
		{ 'Content-Type': 'multipart/form-data' },
		{ 'Content-Type': ';;;' },
		{ 'Content-Encoding': 'gzip' },
		{ 'User-Agent': 'x'.repeat(10_000) },
		{ Origin: 'x'.repeat(10_000) },
		{ Origin: 'https://%00' },
		{ 'CF-IPCountry': '??' },
		{ 'CF-Connecting-IP': 'x'.repeat(3_000) },
		{ Accept: 'image/png' },
		{ 'X-HTTP-Method-Override': 'DELETE' },
	];
	for (const headers of sent) expect(await statusOf(target, route, { headers, body: '{}' })).toBe(400);
});
