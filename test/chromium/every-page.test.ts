import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../testing/root.ts';
import { hurdlesOn } from './support/axe.ts';
import { addressOf, DASHBOARD, type Entry, isSettled, PORTAL } from './support/pages.ts';
import { clickIdOn, complaintsOf, type Funnel, pageWith, World } from './support/world.ts';

// Every page of the dashboard and the portal is accessible, obeys its content security policy, and fits on a phone.

/** The first page of each entry, and how many bytes of script it may load. */
const ENTRIES = [
	{ entry: 'dashboard', pages: DASHBOARD, first: '/programs/$programId', limit: 230 * 1024 },
	{ entry: 'portal', pages: PORTAL, first: '/programs/$membershipId', limit: 200 * 1024 },
] as const;

const LOOKS = [
	{ look: 'light', options: { colorScheme: 'light', viewport: { width: 1280, height: 900 } } },
	{ look: 'dark, on a phone', options: { colorScheme: 'dark', viewport: { width: 390, height: 844 } } },
] as const;

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ name: 'A program with a name as long as names of programs may well be', domain: 'shop.example.com' });
	world.shop('shop.example.com', { pages: { '/': pageWith() } });
	const shop = await (await world.visitor()).newPage();
	await shop.goto(`https://shop.example.com/?aff=${funnel.pat}`);
	const customer = { customer_key: 'user-1', click_id: await clickIdOn(shop) };
	await world.backend(funnel).lead({ ...customer, email: 'somebody@people.example' });
	await world.backend(funnel).sale({ ...customer, transaction_id: 'order-1', amount_cents: 9_900 });
	await world.manage(funnel, '/webhooks', { url: 'https://hooks.shop.example/affiliates' });
});
afterAll(() => world.close());

function openBrowser(entry: Entry, options: BrowserContextOptions = {}): Promise<BrowserContext> {
	return entry === 'dashboard' ? world.ownersBrowser(options) : world.partnersBrowser(funnel, options);
}

test.each(ENTRIES)('the first page of the $entry loads at most $limit bytes of script', async ({ entry, first, limit }) => {
	const page = await (await openBrowser(entry)).newPage();
	const loaded: Promise<Buffer>[] = [];
	page.on('response', (response) => {
		if (response.url().endsWith('.js')) loaded.push(response.body());
	});
	await page.goto(addressOf(funnel, entry, first));
	await isSettled(page);
	const bytes = (await Promise.all(loaded)).reduce((sum, script) => sum + gzipSync(script).byteLength, 0);
	process.stdout.write(`The first page of the ${entry} loads ${bytes} bytes of script, gzip\n`);
	expect(bytes).toBeLessThanOrEqual(limit);
});

test.each(ENTRIES)('every page of the $entry is tested', ({ entry, pages }) => {
	const routed = globSync(`src/pages/${entry}/*/routes.ts`, { cwd: ROOT }).flatMap((file) =>
		[...readFileSync(join(ROOT, file), 'utf8').matchAll(/path: '([^']*)'/g)].map(([, path]) => path ?? ''),
	);
	expect(routed.length).toBeGreaterThan(pages.length - 4);
	expect(routed.filter((path) => path !== '/' && !pages.some((page) => page.endsWith(path)))).toEqual([]);
});

describe.each(ENTRIES.flatMap((entry) => LOOKS.map((look) => ({ ...entry, ...look }))))(
	'the $entry in $look',
	({ entry, pages, options }) => {
		let browser: BrowserContext;
		beforeAll(async () => {
			browser = await openBrowser(entry, options);
		});
		afterAll(() => browser.close());

		test.each(pages)('%s', async (path) => {
			const page = await browser.newPage();
			const complaints = complaintsOf(page);
			await page.goto(addressOf(funnel, entry, path));
			await isSettled(page);
			expect(await page.getByRole('alert').count()).toBe(0);
			expect(await hurdlesOn(page)).toEqual([]);
			expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
			expect(complaints).toEqual([]);
			await page.close();
		});
	},
);
