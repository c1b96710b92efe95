import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// Users look up events and customers, and why a sale earned a commission or none.

let world: World;
let browser: BrowserContext;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	browser = await world.ownersBrowser();
	funnel = await world.funnel({ name: 'Shop of events', domain: 'shop.example.com' });
	world.shop('shop.example.com', { pages: { '/': pageWith() } });
	const shop = await (await world.visitor()).newPage();
	await shop.goto(`https://shop.example.com/?aff=${funnel.pat}`);
	const customer = { customer_key: 'ada-1', click_id: await clickIdOn(shop) };
	await world.backend(funnel).lead(customer);
	const subscription = { sale_type: 'subscription', subscription_id: 'sub-1', subscription_interval: 'monthly' } as const;
	const sale = { ...customer, transaction_id: 'order-1', amount_cents: 9_900, line_items: { plan: 'Pro', seats: 3 } };
	await world.backend(funnel).sale({ ...sale, ...subscription });
});
afterAll(() => world.close());

async function open(path: string): Promise<Page> {
	const page = await browser.newPage();
	await page.goto(`${SERVICE}/dashboard/programs/${funnel.programId}${path}`);
	return page;
}

function asked(): number {
	return world.network.seen.filter(({ url }) => url.pathname === `/api/tracking/events/${funnel.programId}`).length;
}

describe('events', () => {
	test('a live list marks and announces new events, and pauses while it is hidden', async () => {
		const page = await open('/events');
		const complaints = complaintsOf(page);
		const rows = page.getByRole('row');
		await expect.poll(() => rows.allTextContents()).toEqual(expect.arrayContaining([expect.stringContaining('order-1')]));
		await page.getByText('Live', { exact: true }).click();
		await page.getByText('Waiting for events').waitFor();
		expect(new URL(page.url()).searchParams.get('live')).toBe('on');
		await world.backend(funnel).sale({ customer_key: 'ada-1', transaction_id: 'order-2', amount_cents: 5_000 });
		await page.getByRole('status').getByText('1 new event').waitFor();
		expect(await rows.nth(1).textContent()).toMatch(/Sale.*New.*order-2/);

		await page.evaluate(
			"Object.defineProperty(document, 'visibilityState', { value: 'hidden' }); window.dispatchEvent(new Event('visibilitychange'))",
		);
		await page.waitForTimeout(1_000);
		const before = asked();
		expect(before).toBeGreaterThan(1);
		await page.waitForTimeout(4_000);
		expect(asked()).toBe(before);
		expect(complaints).toEqual([]);
		await page.close();
	});

	test('a row opens its whole timeline by keyboard, and has an address', async () => {
		const page = await open('/events?transaction_id=order-1');
		await page.getByRole('row', { name: /Sale/ }).focus();
		await page.keyboard.press('Enter');
		const story = page.getByRole('dialog', { name: 'Sale' });
		await story.getByText('earned 19.80 USD').waitFor();
		await story.getByText('Reported data').click();
		for (const said of ['Subscription payment', 'Every month', '"seats": 3']) await story.getByText(said).waitFor();
		const address = page.url();
		expect(new URL(address).searchParams.get('open')).toMatch(/^sale-\d+$/);
		await page.keyboard.press('Escape');
		await story.waitFor({ state: 'detached' });
		expect(page.url()).not.toContain('open=');

		await page.goto(address);
		await story.getByRole('link', { name: 'ada-1' }).click();
		await page.getByRole('heading', { level: 1, name: 'ada-1' }).waitFor();
		await page.close();
	});
});

test('the overview shows the average value of a sale, separately for each currency', async () => {
	await world.backend(funnel).sale({ customer_key: 'ada-1', transaction_id: 'order-eur', amount_cents: 4_000, currency: 'EUR' });
	const page = await open('');
	await page.getByText(/^\$\d+\.\d\d average$/).waitFor();
	await page.getByRole('button', { name: '+1 currency: Sales' }).click();
	await page.getByText('€40.00 average').waitFor();
	await page.close();
});

test('explains a commission, and what was refused', async () => {
	await expect(world.backend(funnel).sale({ customer_key: 'nobody', transaction_id: 'order-lost', amount_cents: 100 })).rejects.toThrow();
	const page = await open('/explain');
	await page.getByRole('textbox', { name: 'Transaction id' }).fill('order-lost');
	await page.keyboard.press('Enter');
	await page.getByText('The sale was refused with 400').first().waitFor();
	await page.getByRole('link', { name: 'Refused calls' }).click();
	await page.getByRole('row').filter({ hasText: 'order-lost' }).click();
	await page.getByRole('dialog').getByRole('link', { name: 'Explain' }).click();
	await page.getByText('The sale was refused with 400').first().waitFor();
	expect(new URL(page.url()).searchParams.get('transaction_id')).toBe('order-lost');
	await page.close();
});

test('a customer is found, exported and, after typing the word, erased', async () => {
	await world.backend(funnel).lead({ customer_key: 'eve-1', email: 'eve@people.example' });
	const page = await open('/customers');
	await page.getByRole('searchbox', { name: 'Customer key, email or click id' }).fill('eve@people.example');
	await page.keyboard.press('Enter');
	await page.getByRole('link', { name: 'eve-1' }).click();
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Export' }).click();
	expect((await download).suggestedFilename()).toMatch(/^customer-\d+\.json$/);

	await page.getByRole('button', { name: 'Erase' }).click();
	const erase = page.getByRole('button', { name: 'Erase permanently' });
	expect(await erase.isDisabled()).toBe(true);
	await page.getByLabel(/^Type/).fill('erase');
	await erase.click();
	await page.getByText(/^Erased on/).waitFor();
	await page.getByRole('button', { name: 'Export' }).waitFor();
	expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
	await page.getByRole('link', { name: 'All customers' }).click();
	await page.getByRole('link', { name: 'Erasures' }).click();
	await page.getByRole('heading', { level: 1, name: 'Erasures' }).waitFor();
	await page.getByText('Still searching').waitFor();
	await page.close();
});
