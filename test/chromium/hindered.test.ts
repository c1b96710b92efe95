import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// If a page or browser blocks the script, the page must still work.

const SHOP = 'https://shop.example.co.uk';

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
});
beforeEach(async () => {
	funnel = await world.funnel({ allowed_origins: [SHOP] });
});
afterAll(() => world.close());

function shopWith(html: string, headers: Record<string, string> = {}): void {
	world.shop('shop.example.co.uk', { pages: { '/': html, '/next': html }, headers });
}

const land = (page: Page, address = `${SHOP}/?aff=${funnel.pat}`) => world.land(page, address);

describe('a page with injected content', () => {
	test.each([
		[
			'an image named like the script’s tag',
			'<img name="currentScript" src="https://evil.example.org/x.js" data-api="https://evil.example.org/">',
		],
		['a form named like the tracker', '<form id="tracker"><input name="q"></form>'],
	])('(%s) does not send anything elsewhere', async (_what, injected) => {
		world.shop('shop.example.co.uk', {
			pages: {
				'/': `${injected}<form data-tracker-form></form><script async src="${SERVICE}/tracker.js"></script>`,
			},
		});
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		const since = world.network.seen.length;
		await land(page);
		const elsewhere = world.network.seen.slice(since).filter(({ url }) => url.host === 'evil.example.org' && url.pathname !== '/x.js');
		expect([elsewhere, complaints]).toEqual([[], []]);
	});

	test('a frame in a page of another site is not a visit', async () => {
		world.shop('frames.example.org', { pages: { '/': `<iframe src="${SHOP}/?aff=${funnel.pat}"></iframe>` } });
		shopWith(pageWith());
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto('https://frames.example.org/', { waitUntil: 'networkidle' });
		expect([await world.clicks(funnel), await visitor.cookies()]).toEqual([[], []]);
	});

	test('a frame in a page of the shop is one', async () => {
		world.shop('www.example.co.uk', { pages: { '/': `<iframe src="${SHOP}/?aff=${funnel.pat}"></iframe>` } });
		shopWith(pageWith());
		const page = await (await world.visitor()).newPage();
		await page.goto('https://www.example.co.uk/', { waitUntil: 'networkidle' });
		expect(await world.clicks(funnel)).toHaveLength(1);
	});
});

describe('a browser that blocks', () => {
	const signUpPage =
		"<form data-tracker-form action=/next><button>Sign up</button></form><script>tracker('lead', { customer_key: 'k' }); tracker('getClickId', () => { window.called = true })</script>";

	test('the script: the page works, and its calls do nothing', async () => {
		shopWith(pageWith(signUpPage));
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		await page.route('**/tracker.js', (route) => route.abort());
		await land(page);
		await page.click('button');
		await page.waitForURL(`${SHOP}/next?`);
		expect([await page.evaluate('window.called'), complaints]).toEqual([undefined, []]);
	});

	test('the service: the page works, and gets no click', async () => {
		shopWith(pageWith(signUpPage));
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		await page.route('**/api/**', (route) => route.abort());
		await land(page);
		expect(await clickIdOn(page)).toBeUndefined();
		expect([await page.evaluate('window.called'), complaints]).toEqual([true, []]);
	});

	test('the second chunk: the rest works', async () => {
		shopWith(pageWith(signUpPage));
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		await page.route('**/tracker-extras.js*', (route) => route.abort());
		await land(page);
		expect([typeof (await clickIdOn(page)), complaints]).toEqual(['string', []]);
	});
});

describe('a page with a strict content security policy', () => {
	test.each([
		['hosts', `default-src 'none'; script-src ${SERVICE} 'unsafe-inline'; connect-src ${SERVICE}`, ''],
		[
			'a nonce',
			`default-src 'none'; script-src 'nonce-n1' 'strict-dynamic'; connect-src ${SERVICE}; require-trusted-types-for 'script'`,
			'nonce="n1"',
		],
	])('that allows %s runs the whole script', async (_what, policy, nonce) => {
		const html = pageWith('<form data-tracker-form></form>').replaceAll('<script', `<script ${nonce}`);
		shopWith(html, { 'Content-Security-Policy': policy });
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		await land(page);
		const clickId = await page.evaluate(() => Reflect.get(globalThis, 'tracker')('getClickId'));
		await expect.poll(() => page.inputValue('input[name=tracker_click_id]')).toBe(clickId);
		expect(complaints).toEqual([]);
	});

	test('and with cross-origin isolation too', async () => {
		shopWith(pageWith('<form data-tracker-form></form>'), {
			'Cross-Origin-Embedder-Policy': 'require-corp',
			'Cross-Origin-Opener-Policy': 'same-origin',
		});
		const page = await (await world.visitor()).newPage();
		const complaints = complaintsOf(page);
		await land(page);
		const clickId = await clickIdOn(page);
		await expect.poll(() => page.inputValue('input[name=tracker_click_id]')).toBe(clickId);
		expect([await page.evaluate('crossOriginIsolated'), complaints]).toEqual([true, []]);
	});
});
