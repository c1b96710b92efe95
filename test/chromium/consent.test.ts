import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callOn, clickIdOn, complaintsOf, cookiesOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// If the script may not run, or cannot, the page must still work.

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

async function objector() {
	const visitor = await world.visitor({ extraHTTPHeaders: { 'Sec-GPC': '1' } });
	await visitor.addInitScript("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })");
	return { visitor, page: await visitor.newPage() };
}

const CLICK = '/api/v1/track/click';
const LEAD = '/api/v1/track/lead';

describe('a page that asks for consent first', () => {
	const form = '<form data-tracker-form></form><a href="https://buy.stripe.com/x">Buy</a>';

	test('stores and sends nothing until it is given, then reports the arrival', async () => {
		shopWith(pageWith(form, 'data-require-consent'));
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const asked = await land(page);
		await page.evaluate("history.pushState(null, '', '/next')");
		expect(await clickIdOn(page)).toBeUndefined();
		expect([asked(), await visitor.cookies(), await page.evaluate('localStorage.length + sessionStorage.length')]).toEqual([[], [], 0]);
		await callOn(page, 'consent', true);
		const clickId = await clickIdOn(page);
		expect(await world.clicks(funnel)).toEqual([expect.objectContaining({ click_id: clickId, page_url: `${SHOP}/` })]);
		expect((await cookiesOf(visitor))['tracker_click_id']?.value).toBe(clickId);
	});

	test('asks again on the next page, and still has the click', async () => {
		shopWith(pageWith(form, 'data-require-consent'));
		const page = await (await world.visitor()).newPage();
		await land(page);
		await callOn(page, 'consent', true);
		const clickId = await clickIdOn(page);
		await land(page, `${SHOP}/next`);
		expect(await clickIdOn(page)).toBeUndefined();
		await callOn(page, 'consent', true);
		expect(await clickIdOn(page)).toBe(clickId);
	});

	test('counts a consent from before the script was loaded', async () => {
		shopWith(pageWith("<script>tracker('consent', true)</script>", 'data-require-consent'));
		const page = await (await world.visitor()).newPage();
		await land(page);
		expect(await world.clicks(funnel)).toEqual([expect.objectContaining({ click_id: await clickIdOn(page) })]);
	});

	test.each(["'true'", '1', "'denied'", 'null', '', '{}'])('does not count consent(%s)', async (answer) => {
		shopWith(pageWith('', 'data-require-consent'));
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const asked = await land(page);
		await page.evaluate(`tracker('consent', ${answer || 'undefined'})`);
		expect([await clickIdOn(page), asked(), await visitor.cookies()]).toEqual([undefined, [], []]);
	});

	test('delays a lead until then', async () => {
		shopWith(pageWith("<script>tracker('lead', { customer_key: 'early' })</script>", 'data-require-consent'));
		const page = await (await world.visitor()).newPage();
		const asked = await land(page);
		expect(asked()).toEqual([]);
		await callOn(page, 'consent', true);
		await expect.poll(asked).toEqual([CLICK, LEAD]);
	});

	test('delays a click from a redirect too', async () => {
		shopWith(pageWith('', 'data-require-consent'));
		const via = await world.funnel({ allowed_origins: [SHOP] }, `${SHOP}/`);
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SERVICE}/r/${via.pat}`, { waitUntil: 'networkidle' });
		expect([page.url(), await visitor.cookies()]).toEqual([`${SHOP}/?aff=${via.pat}`, []]);
		await callOn(page, 'consent', true);
		expect((await world.clicks(via)).map(({ click_id }) => click_id)).toEqual([await clickIdOn(page)]);
	});
});

describe('withdrawing consent', () => {
	test('removes the click from the cookies, the links and the forms', async () => {
		shopWith(pageWith('<form data-tracker-form></form><a href="https://buy.stripe.com/x">Buy</a>'));
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const asked = await land(page);
		const clickId = String(await clickIdOn(page));
		await expect.poll(() => page.content()).toContain(`client_reference_id=${clickId}`);
		await callOn(page, 'consent', false);
		await expect.poll(() => page.content()).not.toContain(clickId);
		expect([await clickIdOn(page), await visitor.cookies()]).toEqual([undefined, []]);
		await page.evaluate(`history.pushState(null, '', '/next?aff=${funnel.dana}')`);
		await callOn(page, 'getClickId');
		expect(asked().filter((path) => path === CLICK)).toHaveLength(1);
	});

	test("during the click's request discards the answer", async () => {
		shopWith(pageWith());
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.route(`**${CLICK}`, async (route) => {
			await callOn(page, 'consent', false);
			await route.continue();
		});
		await land(page);
		expect([await clickIdOn(page), await visitor.cookies()]).toEqual([undefined, []]);
	});

	test('before anything was sent prevents it', async () => {
		shopWith(pageWith("<script>tracker('consent', false)</script>"));
		const visitor = await world.visitor();
		const asked = await land(await visitor.newPage());
		expect([asked(), await visitor.cookies()]).toEqual([[], []]);
	});
});

describe('Global Privacy Control', () => {
	test('counts as a no', async () => {
		shopWith(pageWith());
		const { visitor, page } = await objector();
		const asked = await land(page);
		expect([await clickIdOn(page), asked(), await visitor.cookies()]).toEqual([undefined, [], []]);
	});

	test('yields to an explicit yes', async () => {
		shopWith(pageWith());
		const { page } = await objector();
		await land(page);
		await callOn(page, 'consent', true);
		expect(await world.clicks(funnel)).toEqual([expect.objectContaining({ click_id: await clickIdOn(page) })]);
	});

	test('passes a redirect without a trace', async () => {
		shopWith(pageWith());
		const via = await world.funnel({ allowed_origins: [SHOP] }, `${SHOP}/`);
		const { visitor, page } = await objector();
		await page.goto(`${SERVICE}/r/${via.pat}`, { waitUntil: 'networkidle' });
		expect([page.url(), await visitor.cookies(), await world.clicks(via)]).toEqual([`${SHOP}/?aff=${via.pat}`, [], []]);
	});
});

describe('blocked cookies', () => {
	test('limit the click to the page', async () => {
		shopWith(pageWith('<form data-tracker-form></form>'));
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const complaints = complaintsOf(page);
		const devTools = await visitor.newCDPSession(page);
		await devTools.send('Emulation.setDocumentCookieDisabled', { disabled: true });
		await land(page);
		const clickId = await clickIdOn(page);
		expect(await world.clicks(funnel)).toEqual([expect.objectContaining({ click_id: clickId })]);
		expect(await visitor.cookies()).toEqual([]);
		await page.evaluate("history.pushState(null, '', '/next')");
		expect(await clickIdOn(page)).toBe(clickId);
		await expect.poll(() => page.inputValue('input[name=tracker_click_id]')).toBe(clickId);
		expect(await callOn(page, 'lead', { customer_key: 'no-cookies' })).toMatchObject({ success: true });
		await land(page, `${SHOP}/next`);
		expect(await clickIdOn(page)).toBeUndefined();
		expect(complaints).toEqual([]);
	});

	test('that throw in a sandboxed frame do no harm', async () => {
		world.shop('frames.example.org', { pages: { '/': `<iframe sandbox="allow-scripts" src="${SHOP}/?aff=${funnel.pat}"></iframe>` } });
		shopWith(pageWith('<form data-tracker-form></form>'));
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		const complaints = complaintsOf(page);
		await page.goto('https://frames.example.org/', { waitUntil: 'networkidle' });
		expect(await page.frames()[1]?.evaluate("new Promise((resolve) => tracker('getClickId', resolve))")).toBeUndefined();
		expect(await world.clicks(funnel)).toEqual([]);
		expect(complaints.filter((text) => !text.includes('CORS'))).toEqual([]);
	});
});
