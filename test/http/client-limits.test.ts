import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, callWith, trackWith, withinOneWindow } from '../support/bindings.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aFunnel, type Funnel } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

// What counts as one client of a rate limit, and which lookups a limit prevents. LOW_LIMIT (vitest.config.ts) allows 3 calls in 60 s.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const click = () => ({ affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });

function clicksFrom(senders: readonly Record<string, string>[], bindings: object = {}): Promise<number[]> {
	return withinOneWindow(async () => {
		const statuses: number[] = [];
		for (const headers of senders)
			statuses.push((await trackWith({ BROWSER_LIMIT: env.LOW_LIMIT, ...bindings }, 'click', click(), headers)).status);
		return statuses;
	});
}

const group = () => Math.floor(Math.random() * 65_536).toString(16);
const from = (address: string) => ({ 'CF-Connecting-IP': address });

describe('an IPv6 client', () => {
	test('has one limit for all its 2^64 addresses, in any notation', async () => {
		const network = `2001:db8:${group()}:${group()}`;
		const addresses = [`${network}::1`, `${network.toUpperCase()}:FFFF:1:2:3`, `${network}:0:0:0:4`, `${network}::abcd`];
		expect(await clicksFrom(addresses.map(from))).toEqual([200, 200, 200, 429]);
		expect(await clicksFrom([from(`2001:db8:${group()}:${group()}::1`)])).toEqual([200]);
	});

	test('that contains an IPv4 address counts as that address', async () => {
		const last = `${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
		expect(await clicksFrom([`198.18.${last}`, `::ffff:198.18.${last}`, `::FFFF:198.18.${last}`, `198.18.${last}`].map(from))).toEqual([
			200, 200, 200, 429,
		]);
	});
});

describe("behind a shop's proxy", () => {
	const PROXY_SECRET = 'the proxy of this shop';
	const proxied = (visitor: string, proxy: string, secret = PROXY_SECRET) => ({
		...from(proxy),
		'X-Forwarded-For': visitor,
		'X-Proxy-Secret': secret,
	});

	test('each visitor has their own limit, if the proxy sends its secret', async () => {
		const proxy = unique('proxy');
		const visitors = Array.from({ length: 5 }, () => unique('visitor'));
		expect(
			await clicksFrom(
				visitors.map((visitor) => proxied(visitor, proxy)),
				{ PROXY_SECRET },
			),
		).toEqual([200, 200, 200, 200, 200]);
	});

	test("a visitor's invented entries do not count: the last entry is the proxy’s", async () => {
		const [proxy, visitor] = [unique('proxy'), unique('visitor')];
		const forged = [1, 2, 3, 4].map((turn) => proxied(`${unique('made-up')}, ${visitor}${turn % 2 ? `, ${proxy}` : ''}`, proxy));
		expect(await clicksFrom(forged, { PROXY_SECRET })).toEqual([200, 200, 200, 429]);
	});

	test.each<[what: string, secret: string, bindings: object]>([
		['without the secret', '', { PROXY_SECRET }],
		['with a wrong one', 'the proxy of this shoq', { PROXY_SECRET }],
		['with the beginning of the secret', 'the proxy', { PROXY_SECRET }],
		['if the service has no secret', PROXY_SECRET, {}],
		['if the service has an empty secret', '', { PROXY_SECRET: '' }],
	])('%s, X-Forwarded-For is not trusted', async (_what, secret, bindings) => {
		const proxy = unique('proxy');
		const statuses = await clicksFrom(
			[1, 2, 3, 4].map(() => proxied(unique('visitor'), proxy, secret)),
			bindings,
		);
		expect(statuses).toEqual([200, 200, 200, 429]);
	});
});

describe('unknown program keys', () => {
	const limited = { KEY_LIMIT: env.LOW_LIMIT };
	const lead = (key: string, address: string, bindings: object = {}) =>
		trackWith({ ...limited, ...bindings }, 'lead', { customer_key: unique('c') }, { ...bearer(key), ...from(address) });

	/** It has guessed so many keys that it is refused without a lookup. */
	async function aGuesser(): Promise<string> {
		const address = unique('guesser');
		const statuses: number[] = [];
		for (let guess = 0; guess < 6; guess += 1) statuses.push((await lead(unique('prg'), address)).status);
		expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
		return address;
	}

	test('are counted per address, and no longer looked up: no trip to D1', async () => {
		await withinOneWindow(async () => {
			const address = await aGuesser();
			const DB = countingTrips(env.DB);
			const refused = await lead(unique('prg'), address, { DB });
			expect([refused.status, refused.headers.get('Retry-After'), DB.trips()]).toEqual([429, '60', 0]);
			for (const path of ['/api/v1/cli/status', '/api/v1/cli/events']) {
				expect((await callWith({ ...limited, DB }, path, { token: unique('prg'), headers: from(address) })).status).toBe(429);
			}
			expect(DB.trips()).toBe(0);
			expect((await lead(unique('prg'), unique('other'))).status).toBe(401);
		});
	});

	test('do not slow down a valid key, even from the same address, which uses no limit', async () => {
		await withinOneWindow(async () => {
			const asked: string[] = [];
			const KEY_LIMIT = {
				limit: ({ key }: RateLimitOptions) => {
					asked.push(key);
					return env.LOW_LIMIT.limit({ key });
				},
			};
			expect((await lead(funnel.apiToken, unique('shop'), { KEY_LIMIT })).status).toBe(200);
			const address = await aGuesser();
			for (let call = 0; call < 5; call += 1) expect((await lead(funnel.apiToken, address, { KEY_LIMIT })).status).toBe(200);
			expect(asked).toEqual([]);
		});
	});
});

describe('session routes', () => {
	test.each(['/api/v1/me', '/api/v1/programs', '/api/tracking/events/1', '/api/tracking/performance/1'])(
		'%s is limited per address, before the session is looked up',
		async (path) => {
			await withinOneWindow(async () => {
				const headers = from(unique('address'));
				const limited = { SESSION_LIMIT: env.LOW_LIMIT };
				const ask = (bindings: object = {}) => callWith({ ...limited, ...bindings }, path, { token: unique('ses'), headers });
				const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status);
				expect(statuses).toEqual([401, 401, 401]);
				const DB = countingTrips(env.DB);
				const refused = await ask({ DB });
				expect([refused.status, refused.headers.get('Retry-After'), DB.trips()]).toEqual([429, '60', 0]);
			});
		},
	);

	test('a request counts once, even if it needs its session twice', async () => {
		await withinOneWindow(async () => {
			const headers = from(unique('address'));
			const bindings = { SESSION_LIMIT: env.LOW_LIMIT };
			for (let call = 0; call < 3; call += 1) {
				const { status } = await callWith(bindings, '/api/v1/auth/sign-out', { token: unique('ses'), headers, body: {} });
				expect(status).toBe(401);
			}
			const report = await callWith(bindings, '/api/tracking/performance/nonsense', {
				token: funnel.owner.token,
				headers: from(unique('address')),
			});
			expect(report.status).toBe(400);
		});
	});
});

test('webhooks are limited per address, even for different programs', async () => {
	await withinOneWindow(async () => {
		const DB = countingTrips(env.DB);
		const headers = { ...from(unique('address')), 'Stripe-Signature': 't=1,v1=a' };
		const statuses: number[] = [];
		for (const program of [1, 2, 3, 4, 5]) {
			const path = `/webhooks/stripe/${program + 900_000_000}`;
			statuses.push((await callWith({ DB, SERVER_LIMIT: env.LOW_LIMIT }, path, { headers, body: {} })).status);
		}
		expect([statuses, DB.trips()]).toEqual([[404, 404, 404, 429, 429], 3]);
	});
});
