import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickIdOn, complaintsOf, pageWith, SERVICE, World } from './support/world.ts';

// From a fresh service to a partner's first sale, using only what the pages say.

const SHOP = 'first.example.com';

let world: World;
beforeAll(async () => {
	world = await World.open();
	world.shop(SHOP, { pages: { '/': pageWith() } });
});
afterAll(() => world.close());

test('a new owner signs up, sets up a program, and watches the first click and sale arrive', async () => {
	const page = await (await world.visitor()).newPage();
	const complaints = complaintsOf(page);

	await page.goto(`${SERVICE}/`);
	await page.getByRole('link', { name: 'Create an account' }).click();
	await page.getByLabel('Your name').fill('Grace Owner');
	await page.getByLabel('Company').fill('First shop');
	await page.getByLabel('E-mail address', { exact: true }).fill('grace@first.example');
	await page.getByLabel('Password', { exact: true }).fill('seven green bicycles');
	await page.getByRole('button', { name: 'Create the account' }).click();

	// Without a program, the only option is to create one.
	await page.getByRole('heading', { name: 'New program' }).waitFor();
	await page.getByLabel('Name').fill('First shop');
	await page.getByLabel('Domain of your site').fill(SHOP);
	await page.getByLabel('Percent').fill('25');
	await expect.poll(() => page.getByText('USD earns its partner').textContent()).toContain('$25.00');
	await page.getByRole('button', { name: 'Make the program' }).click();

	await page.getByRole('heading', { name: 'Set up First shop' }).waitFor();
	await page.getByRole('button', { name: /localhost/ }).click();
	await page.getByText('http://localhost:*').waitFor();
	await page.getByText('Recommended if your backend reports sign-ups:').waitFor();
	await page.getByRole('button', { name: 'Accept keys from the backend only' }).click();
	await page.getByText('Only your backend may report customer keys.').waitFor();
	await page.getByLabel('Name').fill('Pat Partner');
	await page.getByLabel('E-mail address', { exact: true }).fill('pat@partner.example');
	await page.getByRole('button', { name: 'Add the partner' }).click();
	const link = await page
		.locator('code', { hasText: `https://${SHOP}/?aff=` })
		.first()
		.textContent();
	const key = await page.locator('code', { hasText: /^prg_/ }).textContent();

	const state = (step: string) =>
		page
			.getByRole('listitem')
			.filter({ hasText: new RegExp(`^[^A-Z]*${step}`) })
			.locator('.state')
			.getAttribute('aria-label');
	expect(await state('Click')).toBe('waiting');
	const visit = await (await world.visitor()).newPage();
	await visit.goto(link ?? '');
	const clickId = await clickIdOn(visit);
	await expect.poll(() => state('Click')).toBe('done');

	const sale = { transaction_id: 'order-1', amount_cents: 9_900, customer_key: 'user-1', click_id: clickId };
	const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
	await visit.request.post(`${world.service.url}/api/v1/track/sale`, { headers, data: sale });
	await expect.poll(() => state('Sale')).toBe('done');

	// When the page is reopened, it shows the time of the last click, and no completed step says that nothing has arrived.
	const again = await page.context().newPage();
	await again.goto(page.url());
	await again.getByText(/^The last click arrived on .*, before this test\./).waitFor();
	await again.getByText(/Clicks of crawlers and headless browsers.*are recorded but not counted/).waitFor();
	expect(await again.getByText(/No click has arrived/).count()).toBe(0);
	await again.close();

	// The partner's sale also appears on the page that owners check every day.
	await page.getByRole('link', { name: 'Commissions' }).click();
	await page.getByText('order-1').waitFor();
	await page.getByText('$24.75').first().waitFor();
	expect(complaints).toEqual([]);
});

test('the whole set-up works by keyboard', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/new`);
	await page.getByRole('heading', { name: 'New program' }).waitFor();
	await fill(page, 'Name', 'Keyboard shop');
	await fill(page, 'Domain of your site', 'keys.example.com');
	await fill(page, 'Percent', '30');
	await press(page, 'Make the program');

	await page.getByRole('heading', { name: 'Set up Keyboard shop' }).waitFor();
	await press(page, 'Also allow localhost, while you develop');
	await page.getByText('http://localhost:*').waitFor();
	await fill(page, 'Name', 'Pia Partner');
	await fill(page, 'E-mail address', 'pia@partner.example');
	await page.keyboard.press('Enter');
	await page.getByText('Pia Partner').waitFor();
	await press(page, 'Send test events');
	await page.getByText('A test click, sign-up, sale and refund were sent').waitFor();
	expect(complaints).toEqual([]);
});

const MOST_STEPS = 80;

/** Moves to the field with Tab, and replaces its text. */
async function fill(page: Page, label: string, text: string): Promise<void> {
	await tabTo(page, label);
	await page.keyboard.press('Control+a');
	await page.keyboard.type(text);
}

async function press(page: Page, button: string): Promise<void> {
	await tabTo(page, button);
	await page.keyboard.press('Enter');
}

async function tabTo(page: Page, name: string): Promise<void> {
	const focused = () => page.evaluate('(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()');
	for (let step = 0; step < MOST_STEPS; step += 1) {
		if ((await focused()) === name) return;
		await page.keyboard.press('Tab');
	}
	throw new Error(`${name} cannot be reached by Tab`);
}
