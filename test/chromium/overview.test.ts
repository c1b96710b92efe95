import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { isSettled } from './support/pages.ts';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// The figures of the overview: tiles, chart and comparison.

let world: World;
let funnel: Funnel;
let owner: BrowserContext;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ name: 'Teashop', domain: 'shop.example.com' });
	world.shop('shop.example.com', { pages: { '/': pageWith() } });
	const shop = await (await world.visitor()).newPage();
	await shop.goto(`https://shop.example.com/?aff=${funnel.pat}`);
	const customer = { customer_key: 'user-1', click_id: await clickIdOn(shop) };
	const backend = world.backend(funnel);
	await backend.lead(customer);
	await backend.sale({ ...customer, transaction_id: 'order-1', amount_cents: 125_000_000 });
	await backend.sale({ ...customer, transaction_id: 'order-2', amount_cents: 4_200, currency: 'EUR' });
	await world.manage(funnel, '/commission-rules', { type: 'percent', percent: 15, product_id: 'tea' });
	owner = await world.ownersBrowser();
});
beforeEach(async () => {
	page = await owner.newPage();
	complaints = complaintsOf(page);
	await open('');
});
afterAll(() => world.close());

async function open(search: string): Promise<void> {
	await page.goto(`${SERVICE}/dashboard/programs/${funnel.programId}${search}`);
	await page.getByRole('application').waitFor();
	await isSettled(page);
}

const revenue = () => page.getByRole('button', { name: /^Revenue\s*\$1\.25M/ });
const exact = () => page.getByRole('tooltip').filter({ hasText: '$1,250,000.00' });

test('the outline waits for no typeface, and the page has it', async () => {
	expect(await page.locator('html').getAttribute('class')).toBe('');
	await expect.poll(() => page.evaluate(`document.fonts.check("14px 'Geist Variable'")`)).toBe(true);
	expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toMatch(/^"?Geist Variable/);
	expect(complaints).toEqual([]);
});

describe('a large figure is short, and exact', () => {
	test('under the pointer', async () => {
		expect(await exact().count()).toBe(0);
		await revenue().hover();
		await exact().waitFor();
		await page.mouse.move(0, 0);
		await exact().waitFor({ state: 'hidden' });
		expect(complaints).toEqual([]);
	});

	test('with the focus, until Escape', async () => {
		await revenue().focus();
		await exact().waitFor();
		await page.keyboard.press('Escape');
		await exact().waitFor({ state: 'hidden' });
	});

	test('after a touch', async () => {
		const phone = await world.ownersBrowser({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
		page = await phone.newPage();
		await open('');
		await revenue().tap();
		await exact().waitFor();
		await page.getByRole('button', { name: '+1 currency: Revenue' }).tap();
		await page.getByRole('dialog').getByText('€42.00').waitFor();
		await phone.close();
	});
});

test.each(['click', 'keyboard'])('other currencies open from one chip by %s', async (way) => {
	const chip = page.getByRole('button', { name: '+1 currency: Revenue' });
	if (way === 'click') await chip.click();
	else {
		await chip.focus();
		await page.keyboard.press('Enter');
	}
	await page.getByRole('dialog', { name: 'Revenue' }).getByText('€42.00').waitFor();
	await page.keyboard.press('Escape');
	await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});

test('a figure that was zero before is new, and all time is compared with nothing', async () => {
	await page.getByRole('button', { name: /^Sales\s*2\s*New/ }).waitFor();
	await page.getByRole('button', { name: /^Compare with/ }).waitFor();
	await open('?period=all');
	await page.getByRole('button', { name: /^Sales\s*2/ }).waitFor();
	expect(await page.getByRole('button', { name: /^Compare with/ }).count()).toBe(0);
	expect(await page.getByText('New', { exact: true }).count()).toBe(0);
});

test('the chart names both days, the unfinished one and its notes by keyboard', async () => {
	await page.getByRole('application').focus();
	await page.keyboard.press('End');
	const tip = page.getByRole('status').filter({ hasText: '$1,250,000.00' });
	await tip.getByText('so far').waitFor();
	await tip.getByText(/^\w+ \d+(, \d+)?: \$0\.00$/).waitFor();
	await tip.getByText('Commission rule created').waitFor();
	await page.keyboard.press('ArrowLeft');
	await tip.waitFor({ state: 'hidden' });
	await page.keyboard.press('n');
	await tip.getByText('Commission rule created').waitFor();
	await page.getByText('Show as a table').click();
	await page.getByRole('columnheader', { name: 'Notes' }).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
});

const choose = async (name: string) => {
	await page.getByRole('button', { name: /^Compare with/ }).click();
	await page.getByRole('menu').getByText(name, { exact: true }).click();
};

describe('the comparison', () => {
	test('is in the address', async () => {
		await choose('Same period last year');
		await page.waitForURL(/compare=last_year/);
		await page.keyboard.press('Escape');
		await choose('Match weekdays');
		await page.waitForURL(/match_weekdays=on/);
		await page.reload();
		await page.getByRole('button', { name: 'Compare with: Same period last year' }).waitFor();
		expect(complaints).toEqual([]);
	});

	test('with custom days begins on any day', async () => {
		await choose('Custom days');
		await page.waitForURL(/compare=custom&compare_from=\d{4}-\d\d-\d\d/);
		await page.keyboard.press('Escape');
		await page.getByLabel('First day to compare with').fill('2025-02-03');
		await page.waitForURL(/compare_from=2025-02-03/);
		await isSettled(page);
		await page.getByRole('application').focus();
		await page.keyboard.press('Home');
		await page.getByRole('status').getByText('Feb 3, 2025: $0.00').waitFor();
		expect(complaints).toEqual([]);
	});
});

test.each(['?period=3m', '?period=toString', '?compare=nonsense&compare_from=2026-02-30', '?series=nothing'])(
	'an address with an unknown value shows the page without it: %s',
	async (search) => {
		await open(search);
		await page.getByRole('button', { name: 'Period: 30 days' }).waitFor();
		await page.getByRole('button', { name: 'Compare with: Previous period' }).waitFor();
		expect(complaints).toEqual([]);
	},
);
