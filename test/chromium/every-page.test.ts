import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../testing/root.ts';
import { hurdlesOn } from './support/axe.ts';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// Every page of the dashboard and the portal, as anybody may come to it: nothing stands in their way, nothing breaks the policy, nothing runs off the
// side of a phone.

const DASHBOARD = [
	'/sign-in',
	'/sign-up',
	'/programs/new',
	'/notifications',
	'/account',
	'/account/sessions',
	'/account/mail',
	'/account/history',
	...[
		'',
		'/setup',
		'/events',
		'/customers',
		'/customers/erasures',
		'/customers/$customerId',
		'/explain',
		'/explain/refusals',
		'/partners',
		'/partners/$partnerId',
		'/groups',
		'/applications',
		'/links',
		'/rules',
		'/commissions',
		'/payouts',
		'/payouts/to-send',
		'/payouts/history',
		'/settings',
		'/settings/keys',
		'/settings/stripe',
		'/settings/stripe-events',
		'/settings/team',
		'/settings/audit-log',
		'/settings/undelivered',
		'/settings/data',
	].map((path) => `/programs/$programId${path}`),
];

const PORTAL = [
	'/sign-in',
	'/notifications',
	'/account',
	'/account/payout-details',
	'/account/mail',
	'/account/sessions',
	'/account/history',
	...['', '/links', '/commissions', '/payouts', '/performance'].map((path) => `/programs/$membershipId${path}`),
];

/** Where each entry begins, and how much script that may load. */
const ENTRIES = [
	{ entry: 'dashboard', pages: DASHBOARD, first: '/programs/$programId', limit: 230 * 1024 },
	{ entry: 'portal', pages: PORTAL, first: '/programs/$membershipId', limit: 200 * 1024 },
] as const;
type Entry = (typeof ENTRIES)[number]['entry'];

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
});
afterAll(() => world.close());

function addressOf(entry: Entry, path: string): string {
	const { programId, partnerProgramId } = funnel;
	const ids: Readonly<Record<string, number>> = { programId, partnerId: 1, customerId: 1, membershipId: partnerProgramId };
	return `${SERVICE}/${entry}${path.replaceAll(/\$(\w+)/g, (_, name: string) => String(ids[name]))}`;
}

/** Of who has business there. */
function openBrowser(entry: Entry, options: BrowserContextOptions = {}): Promise<BrowserContext> {
	return entry === 'dashboard' ? world.ownersBrowser(options) : world.partnersBrowser(funnel, options);
}

async function isSettled(page: Page): Promise<void> {
	await page.waitForLoadState('networkidle');
	await page.locator('h1').first().waitFor();
	await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
}

test.each(ENTRIES)('the first page of the $entry loads at most $limit bytes of script', async ({ entry, first, limit }) => {
	const page = await (await openBrowser(entry)).newPage();
	const loaded: Promise<Buffer>[] = [];
	page.on('response', (response) => {
		if (response.url().endsWith('.js')) loaded.push(response.body());
	});
	await page.goto(addressOf(entry, first));
	await isSettled(page);
	const bytes = (await Promise.all(loaded)).reduce((sum, script) => sum + gzipSync(script).byteLength, 0);
	process.stdout.write(`The first page of the ${entry} loads ${bytes} bytes of script, gzip\n`);
	expect(bytes).toBeLessThanOrEqual(limit);
});

test.each(ENTRIES)('none of the $entry is left out', ({ entry, pages }) => {
	const routed = globSync(`src/pages/${entry}/*/routes.ts`, { cwd: ROOT }).flatMap((file) =>
		[...readFileSync(join(ROOT, file), 'utf8').matchAll(/path: '([^']*)'/g)].map(([, path]) => path ?? ''),
	);
	expect(routed.length).toBeGreaterThan(pages.length - 3);
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
			await page.goto(addressOf(entry, path));
			await isSettled(page);
			expect(await page.getByRole('alert').count()).toBe(0);
			expect(await hurdlesOn(page)).toEqual([]);
			expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
			expect(complaints).toEqual([]);
			await page.close();
		});
	},
);
