import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { follow } from '../support/follow.ts';
import { type Funnel, rows } from '../support/funnel.ts';
import { aTarget, statusOf, storedOf } from '../support/hostile.ts';
import { isTracking, named, ROUTES, WRITES } from '../support/hostile-calls.ts';
import { expectHonestQuery, expectNoSuchId, IDS, QUERIES, READS, someOf, WITH_IDS } from '../support/hostile-urls.ts';
import { anyText } from '../support/any-text.ts';

// Decision 30 for everything but the body: paths, methods, queries and headers. Each run tries a random selection for every route;
// THOROUGH=1 tries everything.

let target: Funnel;
beforeAll(async () => {
	target = await aTarget();
});

describe('a path', () => {
	test.each(named(WITH_IDS))('with a random id: %s', async (_name, route) => {
		const before = await storedOf(target);
		for (const id of someOf(IDS, 4)) await expectNoSuchId((call) => statusOf(target, route, call), route, id);
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

	test('of random text', async () => {
		const parts = fc.oneof(anyText(), fc.constantFrom('api', 'v1', 'track', 'programs', '1', '..'));
		await fc.assert(
			fc.asyncProperty(fc.array(parts, { maxLength: 6 }), fc.constantFrom('GET', 'POST', 'PUT'), async (path, method) => {
				const encoded = `/${path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
				await statusOf(target, { method, path: encoded }, method === 'GET' ? {} : { body: '{}' });
			}),
			{ numRuns: 200 },
		);
	});

	test.each(named(ROUTES))('with an unsupported method: %s', async (_name, { path }) => {
		const known = new Set(ROUTES.filter((route) => isAlso(path, route.path)).map(({ method }) => method));
		const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter((method) => !known.has(method));
		for (const method of someOf(methods, 2)) expect(await statusOf(target, { method, path }, { as: 'nobody' }), method).toBe(405);
	});
});

/** `/commissions/approve` matches `/commissions/:commissionId`. */
function isAlso(path: string, route: string): boolean {
	const [segments, pattern] = [path.split('/'), route.split('/')];
	return segments.length === pattern.length && pattern.every((segment, index) => segment.startsWith(':') || segment === segments[index]);
}

describe('a random query', () => {
	test.each(named(READS))('%s', async (_name, route) => {
		for (const query of someOf(QUERIES, 6)) await expectHonestQuery((call) => statusOf(target, route, call), route, query);
		for (const accept of someOf(['', '*', 'text/csv', 'text/csv;q=x', ';;;,,,', 'text/csv;q=0', 'x'.repeat(4_000)], 2))
			await statusOf(target, route, { headers: { Accept: accept } });
	});

	test('does not change the destination of a referral link', async () => {
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

test.each(named(WRITES.filter(isTracking)))('random headers: %s', async (_name, route) => {
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
