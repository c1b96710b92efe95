import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { holdRequests } from './support/held.ts';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// The search, the menus, and other ways to navigate.

let world: World;
let funnel: Funnel;
let owner: BrowserContext;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ name: 'Teashop', allowed_origins: ['https://shop.example.com'] });
	world.shop('shop.example.com', { pages: { '/': pageWith() } });
	const shop = await (await world.visitor()).newPage();
	await shop.goto(`https://shop.example.com/?aff=${funnel.pat}`);
	const customer = { customer_key: 'user-77', click_id: await clickIdOn(shop) };
	await world.backend(funnel).lead(customer);
	await world.backend(funnel).sale({ ...customer, transaction_id: 'order-77', amount_cents: 9_900 });
	owner = await world.ownersBrowser();
	const api = `/api/v1/programs/${funnel.programId}`;
	const asOwner = await owner.newPage();
	await asOwner.goto(`${SERVICE}/dashboard/programs/${funnel.programId}`);
	const made = await asOwner.evaluate<number[]>(`(async () => {
		const headers = { 'Content-Type': 'application/json' };
		const [dana] = (await (await fetch('${api}/partners?search=dana')).json()).data;
		const make = (path, body) => fetch('${api}/' + path, { method: 'POST', headers, body: JSON.stringify({ partner_id: dana.id, ...body }) });
		const answers = [await make('links', { short_link: 'dana-summer-24' }), await make('coupons', { code: 'WINTER10' })];
		return answers.map(({ status }) => status);
	})()`);
	expect(made).toEqual([201, 201]);
	await asOwner.close();
});
beforeEach(async () => {
	page = await owner.newPage();
	complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${funnel.programId}`);
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
});
afterAll(() => world.close());

describe('the global search', () => {
	test.each([
		['pat', 'pat', /\/partners\/\d+$/],
		['user-77', 'user-77', /\/customers\/\d+$/],
		['order-77', 'order-77', /\/commissions\?open=\d+$/],
		['payo', 'Payouts', /\/payouts$/],
	])('finds %s by keyboard alone', async (text, name, address) => {
		await page.keyboard.press('Control+k');
		await page.getByRole('searchbox', { name: /^Search/ }).waitFor();
		await page.keyboard.type(text);
		const title = page.getByText(name, { exact: true });
		await page.getByRole('menuitem').first().filter({ has: title }).waitFor();
		await page.keyboard.press('Enter');
		await page.waitForURL(address);
		expect(complaints).toEqual([]);
	});

	test.each([
		['payo', /\/payouts$/],
		['order-77', /\/commissions\?open=\d+$/],
	])('opens the right page for %s and Enter, even if the answers come late', async (text, address) => {
		await page.route(/\?.*search=/, async (route) => {
			await sleep(300);
			await route.continue();
		});
		await page.keyboard.press('Control+k');
		await page.getByRole('searchbox', { name: /^Search/ }).waitFor();
		await page.keyboard.type(`${text}\n`);
		await page.waitForURL(address);
		await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	test('opens the partner, even if a commission of theirs is found first', async () => {
		await page.route(/\?.*search=pat/, async (route) => {
			const isOfPartners = new URL(route.request().url()).pathname.endsWith('/partners');
			await sleep(isOfPartners ? 3_000 : 0);
			await route.continue();
		});
		await page.keyboard.press('Control+k');
		await page.getByRole('searchbox', { name: /^Search/ }).waitFor();
		await page.keyboard.type('pa');
		await page.getByRole('menuitem', { name: 'pat' }).first().waitFor();
		const commissions = page.waitForResponse(/commissions\?.*search=pat/);
		await page.keyboard.type('t');
		await commissions;
		await sleep(300);
		await page.keyboard.press('Enter');
		await page.waitForURL(/\/partners\/\d+$/);
		expect(complaints).toEqual([]);
	});

	test('takes what is typed while it loads, and no letter acts as a shortcut of the page', async () => {
		const { letThrough } = await holdRequests(page, '**/palette-*.js');
		await page.reload();
		await page.getByRole('heading', { name: 'Overview' }).waitFor();
		const address = page.url();
		await page.keyboard.press('Control+k');
		await page.keyboard.type('payo');
		expect(await page.getByRole('searchbox').inputValue()).toBe('payo');
		expect(page.url()).toBe(address);
		expect(await hurdlesOn(page)).toEqual([]);
		await page.keyboard.press('Enter');
		letThrough();
		await page.waitForURL(/\/payouts$/);
		await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	test('adds a partner from any page', async () => {
		await page.keyboard.press('Control+k');
		await page.getByRole('searchbox', { name: /^Search/ }).waitFor();
		await page.keyboard.type('add a p');
		await page.getByRole('menuitem', { name: 'Add a partner' }).waitFor();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog', { name: 'Add a partner' }).waitFor();
		await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).count()).toBe(1);
		await page.keyboard.press('Escape');
		await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	test('sends test events, and says that they were sent', async () => {
		await page.keyboard.press('Control+k');
		await page.getByRole('searchbox', { name: /^Search/ }).waitFor();
		await page.keyboard.type('send test');
		await page.getByRole('menuitem', { name: 'Send test events' }).waitFor();
		await page.keyboard.press('Enter');
		await page.getByText('A test click, sign-up, sale and refund were sent').waitFor();
		expect(complaints).toEqual([]);
	});

	test('says that there was no answer, and tries again', async () => {
		await page.route(/\?.*search=/, (route) => route.abort());
		await page.keyboard.press('Control+k');
		await page.getByRole('searchbox', { name: /^Search/ }).waitFor();
		await page.keyboard.type('user-77');
		await page.getByText('The search failed. Press Enter to try again.').waitFor();
		await page.unroute(/\?.*search=/);
		await page.keyboard.press('Enter');
		await page.getByRole('menuitem', { name: 'user-77' }).waitFor();
		await page.keyboard.press('Enter');
		await page.waitForURL(/\/customers\/\d+$/);
	});

	test('is accessible', async () => {
		await page.getByRole('button', { name: /^Search/ }).click();
		await page.getByRole('searchbox').fill('user-77');
		await page.getByRole('menuitem', { name: 'user-77' }).waitFor();
		expect(await hurdlesOn(page)).toEqual([]);
		// The first Escape clears the text, and the second closes the search.
		await page.keyboard.press('Escape');
		await page.keyboard.press('Escape');
		await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
	});
});

test.each(['Account of Ada Owner', 'Teashop'])('the menu of %s is accessible', async (name) => {
	await page.getByRole('button', { name }).click();
	await page.getByRole('menu').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});

test('a menu that is pressed before it has loaded opens once it has', async () => {
	const { letThrough } = await holdRequests(page, '**/account-menu-*.js');
	await page.reload();
	const button = page.getByRole('button', { name: /^Account of / });
	await button.click();
	expect(await page.getByRole('menuitem', { name: 'Sign out' }).isVisible()).toBe(false);
	letThrough();
	await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
	await page.keyboard.press('Escape');
	expect(complaints).toEqual([]);
});

test('the appearance is remembered', async () => {
	const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
	const light = await background();
	await page.getByRole('button', { name: 'Account of Ada Owner' }).click();
	await page.getByRole('menuitemradio', { name: 'Dark' }).click();
	await expect.poll(background).not.toBe(light);
	const dark = await background();
	await page.reload();
	expect(await background()).toBe(dark);
});

test('a click on a table row filters tiles and chart, and Escape removes the filter', async () => {
	await page.getByRole('button', { name: 'pat', exact: true }).click();
	await page.waitForURL(/partner_id=\d+/);
	await page.getByText('partner: pat').waitFor();
	await page.getByText('This table cannot be filtered this way').waitFor();
	await page.keyboard.press('Escape');
	await expect.poll(() => page.url()).not.toContain('partner_id');
	expect(complaints).toEqual([]);
});

test('letters select the period, and the arrows move to the previous one', async () => {
	// The shortcuts work once the figures are loaded.
	await page.getByRole('application').waitFor();
	await page.keyboard.press('w');
	await page.waitForURL(/period=7d/);
	await page.keyboard.press('ArrowLeft');
	await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
	await page.goBack();
	await page.waitForURL(/period=7d$/);
});

test('a page that was never opened waits for the network', async () => {
	await owner.setOffline(true);
	try {
		await page.getByRole('link', { name: 'Groups' }).click();
		await page.getByText('You are offline. This page may be out of date').waitFor();
		// The router shows this only after a delay.
		await page.getByText('Loading').first().waitFor();
		expect(page.url()).toContain('/groups');
	} finally {
		await owner.setOffline(false);
	}
	await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
});

const names = () => page.getByRole('grid', { name: 'Partners' }).getByRole('rowheader').allInnerTexts();

describe('the search of partners', () => {
	test('shows results while typing, and keeps the focus', async () => {
		await page.goto(`${SERVICE}/dashboard/programs/${funnel.programId}/partners`);
		const field = page.getByRole('searchbox', { name: 'Name or email address' });
		await page
			.getByRole('gridcell', { name: 'pat' })
			.or(page.getByRole('rowheader', { name: 'pat' }))
			.first()
			.waitFor();
		const before = await page.evaluate<number>('history.length');
		await field.pressSequentially('ana', { delay: 20 });
		await page.waitForURL(/search=ana/);
		await expect.poll(names).toEqual([expect.stringContaining('dana')]);
		expect(await page.evaluate('document.activeElement.value')).toBe('ana');
		await page.keyboard.type('xyz');
		await page.getByText('No partners found').waitFor();
		expect(await field.inputValue()).toBe('anaxyz');
		expect(await page.evaluate('history.length')).toBe(before);
		await page.keyboard.press('Escape');
		await expect.poll(() => page.url()).not.toContain('search');
		await expect.poll(async () => (await names()).length).toBe(2);
		expect(complaints).toEqual([]);
	});

	test('sends one request for quick typing, and none for outdated text', async () => {
		await page.goto(`${SERVICE}/dashboard/programs/${funnel.programId}/partners`);
		const asked: string[] = [];
		page.on('request', (request) => {
			const search = new URL(request.url()).searchParams.get('search');
			if (request.url().includes('/api/') && search !== null) asked.push(search);
		});
		await page.getByRole('searchbox', { name: 'Name or email address' }).pressSequentially('dana', { delay: 5 });
		await page.waitForURL(/search=dana/);
		await expect.poll(names).toEqual([expect.stringContaining('dana')]);
		expect(asked).toEqual(['dana']);
	});
});
