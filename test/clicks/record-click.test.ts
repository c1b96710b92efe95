import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClickJob } from '../../src/job.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { anOutage, trackWith } from '../support/bindings.ts';
import { daysAgo, linkIdOf, mintClickId } from '../support/clock.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { deliver } from '../support/deliver.ts';
import { aClick, aFunnel, aPartner, type Funnel, rows, track } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

// What happens to clicks after they are accepted (decisions 1, 9 and 30).

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ cookie_window_days: 45 });
});

const pageOf = (shortLink: string) => `https://shop.example/landing?aff=${shortLink}`;
const click = (body: object, headers?: Record<string, string>) =>
	track('click', { affiliate_url: pageOf(funnel.shortLink), ...body }, undefined, headers);
/** The queue consumer records it within 10 s (decision 23). */
const rowOf = (clickId: unknown) =>
	vi.waitFor(
		async () => {
			const [row] = await rows('SELECT * FROM affiliate_click_events WHERE click_id = ?', clickId);
			if (!row) throw new Error(`The click ${String(clickId)} has no row yet`);
			return row;
		},
		{ timeout: 300_000, interval: 50 },
	);

describe('the details of the page are cut, and never refuse a click', () => {
	/** Bytes of UTF-8. */
	const LIMITS = { page_url: 512, page_title: 300, referrer_url: 512, session_id: 128, user_agent: 512, language: 35, timezone: 64 };

	const same = (value: unknown) => Object.fromEntries(Object.keys(LIMITS).map((field) => [field, value]));
	test('to their limits', async () => {
		expect(kept(await jobOf(same('x'.repeat(3000)))).map((text) => text?.length)).toEqual(Object.values(LIMITS));
	});

	test.each(['é', '€', '😀', '\ud800'])('in bytes, between characters: %j', async (character) => {
		const width = new TextEncoder().encode(character).length;
		const cut = kept(await jobOf(same(character.repeat(600))));
		expect(cut).toEqual(Object.values(LIMITS).map((limit) => character.toWellFormed().repeat(Math.floor(limit / width))));
	});

	test('so the longest row is small', async () => {
		const { body } = await click(same('€'.repeat(3000)), { 'CF-IPCountry': 'DE' });
		const row = await rowOf(body['click_id']);
		expect(new TextEncoder().encode(Object.values(row).join('')).length).toBeLessThan(2_300);
	});

	test.each([42, true, null, {}, [], ''])('%j counts as missing', async (value) => {
		expect(kept(await jobOf(same(value)))).toEqual([null, null, null, null, null, null, null]);
	});

	test('a lone surrogate, NUL, and a pair that the limit splits become storable text', async () => {
		expect(kept(await jobOf(same('a\ud800b\u0000c')))).toEqual(Object.keys(LIMITS).map(() => 'a\ufffdbc'));
		expect((await jobOf({ language: `${'x'.repeat(34)}😀` })).language).toBe('x'.repeat(34));
		expect((await jobOf({ page_title: '\u0000' })).pageTitle).toBeNull();
		const { body } = await click(same('\udfff\u0000😀\u0001"\\'));
		expect(await rowOf(body['click_id'])).toMatchObject({ page_url: '\ufffd😀\u0001"\\', timezone: '\ufffd😀\u0001"\\' });
	});

	test('addresses lose the personal parts of their query, from any source', async () => {
		const query = `aff=${funnel.shortLink}&utm_source=news&email=ada%40people.example&token=s3cret&utm_term=ada@people.example`;
		const address = `https://ada:s3cret@shop.example/landing?${query}#access_token=s3cret`;
		const job = await jobOf({ affiliate_url: address, page_url: address, referrer_url: address });
		const wanted = `https://shop.example/landing?aff=${funnel.shortLink}&utm_source=news`;
		expect([job.pageUrl, job.referrerUrl]).toEqual([wanted, wanted]);
		expect(JSON.stringify(job)).not.toMatch(/ada|s3cret/);
	});

	test('an address is cut to its limit after its query, so half of a personal value is never stored', async () => {
		const long = `https://shop.example/${'x'.repeat(470)}?utm_content=ada%40people.example&utm_source=news`;
		expect((await jobOf({ page_url: long })).pageUrl).toBe(`https://shop.example/${'x'.repeat(470)}?utm_source=news`);
	});

	test('the user agent is the header if the body has none, and is cut too', async () => {
		const agent = 'Mozilla/5.0 Firefox/140.0';
		expect((await jobOf({}, { 'User-Agent': agent })).userAgent).toBe(agent);
		expect((await jobOf({ user_agent: 'From the body' }, { 'User-Agent': agent })).userAgent).toBe('From the body');
		expect((await jobOf({}, { 'User-Agent': 'x'.repeat(2000) })).userAgent).toHaveLength(512);
	});

	test('the country comes from the platform: two letters or nothing', async () => {
		expect((await jobOf({}, { 'CF-IPCountry': 'T1' })).country).toBe('T1');
		expect((await jobOf({})).country).toBeNull();
		expect((await jobOf({}, { 'CF-IPCountry': 'x'.repeat(500) })).country).toBeNull();
	});

	test('other fields are ignored', async () => {
		const job = await jobOf({ click_id: 'cust_1_1', clicked_at: 1, is_bot: true, program_id: 1, country: 'XX', __proto__: { x: 1 } });
		expect(job).toMatchObject({ programId: funnel.id, isBot: false, country: null });
		expect(job.clickId).not.toBe('cust_1_1');
	});

	test("the visitor's IP address is not in the row", async () => {
		const job = await jobOf({}, { 'CF-Connecting-IP': '203.0.113.77', 'X-Forwarded-For': '203.0.113.77' });
		expect(JSON.stringify(job)).not.toContain('203.0.113');
	});

	test.each([
		['short', 0],
		['long', 1],
	])("100 clicks with details as %s as possible are written in one trip, within D1's limit of parameters", async (_what, length) => {
		const job = await jobOf(Object.fromEntries(Object.entries(LIMITS).map(([field, limit]) => [field, '\u0001'.repeat(limit * length)])));
		// This delivery caches the time zone.
		await deliver('affiliate-clicks', [{ body: job }]);
		const ids = await Promise.all(Array.from({ length: 100 }, (_, nonce) => mintClickId(job.referralLinkId, { nonce })));
		const DB = countingTrips(env.DB);
		const { acked } = await deliver(
			'affiliate-clicks',
			ids.map((clickId) => ({ body: { ...job, clickId } })),
			{ DB },
		);
		expect(acked).toHaveLength(100);
		expect(DB.trips()).toBe(1);
		expect(
			await rows(
				'SELECT count(*) AS n FROM affiliate_click_events WHERE click_id IN (SELECT value FROM json_each(?))',
				JSON.stringify(ids),
			),
		).toEqual([{ n: 100 }]);
	});
});

test('an impossible host is refused', async () => {
	const { status, body } = await click({ affiliate_url: `https://${'一'.repeat(4_000)}/?aff=${funnel.shortLink}` });
	expect([status, body]).toEqual([400, { error: 'Invalid affiliate_url' }]);
});

describe('bots', () => {
	test.each<[agent: string, isBot: boolean]>([
		['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
		['Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36 (compatible; bingbot/2.0)', true],
		['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36', true],
		['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', false],
		['Googlebot/2.1 (+http://www.google.com/bot.html)', false],
		['curl/8.5.0', false],
		['node', false],
		['python-requests/2.32.3', false],
		['Go-http-client/2.0', false],
		['okhttp/4.12.0', false],
		['axios/1.7.9', false],
	])('%s: %s', async (agent, isBot) => {
		expect(await jobOf({}, { 'User-Agent': agent })).toMatchObject({ userAgent: agent, isBot });
		expect(await jobOf({ user_agent: agent }, { 'User-Agent': 'node' })).toMatchObject({ userAgent: agent, isBot });
	});
});

describe('existing_click_id', () => {
	test('of the same link is kept, and no second click is counted', async () => {
		const clickId = await aClick(funnel);
		expect(await again(clickId)).toEqual({ id: clickId, isCounted: false });
	});

	test('is kept inside the window, to its last day', async () => {
		const linkId = await linkIdOf(funnel);
		const recent = await mintClickId(linkId, { clickedAt: daysAgo(44.9) });
		expect(await again(recent)).toEqual({ id: recent, isCounted: false });
		const expired = await mintClickId(linkId, { clickedAt: daysAgo(45.1) });
		expect(await again(expired)).toEqual({ id: expect.not.stringMatching(expired), isCounted: true });
	});

	test('is kept if an earlier secret signed it', async () => {
		const clickId = await mintClickId(await linkIdOf(funnel), { secret: 'test-secret-earlier-0002' });
		expect(await again(clickId)).toEqual({ id: clickId, isCounted: false });
	});

	test('signed with a removed secret is kept if the click is stored', async () => {
		const linkId = await linkIdOf(funnel);
		const parts = { secret: 'a-secret-that-is-gone', clickedAt: daysAgo(3) };
		const unstored = await mintClickId(linkId, parts);
		expect(await again(unstored)).toEqual({ id: expect.not.stringMatching(unstored), isCounted: true });
		const stored = await mintClickId(linkId, parts);
		await storeRow(stored, funnel.id, linkId, parts.clickedAt);
		expect(await again(stored)).toEqual({ id: stored, isCounted: false });
	});

	test('of another link, another program or a test click makes a new click: last touch', async () => {
		const clickId = await aClick(funnel);
		const { shortLink } = await aPartner(funnel.owner, funnel.id);
		expect(await again(clickId, { ...funnel, shortLink })).toEqual({ id: expect.not.stringMatching(clickId), isCounted: true });
		expect(await again(clickId, await aFunnel())).toEqual({ id: expect.not.stringMatching(clickId), isCounted: true });
		const testClick = await mintClickId(await linkIdOf(funnel), { isTest: true });
		expect(await again(testClick)).toEqual({ id: expect.not.stringMatching(testClick), isCounted: true });
	});

	test.each([null, 42, {}, '', 'nonsense', 'cust_1_1', 'cust_01_1', 'cust_9007199254740993_1', '\ud800', 'x'.repeat(5000)])(
		'%j makes a new click',
		async (existing) => {
			expect(await again(existing)).toEqual({ id: expect.stringMatching(/^cust_/), isCounted: true });
		},
	);
});

describe('during an outage', () => {
	test('of the queue the row is written directly', async () => {
		const { status, body } = await trackWith({ CLICKS: anOutage(env.CLICKS) }, 'click', { affiliate_url: pageOf(funnel.shortLink) });
		expect(status).toBe(200);
		expect(await rows('SELECT is_test FROM affiliate_click_events WHERE click_id = ?', body['click_id'])).toEqual([{ is_test: 0 }]);
	});

	test('of the database a cached link still counts, another one answers 500', async () => {
		await aClick(funnel);
		expect((await trackWith({ DB: anOutage(env.DB) }, 'click', { affiliate_url: pageOf(funnel.shortLink) })).status).toBe(200);
		const cold = await trackWith({ DB: anOutage(env.DB) }, 'click', { affiliate_url: pageOf(unique('cold')) });
		expect([cold.status, cold.body]).toEqual([500, { error: 'Click tracking failed' }]);
		expect(cold.headers.get('X-Request-Id')).toBeTruthy();
	});

	test('without secrets every answer is still a valid error of the contract', async () => {
		const broken = await trackWith({ SECRETS: 'short' }, 'click', { affiliate_url: pageOf(funnel.shortLink) });
		expect([broken.status, broken.body]).toEqual([500, { error: expect.any(String) }]);
	});
});

async function jobOf(body: object, headers: Record<string, string> = {}) {
	const CLICKS = holdingQueue<ClickJob>();
	const { status } = await trackWith({ CLICKS }, 'click', { affiliate_url: pageOf(funnel.shortLink), ...body }, headers);
	expect(status).toBe(200);
	const [job] = CLICKS.held;
	if (!job) throw new Error('The click was not queued');
	return job;
}

const kept = (job: Awaited<ReturnType<typeof jobOf>>) => [
	job.pageUrl,
	job.pageTitle,
	job.referrerUrl,
	job.sessionId,
	job.userAgent,
	job.language,
	job.timezone,
];

/** The same visitor returns with the previous id. */
async function again(existing_click_id: unknown, of: Funnel = funnel) {
	const CLICKS = holdingQueue<ClickJob>();
	const answer = await trackWith({ CLICKS }, 'click', { affiliate_url: pageOf(of.shortLink), existing_click_id });
	expect(answer.status).toBe(200);
	return { id: answer.body['click_id'], isCounted: CLICKS.held.length === 1 };
}

async function storeRow(clickId: string, programId: number, linkId: number, clickedAt: number): Promise<void> {
	await env.DB.prepare(
		`INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
		VALUES (?, 0, ?, ?, 0, 0, ?, ?)`,
	)
		.bind(clickId, programId, linkId, clickedAt, new Date(clickedAt).toISOString().slice(0, 10))
		.run();
}
