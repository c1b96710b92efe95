import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clickIdOn, complaintsOf, cookiesOf, type Funnel, SERVICE, World } from './support/world.ts';

// A shop's users may add HTML without scripts to its pages. It must not break the script, and the script must not break the page.

const SHOP = 'https://shop.example.co.uk';
const BLOG = 'https://blog.example.org';

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ allowed_origins: [SHOP] });
	world.shop('blog.example.org', { pages: { '/post': `<a href="${SHOP}/?aff=${funnel.pat}">x</a>`, '/frame': 'Hello' } });
});
afterAll(() => world.close());

/** These names shadow properties of the document. */
const NAMES =
	`cookie currentScript referrer prerendering querySelector querySelectorAll addEventListener createElement documentElement head body
	defaultView location readyState scripts forms getElementsByTagName tracker fetch history navigator Reflect
	Document Element URL setTimeout Promise MutationObserver self top q on decorate
	HTMLAnchorElement dataset src`.split(/\s+/);
const each = (element: (name: string) => string) => NAMES.map(element).join('');

const HOSTILE: Readonly<Record<string, string>> = {
	'forms by name': each((name) => `<form name="${name}"></form>`),
	'forms by id': each((name) => `<form id="${name}"></form>`),
	'pictures by name': each((name) => `<img name="${name}">`),
	'pictures by name and id': each((name) => `<img name="${name}" id="${name}">`),
	'several of a name': each((name) => `<form name="${name}"></form><img name="${name}"><a id="${name}"></a><a id="${name}" name="q"></a>`),
	objects: each((name) => `<object id="${name}" name="${name}"></object>`),
	embeds: each((name) => `<embed name="${name}" id="${name}">`),
	frames: each((name) => `<iframe name="${name}" srcdoc="x"></iframe>`),
	'frames of another site': `<iframe name="tracker" src="${BLOG}/frame"></iframe><iframe name="cookie" src="${BLOG}/frame"></iframe>`,
	'a form that looks like an earlier tag': '<form id="tracker"><input name="on"><input name="q"><input name="apply"></form>',
	'a collection that looks like a queue': '<a id="tracker"></a><a id="tracker" name="q"></a><a id="tracker" name="on"></a>',
	'other scripts by look': `<img name="currentScript" type="module" src="https://evil.example.org/tracker.js" data-api="https://evil.example.org/">
		<svg><a type="module" src="https://evil.example.org/tracker.js" data-test-mode></a></svg>`,
};

const FORM = `<form id="mine" data-tracker-form><input name="querySelector"><input name="append"><input name="closest"><input name="matches">
	<input name="children"><input name="elements"></form>`;
const LINK = '<a id="pay" href="https://buy.stripe.com/x">x</a>';

function tagWith(attributes: string): string {
	return `<script src="${SERVICE}/tracker.js" ${attributes}></script>`;
}

/** A link on a blog opens the shop's page. */
async function arriveAt(html: string) {
	world.shop('shop.example.co.uk', { pages: { '/': `<!doctype html><title>Shop</title><body>${html}` } });
	const visitor = await world.visitor();
	const page = await visitor.newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${BLOG}/post`);
	await page.click('a');
	await page.waitForLoadState('load');
	return { page, visitor, complaints };
}

describe('page and script both work with', () => {
	test.each([
		...Object.entries(HOSTILE).map(([what, html]) => [what, '', html] as const),
		...['type="module"', 'async', 'defer'].map((attributes) => ['all of it', attributes, Object.values(HOSTILE).join('')] as const),
	])('%s before the script %s', async (_what, attributes, hostile) => {
		const before = (await world.clicks(funnel)).length;
		const { page, visitor, complaints } = await arriveAt(`${hostile}${tagWith(attributes)}${FORM}${LINK}`);
		await expect.poll(() => page.evaluate('typeof tracker')).toBe('function');
		const clickId = String(await clickIdOn(page));
		await expect.poll(() => page.getAttribute('#pay', 'href')).toBe(`https://buy.stripe.com/x?client_reference_id=${clickId}`);
		expect(await page.locator('input[name=tracker_click_id]').inputValue()).toBe(clickId);
		expect((await cookiesOf(visitor))['tracker_click_id']).toMatchObject({ value: clickId, domain: '.example.co.uk' });
		expect((await world.clicks(funnel)).slice(before)).toEqual([
			{ click_id: clickId, page_url: `${SHOP}/`, referrer_url: `${BLOG}/`, is_bot: 0, is_test: 0 },
		]);
		await page.evaluate("tracker('consent', false)");
		await expect.poll(async () => Object.keys(await cookiesOf(visitor))).toEqual([]);
		expect(complaints).toEqual([]);
		await visitor.close();
	});
});

test('consent is required, even if other elements imitate the tag', async () => {
	const since = world.network.seen.length;
	const { page, visitor } = await arriveAt(`${HOSTILE['other scripts by look']}${tagWith('type="module" data-require-consent')}`);
	expect(await clickIdOn(page)).toBeUndefined();
	expect([world.calls('click', since), await cookiesOf(visitor)]).toEqual([[], {}]);
	await page.evaluate("tracker('consent', true)");
	expect(await clickIdOn(page)).toMatch(/^cust_/);
});

describe('the tag', () => {
	test('as a module is found among others, and its attributes apply', async () => {
		const { page } = await arriveAt(`
			<script type="module" src="data:text/javascript,1"></script>
			<script src="data:text/javascript,2//tracker.js" data-test-mode></script>
			${tagWith('type="module" data-test-mode')}`);
		await expect.poll(() => page.evaluate('typeof tracker')).toBe('function');
		const clickId = await clickIdOn(page);
		expect((await world.clicks(funnel)).find(({ click_id }) => click_id === clickId)).toMatchObject({ is_test: 1 });
	});

	test.each([
		['data-test-mode', 1],
		['data-test-mode="true"', 1],
		['data-test-mode=""', 1],
		['data-test-mode="false"', 0],
	])('with %s makes test clicks: %d', async (attribute, is_test) => {
		const { page } = await arriveAt(tagWith(attribute));
		const clickId = await clickIdOn(page);
		expect((await world.clicks(funnel)).find(({ click_id }) => click_id === clickId)).toMatchObject({ is_test });
	});
});

describe('user content', () => {
	const CONTENT = `
		<a class="pay" href="https://buy.stripe.com/theirs">x</a>
		<stripe-buy-button publishable-key="pk_theirs"></stripe-buy-button>
		<stripe-pricing-table publishable-key="pk_theirs"></stripe-pricing-table>
		<form data-tracker-form action="https://evil.example.org/"></form>
		<a class="sister" href="https://sister.example.com/">x</a>`;

	test('inside data-tracker-skip gets no click id, now or later', async () => {
		const { page } = await arriveAt(`
			${tagWith('data-domains="sister.example.com"')}
			<section data-tracker-skip><div>${CONTENT}</div></section>
			<a id="skipped" data-tracker-skip href="https://buy.stripe.com/one">x</a>
			<main></main>${LINK}`);
		const clickId = String(await clickIdOn(page));
		await expect.poll(() => page.getAttribute('#pay', 'href')).toContain(clickId);
		await page.evaluate(`{
			const later = document.querySelector('section').cloneNode(true);
			document.querySelector('section div').insertAdjacentHTML('beforeend', ${JSON.stringify(CONTENT)});
			document.querySelector('main').append(later);
		}`);
		await page.evaluate(`document.querySelector('#pay').href = 'https://buy.stripe.com/again'`);
		await expect.poll(() => page.getAttribute('#pay', 'href')).toBe(`https://buy.stripe.com/again?client_reference_id=${clickId}`);
		const html = await page.evaluate("[...document.querySelectorAll('[data-tracker-skip]')].map((found) => found.outerHTML).join('')");
		expect(html).toContain('evil.example.org');
		expect(html).not.toContain(clickId);
		const since = world.network.seen.length;
		await page.click('section .sister >> nth=0');
		await expect.poll(() => world.network.seen.slice(since).map(({ url }) => url.href)).toContain('https://sister.example.com/');
	});
});
