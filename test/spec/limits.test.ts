import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { bearer, trackWith, withinOneWindow } from '../support/bindings.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { follow } from '../support/follow.ts';
import { aClick, aFunnel, type Funnel, sharedOwner, type Tracked, track } from '../support/funnel.ts';
import { aProgram, unique } from '../support/world.ts';

// Contract, section 8; decisions 30 and 31. LOW_LIMIT (vitest.config.ts) allows 3 calls in 60 s.

const CALLS = 4;
const REFUSED = { error: 'Too many requests. Wait 60 seconds and try again.' };

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ allowed_origins: ['https://limited.example'] });
});

/** One after another. */
function serialized(calls: number, call: (turn: number) => Promise<Tracked>): Promise<Tracked[]> {
	return withinOneWindow(async () => {
		const answers: Tracked[] = [];
		for (let turn = 0; turn < calls; turn += 1) answers.push(await call(turn));
		return answers;
	});
}

const statusesOf = (answers: Tracked[]) => answers.map(({ status }) => status);
const visitor = (headers: Record<string, string> = {}) => ({ 'CF-Connecting-IP': unique('visitor'), ...headers });
const pageOf = ({ shortLink }: { shortLink: string }) => ({ affiliate_url: `https://shop.example/?aff=${shortLink}` });

const LIMIT = 64 * 1024;

function ofSize(fields: object, bytes: number): string {
	const json = JSON.stringify({ ...fields, pad: '' });
	return json.replace('"pad":""', `"pad":"${'x'.repeat(bytes - json.length)}"`);
}

describe('the browser routes, per address', () => {
	const limited = { BROWSER_LIMIT: env.LOW_LIMIT };

	test('one click too many: 429 with Retry-After', async () => {
		const from = visitor();
		const answers = await serialized(CALLS, () => trackWith(limited, 'click', pageOf(funnel), from));
		expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
		expect(answers[3]?.body).toEqual(REFUSED);
		expect(answers[3]?.headers.get('Retry-After')).toBe('60');
	});

	test('the limit is checked before the link and the body', async () => {
		const from = visitor();
		const DB = countingTrips(env.DB);
		await serialized(CALLS, () => trackWith(limited, 'click', {}, from));
		for (const body of [pageOf({ shortLink: unique('cold') }), 'no json', {}])
			expect((await trackWith({ ...limited, DB }, 'click', body, from)).status).toBe(429);
		const headers = { ...from, Origin: `https://${unique('cold')}.example` };
		expect((await trackWith({ ...limited, DB }, 'click', pageOf(funnel), headers)).status).toBe(429);
		expect(DB.trips()).toBe(0);
	});

	test('a page of a listed origin may read the refusal', async () => {
		const from = visitor({ Origin: 'https://limited.example' });
		const answers = await serialized(CALLS, () => trackWith(limited, 'click', pageOf(funnel), from));
		expect(answers.map(({ status, headers }) => [status, headers.get('Access-Control-Allow-Origin')])).toEqual(
			[200, 200, 200, 429].map((status) => [status, 'https://limited.example']),
		);
	});

	test('another address has its own limit', async () => {
		const answers = await serialized(CALLS, () => trackWith(limited, 'click', pageOf(funnel), visitor()));
		expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
	});

	test('clicks and leads without a key count together', async () => {
		const from = visitor();
		const click_id = await aClick(funnel);
		const answers = await serialized(CALLS, (turn) =>
			turn < 2 ? trackWith(limited, 'click', pageOf(funnel), from) : trackWith(limited, 'lead', { click_id }, from),
		);
		expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
	});

	test('followed links count too: 429 before the link is looked up', async () => {
		const from = visitor();
		const DB = countingTrips(env.DB);
		await serialized(3, () => trackWith(limited, 'click', {}, from));
		const followed = await follow(`/r/${unique('cold')}`, from, { bindings: { ...limited, DB } });
		expect([followed.status, JSON.parse(followed.body), followed.headers.get('Retry-After'), DB.trips()]).toEqual([429, REFUSED, '60', 0]);
	});

	test('a lead with a key is exempt', async () => {
		const from = visitor(bearer(funnel.apiToken));
		const answers = await serialized(CALLS, () => trackWith(limited, 'lead', { customer_key: unique('c') }, from));
		expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
	});
});

describe('the server routes, per key', () => {
	const limited = { SERVER_LIMIT: env.LOW_LIMIT };
	const bodyOf = {
		lead: () => ({ customer_key: unique('c') }),
		sale: () => ({ transaction_id: unique('t'), amount_cents: 100, additional_data: { test_mode: true } }),
		refund: () => ({ transaction_id: unique('t') }),
	};

	test.each([
		['lead', 200],
		['sale', 200],
		['refund', 404],
	] as const)('one %s too many: 429 with Retry-After, from any address', async (route, status) => {
		const { apiToken } = await aProgram(await sharedOwner());
		const answers = await serialized(CALLS, () => trackWith(limited, route, bodyOf[route](), visitor(bearer(apiToken))));
		expect(statusesOf(answers)).toEqual([status, status, status, 429]);
		expect(answers[3]?.body).toEqual(REFUSED);
		expect(answers[3]?.headers.get('Retry-After')).toBe('60');
		const DB = countingTrips(env.DB);
		expect((await trackWith({ ...limited, DB }, route, bodyOf[route](), bearer(apiToken))).status).toBe(429);
		expect(DB.trips()).toBe(0);
	});

	test('the routes share a limit, and each key has its own', async () => {
		const owner = await sharedOwner();
		const [one, another] = [await aProgram(owner), await aProgram(owner)];
		const routes = ['lead', 'sale', 'refund', 'sale'] as const;
		const answers = await serialized(CALLS, (turn) => {
			const route = routes[turn] ?? 'sale';
			return trackWith(limited, route, bodyOf[route](), bearer(one.apiToken));
		});
		expect(statusesOf(answers)).toEqual([200, 200, 404, 429]);
		expect((await trackWith(limited, 'lead', bodyOf.lead(), bearer(another.apiToken))).status).toBe(200);
	});

	test('a header without a key does not count', async () => {
		const answers = await serialized(CALLS, () => trackWith(limited, 'lead', bodyOf.lead(), { Authorization: 'Basic x' }));
		expect(statusesOf(answers)).toEqual([401, 401, 401, 401]);
	});
});

describe('a body of more than 64 KiB', () => {
	const TOO_LARGE = { error: 'Request body is larger than 64 KiB.' };

	test.each(['click', 'lead', 'sale', 'refund'])('%s: 413', async (route) => {
		for (const body of [ofSize({}, LIMIT + 1), 'x'.repeat(3_000_000), 'ü'.repeat(LIMIT / 2 + 1)]) {
			const answer = await track(route, body, route === 'click' ? undefined : funnel.apiToken);
			expect([answer.status, answer.body]).toEqual([413, TOO_LARGE]);
		}
	});

	test('the limit is exact to the byte', async () => {
		expect((await track('click', ofSize(pageOf(funnel), LIMIT))).status).toBe(200);
		expect((await track('click', ofSize(pageOf(funnel), LIMIT + 1))).status).toBe(413);
	});

	test.each([
		['is read to its end, so that the sender receives the answer', 3_000_000, 3_000_000],
		['is not read forever', 1_000_000_000, 17_000_000],
	])('without a declared length: 413 as well; it %s', async (_what, size, most) => {
		let sent = 0;
		const body = new ReadableStream({
			pull(controller) {
				sent += 16_384;
				controller.enqueue(new Uint8Array(16_384).fill(32));
				if (sent >= size) controller.close();
			},
		});
		const request = new Request('http://service.test/api/v1/track/click', { method: 'POST', body });
		const response = await app.fetch(request, env, createExecutionContext());
		expect([response.status, await response.json()]).toEqual([413, TOO_LARGE]);
		expect(sent).toBeGreaterThanOrEqual(Math.min(size, most) - 1_000_000);
		expect(sent).toBeLessThan(most + 50_000);
	});
});
