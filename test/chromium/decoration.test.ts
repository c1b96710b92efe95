import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatClickId } from '../../src/domain/attribution/click-id.ts';
import { findWholeChromium } from '../../testing/chromium.ts';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

const SHOP = 'https://shop.example.co.uk';

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open(findWholeChromium());
	funnel = await world.funnel({ allowed_origins: [SHOP, 'https://sister.example.com', 'https://docs.sister.example.com'] });
});
afterAll(() => world.close());

interface Landed {
	readonly page: Page;
	readonly visitor: BrowserContext;
	readonly clickId: string;
}

/** The visitor came through Pat's link. */
async function landed(body: string, attributes = ''): Promise<Landed> {
	const html = pageWith(body, attributes);
	world.shop('shop.example.co.uk', { pages: { '/': html, '/next': html } });
	const visitor = await world.visitor();
	const page = await visitor.newPage();
	await page.goto(`${SHOP}/?aff=${funnel.pat}`);
	return { page, visitor, clickId: String(await clickIdOn(page)) };
}

/** The same, after links to sister domains have been decorated. */
async function settled(body: string, attributes: string): Promise<Landed> {
	const arrived = await landed(body, attributes);
	await arrived.page.waitForLoadState('networkidle');
	return arrived;
}

/** How often the second script was loaded. */
const chunks = (since: number) => world.network.seen.slice(since).filter(({ url }) => url.pathname === '/tracker-extras.js').length;
/** Chromium adds some requests of its own. */
const addresses = () => world.network.seen.map(({ url }) => url.href);
const hrefOf = (page: Page, selector: string) => page.getAttribute(selector, 'href');

describe('Stripe', () => {
	test('Payment Links, Buy Buttons and Pricing Tables get the click', async () => {
		const { page, clickId } = await landed(`
			<a id="plain" href="https://buy.stripe.com/test_1">1</a>
			<a id="query" href="https://buy.stripe.com/test_2?locale=de&prefilled_email=a%2Bb%40c.example#x">2</a>
			<stripe-buy-button buy-button-id="b"></stripe-buy-button><stripe-pricing-table></stripe-pricing-table>`);
		await expect.poll(() => hrefOf(page, '#plain')).toBe(`https://buy.stripe.com/test_1?client_reference_id=${clickId}`);
		expect(await hrefOf(page, '#query')).toBe(
			`https://buy.stripe.com/test_2?locale=de&prefilled_email=a%2Bb%40c.example&client_reference_id=${clickId}#x`,
		);
		expect(await page.getAttribute('stripe-buy-button', 'client-reference-id')).toBe(clickId);
		expect(await page.getAttribute('stripe-pricing-table', 'client-reference-id')).toBe(clickId);
		// Stripe accepts up to 200 letters, digits, dashes and underscores here.
		expect(clickId).toMatch(/^[\w-]{1,200}$/);
		await page.click('#plain');
		await expect.poll(addresses).toContain(`https://buy.stripe.com/test_1?client_reference_id=${clickId}`);
	});

	test.each(['stripe-buy-button', 'stripe-pricing-table'])('%s alone on a page gets it too', async (tag) => {
		const { page, clickId } = await landed(`<${tag} publishable-key="pk_test_1"></${tag}>`);
		await expect.poll(() => page.getAttribute(tag, 'client-reference-id')).toBe(clickId);
	});

	test('the shop’s own reference stays', async () => {
		const own = 'https://buy.stripe.com/x?client_reference_id=order_7';
		const { page, clickId } = await landed(`
			<a id="own" href="${own}">1</a><a id="none" href="https://buy.stripe.com/x">2</a>
			<stripe-buy-button client-reference-id="order-7"></stripe-buy-button>`);
		await expect.poll(() => hrefOf(page, '#none')).toContain(clickId);
		expect(await hrefOf(page, '#own')).toBe(own);
		expect(await page.getAttribute('stripe-buy-button', 'client-reference-id')).toBe('order-7');
	});

	test('only Stripe’s own host gets it', async () => {
		const others = [
			'https://evil.example/buy.stripe.com',
			'https://evil.example/?to=https://buy.stripe.com/x',
			'https://buy.stripe.com.evil.example/x',
			'https://evil-buy.stripe.com/x',
			'https://buy.stripe.com@evil.example/x',
			'http://buy.stripe.com/x',
			'//evil.example/buy.stripe.com',
			'javascript:void("buy.stripe.com")',
			'https://buy.stripe.com:99999/x',
			'buy.stripe.com/x',
		];
		const links = others.map((href) => `<a class="other" href='${href}'>x</a>`).join('');
		const { page, clickId } = await landed(`${links}<a id="real" href="https://buy.stripe.com/x">x</a>`);
		await expect.poll(() => hrefOf(page, '#real')).toContain(clickId);
		expect(await page.locator('.other').evaluateAll((found) => found.map((link) => link.getAttribute('href')))).toEqual(others);
	});

	test('elements that the page adds or changes later get it too, and so does a later click', async () => {
		const { page, clickId } = await landed('<main></main>');
		await page.evaluate(`document.querySelector('main').innerHTML = '<a href="https://buy.stripe.com/late">x</a>'`);
		await expect.poll(() => hrefOf(page, 'a')).toBe(`https://buy.stripe.com/late?client_reference_id=${clickId}`);
		await page.evaluate(`document.querySelector('a').href = 'https://buy.stripe.com/changed'`);
		await expect.poll(() => hrefOf(page, 'a')).toBe(`https://buy.stripe.com/changed?client_reference_id=${clickId}`);
		await page.evaluate(`history.pushState(null, '', '/?aff=${funnel.dana}')`);
		const second = await clickIdOn(page);
		await expect.poll(() => hrefOf(page, 'a')).toBe(`https://buy.stripe.com/changed?client_reference_id=${second}`);
	});
});

describe('forms', () => {
	test('a marked form sends the click, another does not', async () => {
		const { page, clickId } = await landed(`
			<form id="marked" data-tracker-form action="/next"><input name="email" value="a@b.example"><button>Go</button></form>
			<form id="other" action="/next"></form>`);
		await expect.poll(() => page.inputValue('#marked input[name=tracker_click_id]')).toBe(clickId);
		expect(await page.locator('#other input').count()).toBe(0);
		await page.click('button');
		// A GET form puts the id into the URL, and the script on the next page removes it.
		await page.waitForURL(`${SHOP}/next?email=a%40b.example`);
		expect(world.network.seen.map(({ url }) => url.href)).toContain(`${SHOP}/next?email=a%40b.example&tracker_click_id=${clickId}`);
	});

	test('an existing field is filled in, once', async () => {
		const { page, clickId } = await landed('<form data-tracker-form><input type="hidden" name="tracker_click_id"></form>');
		await expect.poll(() => page.inputValue('input')).toBe(clickId);
		await page.evaluate("document.body.append('more')");
		await page.waitForTimeout(200);
		expect(await page.locator('input').count()).toBe(1);
	});
});

describe('the second chunk', () => {
	test('is not loaded by a page that does not need it', async () => {
		const since = world.network.seen.length;
		const { page } = await landed('<form></form><a href="https://stripe.com/">x</a>');
		await page.waitForTimeout(300);
		expect(chunks(since)).toBe(0);
	});

	test('is not loaded for a visitor without a partner', async () => {
		world.shop('shop.example.co.uk', { pages: { '/': pageWith('<form data-tracker-form></form>', 'data-domains="sister.example.com"') } });
		const page = await (await world.visitor()).newPage();
		const since = world.network.seen.length;
		await page.goto(SHOP);
		await clickIdOn(page);
		await page.waitForTimeout(300);
		expect(chunks(since)).toBe(0);
	});

	test('is loaded once, and the browser caches it forever', async () => {
		const since = world.network.seen.length;
		const { page, clickId } = await landed('<form data-tracker-form></form>');
		await expect.poll(() => page.inputValue('input')).toBe(clickId);
		await page.goto(`${SHOP}/next`);
		await expect.poll(() => page.inputValue('input')).toBe(clickId);
		expect(chunks(since)).toBe(1);
	});
});

describe('a sister domain', () => {
	const SISTER = 'https://sister.example.com';
	const both = 'data-domains="shop.example.co.uk, sister.example.com"';
	const sisters = `
		<a id="sister" href="${SISTER}/?x=1#y">1</a><a id="blank" target="_blank" href="https://docs.sister.example.com/">2</a>
		<a id="open" href="http://sister.example.com/">3</a><a id="stranger" href="https://stranger.example.org/">4</a>
		<a id="lookalike" href="https://notsister.example.com/">5</a><a id="home" href="/next">6</a><a id="quiet" rel="noreferrer" href="${SISTER}/">7</a>`;

	beforeAll(() => {
		for (const host of ['sister.example.com', 'docs.sister.example.com']) {
			world.shop(host, { pages: { '/': pageWith('', both) } });
		}
		for (const host of ['stranger.example.org', 'notsister.example.com']) world.shop(host, { pages: { '/': '<h1>Elsewhere</h1>' } });
	});

	test('gets the click when a link to it is followed, and stores it', async () => {
		const { page, visitor, clickId } = await settled(sisters, both);
		const complaints = complaintsOf(page);
		const counted = (await world.clicks(funnel)).length;
		await page.click('#sister');
		await page.waitForURL(/sister/);
		expect(await clickIdOn(page)).toBe(clickId);
		expect(page.url()).toBe(`${SISTER}/?x=1&aff=${funnel.pat}#y`);
		const domains = (await visitor.cookies()).filter(({ name }) => name === 'tracker_click_id').map(({ domain, value }) => [domain, value]);
		expect(domains).toEqual([
			['.example.co.uk', clickId],
			['.example.com', clickId],
		]);
		expect(await world.clicks(funnel)).toHaveLength(counted);
		expect(complaints).toEqual([]);
	});

	test('gets it in a new tab and on a subdomain too', async () => {
		const { page, visitor, clickId } = await settled(sisters, both);
		const [tab] = await Promise.all([visitor.waitForEvent('page'), page.click('#blank')]);
		await tab.waitForURL(/sister/);
		expect(await clickIdOn(tab)).toBe(clickId);
		const [middle] = await Promise.all([visitor.waitForEvent('page'), page.click('#sister', { button: 'middle' })]);
		await middle.waitForURL(/sister/);
		expect(await clickIdOn(middle)).toBe(clickId);
	});

	test('does not show the click in a link that is only hovered or cancelled', async () => {
		const { page, clickId } = await settled(sisters, both);
		await page.hover('#sister');
		expect(await page.content()).not.toContain(clickId);
		await page.evaluate("document.querySelector('#sister').addEventListener('click', (event) => event.preventDefault())");
		await page.click('#sister');
		await page.waitForTimeout(50);
		expect(await hrefOf(page, '#sister')).toBe(`${SISTER}/?x=1#y`);
	});

	test.each(['#stranger', '#lookalike', '#open', '#home'])('is not confused with others: %s gets nothing', async (link) => {
		const { page, clickId } = await settled(sisters, both);
		const since = world.network.seen.length;
		await page.click(link);
		await page.waitForLoadState();
		const others = world.network.seen.slice(since).filter(({ url }) => url.origin !== SERVICE);
		expect(others.length).toBeGreaterThan(0);
		expect(others.filter(({ url, headers }) => url.href.includes(clickId) || headers.get('Referer')?.includes(clickId))).toEqual([]);
	});

	test('accepts an older click only from a listed page', async () => {
		const old = formatClickId({ referralLinkId: 1, clickedAt: Date.now() - 7_200_000, nonce: 1, isTest: false }, 1);
		const links = `<a id="a" href="${SISTER}/?aff=${funnel.pat}&tracker_click_id=${old}">1</a>`;
		const asked = async (from: string, attributes: string) => {
			world.shop('sister.example.com', { pages: { '/': pageWith('', attributes) } });
			world.shop(from, { pages: { '/': links } });
			const page = await (await world.visitor()).newPage();
			const since = world.network.seen.length;
			await page.goto(`https://${from}/`);
			await page.click('#a');
			await page.waitForURL(/sister/);
			await clickIdOn(page);
			const body: { existing_click_id?: string } = JSON.parse(world.calls('click', since)[0]?.body ?? '{}');
			return body.existing_click_id;
		};
		expect(await asked('stranger.example.org', both)).toBeUndefined();
		expect(await asked('notshop.example.co.uk', 'data-domains="shop.example.co.uk"')).toBeUndefined();
		expect(await asked('shop.example.co.uk', '')).toBeUndefined();
		expect(await asked('shop.example.co.uk', both)).toBe(old);
		world.shop('sister.example.com', { pages: { '/': pageWith('', both) } });
	});

	test('keeps its own click if it is newer', async () => {
		const { page, visitor, clickId } = await settled(sisters, both);
		const other = await visitor.newPage();
		await other.goto(`${SISTER}/?aff=${funnel.dana}`);
		const newer = await clickIdOn(other);
		await page.click('#sister');
		await page.waitForURL(/sister/);
		expect([newer === clickId, await clickIdOn(page)]).toEqual([false, newer]);
	});
});

test('the script reveals the click only to the shop, the service and Stripe', async () => {
	const since = world.network.seen.length;
	const { page, clickId } = await landed(`
		<form data-tracker-form action="/next"></form><a href="https://buy.stripe.com/x">x</a><a href="https://stranger.example.org/">y</a>
		<img src="https://pixel.example.org/p.gif"><iframe src="https://frames.example.org/"></iframe>
		<script src="https://stranger.example.org/analytics.js"></script>`);
	await expect.poll(() => page.inputValue('input')).toBe(clickId);
	await page.click('a[href*=stranger]');
	const shown = world.network.seen
		.slice(since)
		.filter(({ url, headers, body }) => [url.href, body, ...headers.values()].some((text) => text.includes(clickId)))
		.map(({ url }) => url.host);
	expect(shown.filter((host) => host !== new URL(SERVICE).host && host !== new URL(SHOP).host)).toEqual([]);
});
