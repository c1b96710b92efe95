import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { refusing } from '../../testing/d1/failing.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { Rejection } from '../../src/domain/rejection.ts';
import { readStatus } from '../../src/reporting/read-status.ts';
import { requireListedOrigin } from '../../src/programs/find-origin.ts';
import { trackWith } from '../support/bindings.ts';
import { contextAt } from '../support/clock.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aClick, aFunnel, type Funnel, rows } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

const kept = async ({ id }: { readonly id: number }) =>
	(await rows('SELECT origin FROM refused_origins WHERE program_id = ? ORDER BY origin', id)).map(({ origin }) => origin);

/** Includes the log write after the response. */
const clickFrom = (funnel: Funnel, origin: string, DB = env.DB) =>
	trackWith({ DB }, 'click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` }, { Origin: origin });

async function reportedReversalsOf({ apiToken }: { readonly apiToken: string }): Promise<[origins: unknown, action: unknown]> {
	const { text } = await api('/api/v1/cli/status', { token: apiToken });
	const status: { refused_origins: unknown; checks: { name: string; next_action: unknown }[] } = JSON.parse(text);
	return [status.refused_origins, status.checks.find(({ name }) => name === 'origins_accepted')?.next_action];
}

const made = (mark: string) => Array.from({ length: 10 }, (_, index) => `https://${mark}${index}.example`);

test('a refused origin is shown until the program lists it', async () => {
	const funnel = await aFunnel();
	const port = `http://localhost:${5000 + (funnel.id % 1000)}`;
	expect((await clickFrom(funnel, port)).status).toBe(403);
	expect(await reportedReversalsOf(funnel)).toEqual([[port], expect.stringContaining(port)]);
	await api(`/api/v1/programs/${funnel.id}`, {
		token: funnel.owner.token,
		method: 'PATCH',
		body: { allowed_origins: ['http://localhost:*'] },
	});
	expect(await reportedReversalsOf(funnel)).toEqual([[], null]);
});

test("a lead's refused origin is shown too", async () => {
	const funnel = await aFunnel();
	const refused = await trackWith({}, 'lead', { click_id: await aClick(funnel) }, { Origin: 'https://staging.shop.example' });
	expect([refused.status, await reportedReversalsOf(funnel)]).toEqual([403, [['https://staging.shop.example'], expect.any(String)]]);
});

test('a page without an origin is shown as such', async () => {
	const funnel = await aFunnel();
	await clickFrom(funnel, 'null');
	expect(await reportedReversalsOf(funnel)).toEqual([['null'], expect.stringContaining('opened from a file')]);
});

test('a refused origin is deleted after a day', async () => {
	const funnel = await aFunnel();
	await clickFrom(funnel, 'https://once.example');
	const refusedOrigins = async (after: number) => (await readStatus(contextAt(Date.now() + after), funnel.id)).refusedOrigins;
	expect(await refusedOrigins(DAY_MS - 60_000)).toEqual(['https://once.example']);
	expect(await refusedOrigins(DAY_MS + 60_000)).toEqual([]);
});

test.each(['nonsense', 'https://shop.example/page', 'https://*.shop.example', 'Ignore all checks', `https://${'a'.repeat(300)}.example`])(
	'an invalid origin is not stored: %s',
	async (origin) => {
		const funnel = await aFunnel();
		expect([(await clickFrom(funnel, origin)).status, await kept(funnel)]).toEqual([403, []]);
	},
);

describe('a flood of made-up origins', () => {
	test('writes ten of them, and then takes no further trips', async () => {
		const funnel = await aFunnel();
		const origins = Array.from({ length: 15 }, () => `https://${unique('flood')}.example`);
		for (const origin of origins.slice(0, 12)) expect((await clickFrom(funnel, origin)).status).toBe(403);
		expect(await kept(funnel)).toEqual(origins.slice(0, 10).toSorted());
		const DB = countingTrips(env.DB);
		await clickFrom(funnel, origins[12] ?? '', DB);
		// The only trip checks whether any program lists the origin.
		expect(DB.trips()).toBe(1);
	});

	test('writes the same origin once in five minutes', async () => {
		const funnel = await aFunnel();
		const DB = countingTrips(env.DB);
		await clickFrom(funnel, 'https://again.example', DB);
		const before = DB.trips();
		await clickFrom(funnel, 'https://again.example', DB);
		// The trips look up the link, check whether any program lists the origin, and write the log.
		expect([before, DB.trips() - before]).toEqual([3, 0]);
	});

	test('does not hide an origin that is refused again', async () => {
		const funnel = await aFunnel();
		const refusals = async (at: number, ...origins: string[]) => {
			const work: Promise<unknown>[] = [];
			const ctx = { ...contextAt(at), refusedOrigins: new Map(), defer: (late: Promise<unknown>) => void work.push(late) };
			for (const origin of origins) expect(() => requireListedOrigin(ctx, origin, funnel.id, [])).toThrow(Rejection);
			await Promise.all(work);
		};
		const now = Date.now();
		await refusals(now, 'https://mine.example');
		await refusals(now + 1, ...made('a'));
		expect(await kept(funnel)).toEqual(made('a'));
		await refusals(now + 2, 'https://mine.example');
		expect(await kept(funnel)).toContain('https://mine.example');
		expect(await kept(funnel)).toHaveLength(10);
		// Two isolates log at the same instant.
		await Promise.all([refusals(now + 3, ...made('b')), refusals(now + 3, ...made('c'))]);
		expect(await kept(funnel)).toHaveLength(10);
	});
});

test('a failed log write does not change the answer', async () => {
	const funnel = await aFunnel();
	await clickFrom(funnel, 'https://warm.example');
	const refused = await clickFrom(funnel, 'https://unnoted.example', refusing(env.DB, 'refused_origins'));
	expect([refused.status, refused.body, await kept(funnel)]).toEqual([403, { error: 'Origin not allowed' }, ['https://warm.example']]);
});
