import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { anOutage } from '../support/bindings.ts';
import { daysAgo, linkIdOf, mintClickId } from '../support/clock.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { follow, type Followed } from '../support/follow.ts';
import { aClick, aFunnel, aPartner, type Funnel, rows, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

// GET /r/:short_link.

const PAGE = 'https://shop.example/sale?colour=red#offer';

let funnel: Funnel;
let path: string;
beforeAll(async () => {
	funnel = await aFunnel({ cookie_window_days: 45 });
	path = `/r/${funnel.shortLink}`;
	await leadTo(funnel, PAGE);
});

async function leadTo(of: Funnel, destination_url: string | null): Promise<void> {
	const link = `/api/v1/programs/${of.id}/links/${await linkIdOf(of)}`;
	const { status, text } = await api(link, { method: 'PATCH', token: of.owner.token, body: { destination_url } });
	if (status !== 200) throw new Error(text);
}

const clickIn = ({ location }: Followed) => location?.searchParams.get('tracker_click_id') ?? undefined;

describe('a visitor who follows a link', () => {
	test("is redirected to the destination, with the link's name and a click id", async () => {
		const followed = await follow(path);
		const [click] = followed.clicks;
		expect([followed.status, followed.body]).toEqual([302, '']);
		expect(followed.location?.href).toBe(
			`https://shop.example/sale?colour=red&aff=${funnel.shortLink}&tracker_click_id=${click?.clickId}#offer`,
		);
		expect(followed.headers.get('Cache-Control')).toBe('no-store');
		expect(followed.cookies).toEqual([]);
	});

	test('makes one click with the data of the request', async () => {
		const { clicks } = await follow(path, {
			Referer: 'https://blog.example/post',
			'Accept-Language': 'de-CH,de;q=0.9',
			'CF-IPCountry': 'CH',
			'User-Agent': `Mozilla/5.0 Firefox/140.0 ${'x'.repeat(600)}`,
		});
		expect(clicks).toEqual([
			expect.objectContaining({
				programId: funnel.id,
				isBot: false,
				isTest: false,
				pageUrl: null,
				referrerUrl: 'https://blog.example/post',
				language: 'de-CH',
				country: 'CH',
			}),
		]);
		expect(clicks[0]?.userAgent).toHaveLength(512);
	});

	test('stores only short parts of long headers', async () => {
		const long = 'x'.repeat(3_000);
		const { clicks } = await follow(path, {
			Referer: `https://blog.example/${long}`,
			'User-Agent': `Mozilla/5.0 Firefox/140.0 ${long}`,
			'Accept-Language': long,
		});
		expect([clicks[0]?.referrerUrl?.length, clicks[0]?.userAgent?.length, clicks[0]?.language?.length]).toEqual([512, 512, 35]);
	});

	test('stores nothing personal from the referring page', async () => {
		const { clicks } = await follow(path, { Referer: 'https://blog.example/post?email=ada@people.example&utm_source=news#top' });
		expect(clicks[0]?.referrerUrl).toBe('https://blog.example/post?utm_source=news');
	});

	test('earns the partner a commission by that click', async () => {
		const click_id = clickIn(await follow(path));
		const lead = await track('lead', { click_id, customer_key: unique('customer') }, funnel.apiToken);
		expect(lead.status).toBe(200);
	});

	test('is not counted again when the page reports the click', async () => {
		const existing_click_id = clickIn(await follow(path));
		const { body } = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, existing_click_id });
		expect(body['click_id']).toBe(existing_click_id);
	});

	test('keeps query parameters unless the destination sets them', async () => {
		const { location } = await follow(`${path}?utm_source=blog&colour=blue&aff=other&tracker_click_id=cust_1_1&x=a%26b&utm_source=2`);
		expect([...(location?.searchParams ?? [])]).toEqual([
			['colour', 'red'],
			['utm_source', 'blog'],
			['x', 'a&b'],
			['utm_source', '2'],
			['aff', funnel.shortLink],
			['tracker_click_id', expect.stringMatching(/^cust_\d+_\d+$/)],
		]);
	});

	test('keeps at most a hundred parameters of a query', async () => {
		const names = Array.from({ length: 4_000 }, (_, index) => `p${index}`);
		const { location, clicks } = await follow(`${path}?${names.join('=&')}=`);
		expect([...(location?.searchParams.keys() ?? [])]).toEqual(['colour', ...names.slice(0, 100), 'aff', 'tracker_click_id']);
		expect(clicks).toHaveLength(1);
	});

	test('costs one trip to D1 on a cold link, none on a warm one', async () => {
		const cold = `/r/${(await aPartner(funnel.owner, funnel.id)).shortLink}`;
		await env.DB.prepare('UPDATE referral_links SET destination_url = ? WHERE short_link = ?').bind(PAGE, cold.slice(3)).run();
		for (const trips of [1, 0, 0]) {
			const DB = countingTrips(env.DB);
			expect([(await follow(cold, {}, { bindings: { DB } })).status, DB.trips()]).toEqual([302, trips]);
		}
	});
});

describe('a request that is redirected but not counted, so that the page can count a real visitor', () => {
	test.each<[what: string, headers: Record<string, string>, method?: string]>([
		['HEAD', {}, 'HEAD'],
		['a bot', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
		['curl', { 'User-Agent': 'curl/8.5.0' }],
		['an HTTP library', { 'User-Agent': 'python-requests/2.32.3' }],
		['an empty user agent', { 'User-Agent': '' }],
		['a prefetch', { 'Sec-Purpose': 'prefetch' }],
		['a prerendered page', { 'Sec-Purpose': 'prefetch;prerender' }],
		['a prefetch by an earlier browser', { Purpose: 'prefetch' }],
		['a preview', { Purpose: 'preview' }],
		['an image', { 'Sec-Fetch-Dest': 'image' }],
		['a frame', { 'Sec-Fetch-Dest': 'iframe' }],
		['a script', { 'Sec-Fetch-Dest': 'empty' }],
		['Global Privacy Control', { 'Sec-GPC': '1' }],
	])('%s', async (_what, headers, method = 'GET') => {
		const followed = await follow(path, headers, { method });
		expect([followed.status, followed.location?.href, followed.clicks, followed.cookies]).toEqual([
			302,
			`https://shop.example/sale?colour=red&aff=${funnel.shortLink}#offer`,
			[],
			[],
		]);
	});

	test('a normal visit is counted', async () => {
		const { clicks } = await follow(path, { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate', 'Sec-GPC': '0' });
		expect(clicks).toHaveLength(1);
	});

	test('a visitor whose click cannot be recorded', async () => {
		await aClick(funnel);
		const log = vi.spyOn(console, 'error').mockReturnValue();
		const followed = await follow(path, {}, { bindings: { CLICKS: anOutage(env.CLICKS), DB: anOutage(env.DB) } });
		expect([followed.status, clickIn(followed), followed.location?.searchParams.get('aff')]).toEqual([302, undefined, funnel.shortLink]);
		expect(log).toHaveBeenCalledWith(expect.stringContaining('redirect_not_counted'));
		log.mockRestore();
	});
});

describe('a link without a destination: 404', () => {
	const UNKNOWN = { error: 'Referral link not found' };

	test.each(['/r/nobody-has-this', `/r/${'x'.repeat(65)}`, '/r/a%00b', '/r/%ff', '/r/a.b', "/r/'%20OR%201=1"])('%s', async (unknown) => {
		const { status, body, clicks } = await follow(unknown);
		expect([status, JSON.parse(body), clicks]).toEqual([404, UNKNOWN, []]);
	});

	test('an invalid short_link is not looked up', async () => {
		const DB = countingTrips(env.DB);
		await follow('/r/a%00b', {}, { bindings: { DB } });
		expect(DB.trips()).toBe(0);
	});

	test.each(['archived', 'suspended', 'inactive', 'ended'])('one that has become %s', async (what) => {
		const other = await aFunnel();
		await leadTo(other, PAGE);
		expect((await follow(`/r/${other.shortLink}`)).status).toBe(302);
		const program = `/api/v1/programs/${other.id}`;
		const changes = {
			archived: { path: `${program}/links/${await linkIdOf(other)}`, method: 'PATCH', body: { archived: true } },
			suspended: { path: `${program}/partners/${other.partnerId}`, method: 'PATCH', body: { status: 'suspended' } },
			inactive: { path: program, method: 'PATCH', body: { active: false } },
			ended: { path: `${program}/partners/${other.partnerId}`, method: 'DELETE' },
		}[what];
		if (!changes) throw new Error(what);
		await api(changes.path, { ...changes, token: other.owner.token });
		const { status, body, clicks } = await follow(`/r/${other.shortLink}`);
		expect([status, JSON.parse(body), clicks]).toEqual([404, UNKNOWN, []]);
	});

	test('without a destination it leads to the domain of its program', async () => {
		const other = await aFunnel({ domain: 'teapots.example' });
		const { location, clicks } = await follow(`/r/${other.shortLink}`);
		expect(location?.href).toBe(`https://teapots.example/?aff=${other.shortLink}&tracker_click_id=${clicks[0]?.clickId}`);
	});

	test('without a domain either, the error says what to do, and nothing is counted', async () => {
		const other = await aFunnel();
		const { status, body, clicks } = await follow(`/r/${other.shortLink}`);
		expect([status, JSON.parse(body), clicks]).toEqual([
			404,
			{ error: 'This referral link has no destination yet. Set its destination_url or the domain of its program' },
			[],
		]);
	});

	test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'no url', ''])(
		'one with an unsafe destination in the database (%s)',
		async (bad) => {
			const other = await aFunnel();
			await env.DB.prepare('UPDATE referral_links SET destination_url = ? WHERE short_link = ?').bind(bad, other.shortLink).run();
			expect((await follow(`/r/${other.shortLink}`)).status).toBe(404);
		},
	);

	test('POST is refused', async () => {
		const { status, headers, body } = await follow(path, {}, { method: 'POST' });
		expect([status, headers.get('Allow'), JSON.parse(body)]).toEqual([405, 'GET', { error: expect.any(String) }]);
	});
});

describe('on the shop’s own domain', () => {
	const shop = `${unique('shop')}.example`;
	let own: Funnel;
	beforeAll(async () => {
		own = await aFunnel({ domain: `www.${shop}`, cookie_window_days: 30 });
	});
	const followed = (host: string, headers: Record<string, string> = {}) => follow(`/r/${own.shortLink}`, headers, { host });
	const cookiesOf = (clickId: string | undefined) => {
		const attributes = `Path=/; Domain=${shop}; Max-Age=2592000; SameSite=Lax; Secure`;
		return [`tracker_click_id=${clickId}; ${attributes}`, `tracker_aff=${own.shortLink}; ${attributes}`];
	};

	test.each(['', 'www.', 'go.', 'a.b.'])('the redirect sets the cookies: %s', async (prefix) => {
		const { cookies, location } = await followed(`${prefix}${shop}`);
		expect(cookies).toEqual(cookiesOf(location?.searchParams.get('tracker_click_id') ?? undefined));
	});

	test('the host that a proxy forwards counts', async () => {
		const { cookies } = await followed('service.test', { 'X-Forwarded-Host': `WWW.${shop}:443, inner.example` });
		expect(cookies).toHaveLength(2);
	});

	test.each(['service.test', `not${shop}`, `${shop}.evil.example`])('on any other host it does not: %s', async (host) => {
		expect((await followed(host)).cookies).toEqual([]);
		expect((await followed('service.test', { 'X-Forwarded-Host': host })).cookies).toEqual([]);
	});

	test('a visitor with a click of this link is not counted again', async () => {
		const existing = await mintClickId(await linkIdOf(own));
		const again = await followed(shop, { Cookie: `a=b; tracker_click_id=${existing}; c=d` });
		expect([clickIn(again), again.clicks, again.cookies]).toEqual([existing, [], cookiesOf(existing)]);
	});

	test.each([
		['on another link', async () => mintClickId(await linkIdOf(funnel))],
		['from long ago', async () => mintClickId(await linkIdOf(own), { clickedAt: daysAgo(31) })],
		['with an invented id', async () => 'cust_1_1'],
		['with an invalid id', async () => '<script>'],
	])('a visitor with a click %s is counted', async (_what, existingOf) => {
		const { clicks } = await followed(shop, { Cookie: `tracker_click_id=${await existingOf()}` });
		expect(clicks).toHaveLength(1);
	});
});

test("the click appears in the program's events", async () => {
	const response = await import('cloudflare:workers').then(({ exports }) =>
		exports.default.fetch(`https://service.test${path}`, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } }),
	);
	const clickId = new URL(response.headers.get('Location') ?? '').searchParams.get('tracker_click_id');
	await vi.waitFor(
		async () => {
			expect(await rows('SELECT is_bot FROM affiliate_click_events WHERE click_id = ?', clickId)).toEqual([{ is_bot: 0 }]);
		},
		{ timeout: 300_000, interval: 50 },
	);
});
