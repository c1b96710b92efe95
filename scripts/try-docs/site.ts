import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readGuide, snippetsOf } from '../docs/guides.ts';
import { buildSite } from '../docs/site.ts';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';

// Tests the docs site the way readers use it: by keyboard, on a phone, in dark mode, without scripts.

const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PHONE = { width: 390, height: 844 };
const SAMPLES = ['/docs/', '/docs/quick-start', '/docs/migration', '/docs/reference/', '/docs/reference/tracking', '/docs/404'];

export interface SiteTest {
	readonly title: string;
	readonly run: (page: Page, base: string) => Promise<void>;
	readonly options?: BrowserContextOptions;
}

export const SITE_TESTS: readonly SiteTest[] = [
	{
		title: 'the search works with the keyboard alone',
		run: async (page, base) => {
			await page.goto(`${base}/docs/`);
			await page.keyboard.press('/');
			await page.keyboard.type('refund_id');
			await page.locator('#results a').first().waitFor();
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('ArrowDown');
			const selected = page.locator('#results a[aria-selected=true]');
			const address = await selected.getAttribute('href');
			expect(
				(await page.locator('#search').getAttribute('aria-activedescendant')) === (await selected.getAttribute('id')),
				'the selected result is not announced',
			);
			await page.keyboard.press('Enter');
			await page.waitForURL(`${base}${address}`);
			expect(/[Rr]efund/.test(await page.locator('article').innerText()), 'it opens a different page');
		},
	},
	{
		title: 'the search says that it found nothing, and closes with Escape',
		run: async (page, base) => {
			await page.goto(`${base}/docs/browser`);
			await page.locator('#search').fill('xyzzy plugh');
			await page.getByText('Nothing was found for “xyzzy plugh”.').first().waitFor();
			await page.keyboard.press('Escape');
			expect(await page.locator('#results').isHidden(), 'it stays open');
		},
	},
	{
		title: 'a search result names its page unless it is that page, and its excerpt ends with a whole word',
		run: async (page, base) => {
			await page.goto(`${base}/docs/`);
			await page.locator('#search').fill('webhook');
			const results = page.locator('#results a');
			await results.first().waitFor();
			expect((await results.first().locator('.page').count()) === 0, 'the guide shows its own title twice');
			expect((await page.getByText('Reference: Webhooks', { exact: true }).count()) > 0, 'a route looks like a guide');
			const excerpt = await results.locator('.excerpt').first().innerText();
			const shown = JSON.stringify(`${excerpt.replaceAll(/^… | …$/g, '')} `);
			const isThere = await page.evaluate(
				`fetch('/docs/search.json').then((answer) => answer.json()).then((entries) => entries.some(([, , , text]) => text.includes(${shown})))`,
			);
			expect(excerpt.endsWith(' …') && isThere === true, `the excerpt ends inside a word: “${excerpt}”`);
		},
	},
	{
		title: 'the search finds the text of an error and opens its operation',
		run: async (page, base) => {
			await page.goto(`${base}/docs/`);
			await page.locator('#search').fill('Sale not found for transaction_id');
			await page.locator('#results a[href="/docs/reference/tracking#trackRefund"]').click();
			await page.waitForURL(/#trackRefund$/);
		},
	},
	{
		title: 'the button copies the snippet unchanged, except for the address of this service',
		options: { permissions: ['clipboard-read', 'clipboard-write'] },
		run: async (page, base) => {
			for (const guide of ['quick-start', 'browser', 'server-only']) {
				await page.goto(`${base}/docs/${guide}`);
				const wanted = snippetsOf(readGuide(guide)).map(({ text }) => text.replaceAll('http://127.0.0.1:8787', base));
				const buttons = page.getByRole('button', { name: 'Copy' });
				expect((await buttons.count()) === wanted.length, `a snippet of ${guide} has no button`);
				for (const [index, text] of wanted.entries()) {
					await page.locator('figure.code button').nth(index).click();
					const copied = await page.evaluate('navigator.clipboard.readText()');
					expect(copied === text, `it copied ${String(copied)}`);
				}
			}
		},
	},
	{
		title: 'the first Tab leads to the text, and the focus is visible',
		run: async (page, base) => {
			await page.goto(`${base}/docs/stripe`);
			await page.keyboard.press('Tab');
			const skip = page.locator(':focus');
			expect((await skip.innerText()) === 'Skip to the content' && (await skip.boundingBox())?.y !== undefined, 'the skip link is missing');
			await page.keyboard.press('Enter');
			expect((await page.evaluate('document.activeElement.id')) === 'main', 'it leads elsewhere');
			await page.keyboard.press('Tab');
			expect((await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')) === 'solid', 'the focus is invisible');
		},
	},
	{
		title: 'the pages work without scripts, except for the search',
		options: { javaScriptEnabled: false },
		run: async (page, base) => {
			await page.goto(`${base}/docs/refunds`);
			expect(await page.getByRole('heading', { level: 1, name: 'Refunds' }).isVisible(), 'the page is empty');
			expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible(), 'the list of pages is missing');
			expect(await page.locator('#search').isHidden(), 'the search is shown but does not work');
			expect(await page.locator('#theme').isHidden(), 'the theme choice is shown but does not work');
		},
	},
	{
		title: 'the chosen colors apply on each page before the other scripts run; without a choice the system decides',
		options: { colorScheme: 'light' },
		run: async (page, base) => {
			const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
			await page.goto(`${base}/docs/`);
			expect((await back()) === 'rgb(255, 255, 255)', 'it is not light at first');
			await page.getByLabel('Appearance').selectOption('Dark');
			expect((await back()) === 'rgb(18, 23, 22)', 'it does not turn dark');
			await page.route('**/docs/docs.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
			await page.goto(`${base}/docs/stripe`);
			expect((await back()) === 'rgb(18, 23, 22)', 'it does not stay dark');
			await page.unroute('**/docs/docs.js');
			await page.goto(`${base}/docs/reference/`);
			expect((await page.getByLabel('Appearance').inputValue()) === 'dark', 'the choice is not shown');
			await page.getByLabel('Appearance').selectOption('System');
			expect((await back()) === 'rgb(255, 255, 255)', 'it does not return to the colors of the system');
		},
	},
	{
		title: 'routes that change nothing can be tried on the local demo',
		options: { viewport: PHONE },
		run: async (page, base) => {
			const form = (id: string) =>
				page
					.locator('section.route')
					.filter({ has: page.locator(`[id="${id}"]`) })
					.locator('details.try');
			const tried = async (id: string) => {
				await form(id).getByText('Try it', { exact: true }).click();
				const body = form(id).getByLabel('Body', { exact: true });
				// A guide has already sent the example.
				if (/^track(Sale|Refund)$/.test(id))
					await body.fill((await body.inputValue()).replace(/("transaction_id": )"[^"]*"/, '$1"tried-order"'));
				await form(id).getByRole('button', { name: 'Send', exact: true }).click();
				const answer = form(id).getByRole('status');
				await answer.getByText('esponse').waitFor();
				expect(/^Response (200|409)/.test(await answer.innerText()), `${id}: ${await answer.innerText()}`);
				return form(id).locator('pre').innerText();
			};
			await page.goto(`${base}/docs/reference/tracking`);
			expect((await tried('trackClick')).includes('"partner_code": "demo"'), 'the click belongs to another link');
			await tried('trackLead');
			// Refused with 409 if the test mode guide has already sent the same sale.
			expect(
				/Test sale recorded\. No real state was changed\.|The test sale is already recorded\./.test(await tried('trackSale')),
				'the sale was not a test',
			);
			await tried('trackRefund');
			await page.goto(`${base}/docs/reference/programs`);
			expect((await tried('readProgram')).includes('"Demo shop"'), 'it is another program');
			expect((await form('createProgram').count()) === 0, 'it offers a route that changes something');
			await page.goto(`${base}/docs/reference/own-earnings`);
			expect((await tried('listOwnLinks')).includes('"short_link"'), 'the partner has no links');
		},
	},
	{
		title: 'on a phone no page is wider than the screen, and one tap opens the list of pages',
		options: { viewport: PHONE },
		run: async (page, base) => {
			const names = [...buildSite().keys()].filter((name) => name.endsWith('.html'));
			for (const name of names) {
				const path = `/docs/${name.replace(/(?:index)?\.html$/, '')}`;
				await page.goto(base + path, { waitUntil: 'domcontentloaded' });
				const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
				expect(excess === 0, `${path} is ${String(excess)} pixels too wide`);
			}
			await page.getByRole('link', { name: 'Pages', exact: true }).click();
			await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Payouts' }).first().click();
			await page.waitForURL(`${base}/docs/payouts`);
		},
	},
	...(['light', 'dark'] as const).map((colorScheme) => ({
		title: `axe finds no barriers (WCAG 2.2 AA), in ${colorScheme} colors`,
		// The site's own policy would block axe.
		options: { colorScheme, bypassCSP: true },
		run: async (page: Page, base: string) => {
			for (const path of SAMPLES) {
				await page.goto(base + path, { waitUntil: 'networkidle' });
				await page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
				await page.evaluate(AXE);
				const found = await page.evaluate(
					`axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html).join(' ')))`,
				);
				expect(Array.isArray(found) && found.length === 0, `${path}: ${JSON.stringify(found)}`);
			}
		},
	})),
];

/** Runs a test in a new page. It fails if the page logs an error, such as a policy violation, or calls another host. */
export async function trySite({ run, options = {} }: SiteTest, browser: Browser, base: string): Promise<void> {
	const context = await browser.newContext(options);
	const complaints: string[] = [];
	const elsewhere: string[] = [];
	try {
		const page = await context.newPage();
		page.on('pageerror', ({ message }) => complaints.push(message));
		page.on('console', (message) => {
			if (message.type() === 'error' && !message.text().includes('404')) complaints.push(message.text());
		});
		page.on('request', (request) => {
			if (!request.url().startsWith(base)) elsewhere.push(request.url());
		});
		await run(page, base);
	} finally {
		await context.close();
	}
	expect(complaints.length === 0, `the page has errors: ${complaints.join('\n')}`);
	expect(elsewhere.length === 0, `the page calls other hosts: ${elsewhere.join('\n')}`);
}

function expect(isTrue: boolean, complaint: string): void {
	if (!isTrue) throw new Failure(complaint);
}
