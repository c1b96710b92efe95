import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatClickId } from '../../src/domain/attribution/click-id.ts';
import { clickIdOn, complaintsOf, cookiesOf, type Funnel, pageWith, World } from './support/world.ts';

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const DAYS = 45;
const SHOP = 'https://www.example.com';

function shopWith(html: string): Promise<Funnel> {
	world.shop('www.example.com', { pages: { '/': html, '/next': html, '/app': html } });
	return world.funnel({ allowed_origins: [SHOP], cookie_window_days: DAYS });
}

/** Clicks get these responses in order, then the service's own. */
async function interrupt(answers: ('abort' | 500)[], funnel: Funnel) {
	const page = await (await world.visitor()).newPage();
	const complaints = complaintsOf(page);
	let tries = 0;
	await page.route('**/api/v1/track/click', (route) => {
		tries += 1;
		const answer = answers.shift();
		if (answer === 'abort') return route.abort();
		return answer === undefined ? route.continue() : route.fulfill({ status: answer, body: 'out of order' });
	});
	await page.goto(`${SHOP}/?aff=${funnel.pat}`);
	return { clickId: await clickIdOn(page), tries, complaints };
}

describe('a visitor who lands through a partner’s link', () => {
	test.each([
		['https', 'www.example.com', 'example.com'],
		['https', 'shop.example.co.uk', 'example.co.uk'],
		['https', 'a.b.example.com.au', 'example.com.au'],
		['https', 'myshop.github.io', 'myshop.github.io'],
		['http', 'plain.example.org', 'example.org'],
	])('%s://%s stores the click in a first-party cookie of %s', async (scheme, host, domain) => {
		const funnel = await world.funnel({ allowed_origins: [`${scheme}://${host}`], cookie_window_days: DAYS });
		world.shop(host, { pages: { '/': pageWith(), '/next': pageWith() } });
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const complaints = complaintsOf(page);
		await page.goto(`${scheme}://${host}/?utm_source=x&aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		expect(clickId).toMatch(/^cust_\d+_\d+$/);
		expect(await world.clicks(funnel)).toEqual([
			{ click_id: clickId, page_url: `${scheme}://${host}/`, referrer_url: null, is_bot: 0, is_test: 0 },
		]);
		const cookie = { domain: `.${domain}`, days: DAYS, secure: scheme === 'https', sameSite: 'Lax', httpOnly: false };
		expect(await cookiesOf(visitor)).toEqual({
			tracker_click_id: { value: clickId, ...cookie },
			tracker_aff: { value: funnel.pat, ...cookie },
		});
		await page.goto(`${scheme}://${host}/next`);
		expect(await clickIdOn(page)).toBe(clickId);
		expect(complaints).toEqual([]);
		await visitor.close();
	});

	test("is reported with the partner's sub_id, and nothing else from the query", async () => {
		const funnel = await shopWith(pageWith());
		const since = world.network.seen.length;
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?email=somebody&sub_id=n%2F4711+%26&aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		await world.clicks(funnel);
		expect(await world.service.rows('SELECT sub_id FROM affiliate_click_events WHERE click_id = ?', clickId)).toEqual([
			{ sub_id: 'n/4711 &' },
		]);
		const bodies = world.network.seen.slice(since).filter(({ url }) => url.pathname.startsWith('/api/'));
		expect(bodies).toHaveLength(1);
		expect(JSON.stringify(bodies)).not.toContain('somebody');
	});

	test('needs no preflight', async () => {
		const funnel = await shopWith(pageWith());
		const since = world.network.seen.length;
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		await clickIdOn(page);
		const calls = world.network.seen.slice(since).filter(({ url }) => url.pathname.startsWith('/api/'));
		expect(calls.map(({ method, headers }) => [method, headers.get('Content-Type')])).toEqual([['POST', 'text/plain;charset=UTF-8']]);
		expect(calls[0]?.headers.get('Cookie')).toBeNull();
	});

	test('has the cookie on the domain that data-cookie-domain names', async () => {
		const funnel = await shopWith(pageWith('', 'data-cookie-domain="www.example.com"'));
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		expect((await cookiesOf(visitor))['tracker_click_id']).toMatchObject({ value: clickId, domain: '.www.example.com' });
	});

	test('is counted even if they leave at once', async () => {
		const funnel = await shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		// Without keepalive, the request might not outlive its page.
		await page.addInitScript(`const real = fetch; fetch = (url, init) => init.keepalive ? real(url, init) : Promise.reject();`);
		const called = page.waitForRequest(/track\/click/);
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		await called;
		await page.goto('about:blank');
		await expect.poll(() => world.clicks(funnel)).toHaveLength(1);
	});

	test('is counted once if the page has the tag twice', async () => {
		const funnel = await shopWith(pageWith(pageWith()));
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`, { waitUntil: 'networkidle' });
		await clickIdOn(page);
		expect(await world.clicks(funnel)).toHaveLength(1);
	});

	test('on a prerendered page is counted when the page is shown, not before', async () => {
		const funnel = await shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		await page.addInitScript("Object.defineProperty(Document.prototype, 'prerendering', { value: true })");
		await page.goto(`${SHOP}/?aff=${funnel.pat}`, { waitUntil: 'networkidle' });
		expect(await world.clicks(funnel)).toEqual([]);
		await page.evaluate("document.dispatchEvent(new Event('prerenderingchange'))");
		expect(await world.clicks(funnel)).toEqual([expect.objectContaining({ click_id: await clickIdOn(page) })]);
	});

	test('makes a flagged test click if the tag has data-test-mode', async () => {
		const funnel = await shopWith(pageWith('', 'data-test-mode'));
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		expect(await world.clicks(funnel)).toEqual([expect.objectContaining({ click_id: await clickIdOn(page), is_test: 1 })]);
	});
});

describe('a returning visitor', () => {
	test('of the same partner is not counted again, without a request', async () => {
		const funnel = await shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		const since = world.network.seen.length;
		await page.goto(`${SHOP}/next?aff=${funnel.pat}`);
		expect(await clickIdOn(page)).toBe(clickId);
		expect(world.calls('click', since)).toEqual([]);
		expect(await world.clicks(funnel)).toHaveLength(1);
	});

	test('of the same partner without the tracker_aff cookie sends the existing click, and is not counted either', async () => {
		const funnel = await shopWith(pageWith());
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		await visitor.clearCookies({ name: 'tracker_aff' });
		const since = world.network.seen.length;
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		expect(await clickIdOn(page)).toBe(clickId);
		expect(JSON.parse(world.calls('click', since)[0]?.body ?? '')).toMatchObject({ existing_click_id: clickId });
		expect(await world.clicks(funnel)).toHaveLength(1);
	});

	test('of another partner belongs to the last one', async () => {
		const funnel = await shopWith(pageWith());
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const first = await clickIdOn(page);
		await page.goto(`${SHOP}/?aff=${funnel.dana}`);
		const second = await clickIdOn(page);
		expect(second).not.toBe(first);
		expect((await world.clicks(funnel)).map((click) => click.click_id)).toEqual([first, second]);
		const cookies = await cookiesOf(visitor);
		expect([cookies['tracker_click_id']?.value, cookies['tracker_aff']?.value]).toEqual([second, funnel.dana]);
	});

	test.each(['nobody-has-this', 'x;domain=example.com', 'a%3Bmax-age%3D0', '', 'ä', 'x'.repeat(3000)])(
		'with an invalid link (%s) stays with their partner',
		async (aff) => {
			const funnel = await shopWith(pageWith());
			const visitor = await world.visitor();
			const page = await visitor.newPage();
			await page.goto(`${SHOP}/?aff=${funnel.pat}`);
			const clickId = await clickIdOn(page);
			const before = await cookiesOf(visitor);
			const complaints = complaintsOf(page);
			await page.goto(`${SHOP}/?aff=${aff}`);
			expect(await clickIdOn(page)).toBe(clickId);
			expect(await cookiesOf(visitor)).toEqual(before);
			expect(complaints).toEqual([]);
		},
	);

	test('with two cookies on different domains, from before the domain was set, has one in the end', async () => {
		const funnel = await shopWith(pageWith());
		const visitor = await world.visitor();
		const stale = formatClickId({ referralLinkId: 7, clickedAt: Date.now() - 5_000_000, nonce: 1, isTest: false }, 1);
		await visitor.addCookies([
			{ name: 'tracker_click_id', value: stale, url: SHOP },
			{ name: 'tracker_click_id', value: stale, domain: '.www.example.com', path: '/' },
		]);
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		expect(clickId).not.toBe(stale);
		expect((await visitor.cookies()).map(({ name, value, domain }) => [name, value, domain])).toEqual([
			['tracker_click_id', clickId, '.example.com'],
			['tracker_aff', funnel.pat, '.example.com'],
		]);
	});
});

describe('a single-page app', () => {
	test('is followed through its history', async () => {
		const funnel = await shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		await page.goto(`${SHOP}/app`);
		expect(await clickIdOn(page)).toBeUndefined();
		const seen: (string | undefined)[] = [];
		for (const step of [
			`history.pushState({ n: 1 }, '', '/app/deals?aff=${funnel.pat}')`,
			"history.pushState(null, '', '/app/cart')",
			`history.replaceState(null, '', '/app/cart?aff=${funnel.dana}')`,
			"history.pushState(null, '', '/app/pay')",
			"new Promise((resolve) => { addEventListener('popstate', resolve); history.go(-2); })",
		]) {
			await page.evaluate(step);
			seen.push(await clickIdOn(page));
		}
		const [pat, still, dana, stillDana, back] = seen;
		expect([still, stillDana]).toEqual([pat, dana]);
		expect((await world.clicks(funnel)).map((click) => [click.click_id, click.page_url])).toEqual([
			[pat, `${SHOP}/app/deals`],
			[dana, `${SHOP}/app/cart`],
			[back, `${SHOP}/app/deals`],
		]);
		expect(await page.evaluate('history.state')).toEqual({ n: 1 });
		expect(complaints).toEqual([]);
	});

	test('asks once about an invalid link, however often it navigates', async () => {
		await shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		const since = world.network.seen.length;
		await page.goto(`${SHOP}/app?aff=nobody-has-this`);
		for (const step of [1, 2, 3]) {
			await clickIdOn(page);
			await page.evaluate(`history.pushState(null, '', '/app?aff=nobody-has-this&step=${step}')`);
		}
		await clickIdOn(page);
		expect(world.calls('click', since)).toHaveLength(1);
	});

	test('keeps its own errors', async () => {
		await shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/app`);
		await clickIdOn(page);
		await expect(page.evaluate("history.pushState(null, '', 'https://elsewhere.example.org/')")).rejects.toThrow('SecurityError');
	});
});

describe('a click whose request fails', () => {
	test.each([['abort' as const], [500 as const]])('(%s) is sent once more', async (failure) => {
		const { clickId, tries, complaints } = await interrupt([failure], await shopWith(pageWith()));
		expect([typeof clickId, tries]).toEqual(['string', 2]);
		expect(complaints).toEqual([]);
	});

	test('twice is given up', async () => {
		const { clickId, tries, complaints } = await interrupt(['abort', 500, 'abort'], await shopWith(pageWith()));
		expect([clickId, tries]).toEqual([undefined, 2]);
		expect(complaints).toEqual([]);
	});
});
