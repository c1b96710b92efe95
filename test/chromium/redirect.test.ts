import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatClickId } from '../../src/domain/attribution/click-id.ts';
import { clickIdOn, complaintsOf, cookiesOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const PARTNER_PAGE = 'https://blog.example.org';
const HOUR_MS = 3_600_000;

const WATCH = `{
	const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
	window.written = [];
	Object.defineProperty(Document.prototype, 'cookie', { get, set(text) { window.written.push(text); set.call(this, text); } });
}`;
const writtenOn = (page: { evaluate(script: string): Promise<unknown> }) =>
	page.evaluate('window.written.filter((text) => /^tracker_click_id=cust/.test(text))');

function partnerPage(href: string): void {
	world.shop('blog.example.org', { pages: { '/': `<a href="${href}">A fine shop</a>` } });
}

describe('a link through the service’s redirect', () => {
	const SHOP = 'https://shop.example.co.uk';
	let funnel: Funnel;
	beforeAll(async () => {
		world.shop('shop.example.co.uk', { pages: { '/deals': pageWith() } });
		funnel = await world.funnel({ allowed_origins: [SHOP], cookie_window_days: 30 }, `${SHOP}/deals?colour=red#offer`);
	});

	test('is counted once, by the redirect, and the page’s script keeps that click', async () => {
		partnerPage(`${SERVICE}/r/${funnel.pat}?utm_source=blog`);
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const complaints = complaintsOf(page);
		await page.goto(PARTNER_PAGE);
		await page.click('a');
		await page.waitForURL(/\/deals/);
		const clickId = await clickIdOn(page);
		expect(page.url()).toBe(`${SHOP}/deals?colour=red&utm_source=blog&aff=${funnel.pat}#offer`);
		expect(await world.clicks(funnel)).toEqual([
			{ click_id: clickId, page_url: null, referrer_url: `${PARTNER_PAGE}/`, is_bot: 0, is_test: 0 },
		]);
		const { tracker_click_id: cookie, tracker_aff: partner } = await cookiesOf(visitor);
		expect([cookie, partner?.value]).toEqual([
			{ value: clickId, domain: '.example.co.uk', days: 30, secure: true, sameSite: 'Lax', httpOnly: false },
			funnel.pat,
		]);
		expect(complaints).toEqual([]);
	});

	test('keeps the click even if the service cannot confirm it', async () => {
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.route('**/api/**', (route) => route.abort());
		await page.goto(`${SERVICE}/r/${funnel.dana}`);
		const clickId = await clickIdOn(page);
		expect((await cookiesOf(visitor))['tracker_click_id']).toMatchObject({ value: clickId, days: 1 });
		expect((await world.clicks(funnel)).map(({ click_id }) => click_id)).toContain(clickId);
	});

	test('moves a visitor of another partner to the last one', async () => {
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/deals?aff=${funnel.pat}`);
		const first = await clickIdOn(page);
		await page.goto(`${SERVICE}/r/${funnel.dana}`);
		const second = await clickIdOn(page);
		const cookies = await cookiesOf(visitor);
		expect([second === first, cookies['tracker_click_id']?.value, cookies['tracker_aff']?.value]).toEqual([false, second, funnel.dana]);
	});
});

describe('an address with somebody else’s click id', () => {
	const SHOP = 'https://www.example.com';
	const shared = (funnel: Funnel, age: number, linkId = 1) => {
		const id = formatClickId({ referralLinkId: linkId, clickedAt: Date.now() - age, nonce: 1, isTest: false }, 1);
		return { id, address: `${SHOP}/?aff=${funnel.pat}&tracker_click_id=${id}` };
	};
	const filled = (text: string, id: string) => text.replace('%ID%', id).replace('%AFF%', funnel.pat);
	let funnel: Funnel;
	beforeAll(async () => {
		world.shop('www.example.com', { pages: { '/': pageWith() } });
		funnel = await world.funnel({ allowed_origins: [SHOP] });
	});

	test('does not work later: a new click is counted', async () => {
		const { id, address } = shared(funnel, 2 * HOUR_MS);
		const page = await (await world.visitor()).newPage();
		const since = world.network.seen.length;
		await page.goto(address);
		const clickId = await clickIdOn(page);
		expect(clickId).not.toBe(id);
		expect(JSON.parse(world.calls('click', since)[0]?.body ?? '')).not.toHaveProperty('existing_click_id');
		expect(page.url()).toBe(`${SHOP}/?aff=${funnel.pat}`);
	});

	test.each(['?tracker_click_id', '?tracker%5Fclick_id=x', '?tracker_click%5Fid=%ID%&aff=%AFF%'])(
		'(%s) in a form that the script cannot remove stays, and the page continues',
		async (query) => {
			const page = await (await world.visitor()).newPage();
			await page.addInitScript(`{
				const { replaceState } = History.prototype;
				window.replaced = 0;
				History.prototype.replaceState = function (...change) {
					window.replaced += 1;
					return replaceState.apply(this, change);
				};
			}`);
			await page.goto(SHOP + filled(`/${query}`, shared(funnel, 0).id));
			await clickIdOn(page);
			await page.evaluate("history.pushState(null, '', location.href)");
			await clickIdOn(page);
			expect(await page.evaluate('window.replaced')).toBe(0);
		},
	);

	test('that is invented is replaced by a real one', async () => {
		const { id, address } = shared(funnel, 0);
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(address);
		const clickId = await clickIdOn(page);
		expect(clickId).not.toBe(id);
		expect((await cookiesOf(visitor))['tracker_click_id']?.value).toBe(clickId);
	});

	test('does not replace an existing click', async () => {
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		const before = await cookiesOf(visitor);
		const { address } = shared(funnel, 0);
		await page.goto(address.replace(funnel.pat, 'nobody-has-this'));
		expect(await clickIdOn(page)).toBe(clickId);
		expect(await cookiesOf(visitor)).toEqual(before);
	});

	test.each([
		['?tracker_click_id=%ID%', ''],
		['?aff=%AFF%&tracker_click_id=%ID%&b=2#top', '?aff=%AFF%&b=2#top'],
		['?tracker_click_id=%ID%&aff=%AFF%', '?&aff=%AFF%'],
		['?aff=%AFF%&tracker_click_id=%ID%&tracker_click_id=x', '?aff=%AFF%'],
		['?aff=%AFF%&tracker_click_id=%3Cscript%3E', '?aff=%AFF%'],
		['?aff=%AFF%&my_tracker_click_id=1&tracker_click_id=%ID%', '?aff=%AFF%&my_tracker_click_id=1'],
	])('is cleaned: %s', async (query, cleaned) => {
		const { id } = shared(funnel, 0);
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/${filled(query, id)}`);
		await clickIdOn(page);
		expect(page.url()).toBe(`${SHOP}/${cleaned === '' ? '?' : filled(cleaned, id)}`);
	});
});

describe('on the shop’s own domain', () => {
	test.each([
		['routes of the Worker on the page’s host', 'shop.example.co.uk', 'routes', 'https://shop.example.co.uk/tracker.js'],
		['a proxy path', 'shop.example.co.uk', 'proxy', 'https://shop.example.co.uk/aff/tracker.js'],
		['a host beside the page’s', 'go.example.co.uk', 'routes', 'https://go.example.co.uk/tracker.js'],
	] as const)('(%s) the answer sets the cookie, and the script does not write it', async (_what, host, mount, src) => {
		const SHOP = 'https://shop.example.co.uk';
		const funnel = await world.funnel({ domain: 'shop.example.co.uk', cookie_window_days: 90 });
		if (host === 'go.example.co.uk') world.shop(host, { pages: {}, mount });
		world.shop('shop.example.co.uk', { pages: { '/': pageWith('', '', src) }, mount });
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const complaints = complaintsOf(page);
		await page.addInitScript(WATCH);
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		const cookie = { domain: '.example.co.uk', days: 90, secure: true, sameSite: 'Lax', httpOnly: false };
		expect(await cookiesOf(visitor)).toEqual({
			tracker_click_id: { value: clickId, ...cookie },
			tracker_aff: { value: funnel.pat, ...cookie },
		});
		expect(await writtenOn(page)).toEqual([]);
		await page.goto(`${SHOP}/?aff=${funnel.dana}`);
		const second = await clickIdOn(page);
		expect((await cookiesOf(visitor))['tracker_click_id']?.value).toBe(second);
		expect(await writtenOn(page)).toEqual([]);
		expect(complaints).toEqual([]);
	});

	test('an answer that the page can read only partly still names the error, so there is no second attempt', async () => {
		await world.funnel({ domain: 'shop.example.co.uk' });
		world.shop('go.example.co.uk', { pages: {}, mount: 'routes' });
		world.shop('shop.example.co.uk', { pages: { '/': pageWith('', '', 'https://go.example.co.uk/tracker.js') } });
		const page = await (await world.visitor()).newPage();
		const since = world.network.seen.length;
		await page.goto('https://shop.example.co.uk/?aff=nobody-has-this');
		await clickIdOn(page);
		expect(world.calls('click', since)).toHaveLength(1);
	});

	test('the redirect sets the cookie for a visitor without scripts too, and counts them once', async () => {
		const SHOP = 'https://www.example.com.au';
		world.shop('www.example.com.au', { pages: { '/': '<h1>Shop</h1>' }, mount: 'routes' });
		const funnel = await world.funnel({ domain: 'www.example.com.au' });
		const visitor = await world.visitor({ javaScriptEnabled: false });
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/r/${funnel.pat}`);
		const [click] = await world.clicks(funnel);
		expect(page.url()).toBe(`${SHOP}/?aff=${funnel.pat}&tracker_click_id=${click?.click_id}`);
		const cookie = { domain: '.example.com.au', days: 60, secure: true, sameSite: 'Lax', httpOnly: false };
		expect(await cookiesOf(visitor)).toEqual({
			tracker_click_id: { value: click?.click_id, ...cookie },
			tracker_aff: { value: funnel.pat, ...cookie },
		});
		await page.goto(`${SHOP}/r/${funnel.pat}`);
		expect(await world.clicks(funnel)).toHaveLength(1);
	});

	test('the redirect and the script agree', async () => {
		const SHOP = 'https://www.example.com.au';
		world.shop('www.example.com.au', { pages: { '/': pageWith('', '', '/tracker.js') }, mount: 'routes' });
		const funnel = await world.funnel({ domain: 'example.com.au' }, `${SHOP}/`);
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const since = world.network.seen.length;
		await page.goto(`${SHOP}/r/${funnel.pat}`);
		const clickId = await clickIdOn(page);
		expect((await world.clicks(funnel)).map(({ click_id }) => click_id)).toEqual([clickId]);
		expect(world.calls('click', since)).toEqual([]);
		expect(await visitor.cookies()).toHaveLength(2);
	});
});
