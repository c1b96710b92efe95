import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { clickIdOn, complaintsOf, SERVICE, World } from './support/world.ts';

// From a fresh service to a partner's first sale, using only what the pages say.

const SHOP = 'first.example.com';

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

test('a new owner signs up, sets up a program, and watches the first click and sale arrive', async () => {
	const page = await (await world.visitor()).newPage();
	const complaints = complaintsOf(page);

	await page.goto(`${SERVICE}/`);
	await page.getByRole('link', { name: 'Create an account' }).click();
	await page.getByLabel('Your name').fill('Grace Owner');
	await page.getByLabel('Company').fill('First shop');
	await page.getByLabel('Email address', { exact: true }).fill('grace@first.example');
	await page.getByLabel('Password', { exact: true }).fill('seven green bicycles');
	await page.getByRole('button', { name: 'Create the account' }).click();

	// Without a program, the only option is to create one.
	await page.getByRole('heading', { name: 'New program' }).waitFor();
	await page.getByLabel('Name').fill('First shop');
	await page.getByLabel('Domain of your site').fill(`https://${SHOP}/teapots?colour=blue`);
	await page.getByLabel('Percent').fill('25');
	await expect.poll(() => page.getByText('USD earns its partner').textContent()).toContain('$25.00');
	expect(await page.getByLabel('Domain of your site').inputValue()).toBe(SHOP);
	await page.getByRole('button', { name: 'Create the program' }).click();

	// The overview is the set-up, and what the program has already is done.
	await page.getByRole('heading', { name: 'Set up First shop' }).waitFor();
	expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/programs\/\d+$/);
	await page.getByText('2 of 6 done').waitFor();
	const step = (title: string, result = '') => page.getByRole('button', { name: new RegExp(`^${title}.*${result}$`) });
	await step('Add your site', `Done. ${SHOP}, www.${SHOP}`).click();
	await page.getByRole('button', { name: /localhost/ }).click();
	await page.getByText('http://localhost:*').first().waitFor();
	await step('Set what partners earn', 'Done. .25.00 on a sale of .100.00').waitFor();

	await step('Add your first partner').click();
	await page.getByLabel('Name').fill('Pat Partner');
	await page.getByLabel('Email address', { exact: true }).fill('pat@partner.example');
	await page.getByRole('button', { name: 'Add the partner' }).click();
	const link = await page.locator('code', { hasText: `https://${SHOP}/?aff=` }).textContent();
	const invitation = page.locator('code', { hasText: '/api/v1/invitations/' });
	const invitationUrl = await invitation.textContent();
	await isAccessible(page);

	await page.getByRole('button', { name: 'Continue' }).click();
	const state = (name: string) =>
		page
			.locator('.chain > li', { hasText: new RegExp(`^${name}`) })
			.locator('.state')
			.getAttribute('aria-label');
	expect(await state('Click')).toBe('waiting');
	await page.getByRole('button', { name: 'Send test events' }).last().click();
	for (const name of ['Click', 'Sign-up', 'Sale', 'Refund']) await expect.poll(() => state(name)).toBe('done');
	await page.getByText('4 of 6 done').waitFor();
	await isAccessible(page);

	// The invitation is shown again until the page is reloaded.
	await step('Add your first partner').click();
	expect(await invitation.textContent()).toBe(invitationUrl);

	// The shop's pages are exactly the code of the first tab.
	await step('Add the script to your site').click();
	await page.getByRole('tab', { name: 'Google Tag Manager' }).click();
	await page.getByText('a tag of type Custom HTML').waitFor();
	await page.getByRole('tab', { name: 'HTML', exact: true }).click();
	const code = await page.locator('pre:visible').textContent();
	world.shop(SHOP, { pages: { '/': `<!doctype html><head><title>Shop</title>${code}</head>` } });
	await page.getByText('Waiting for the first click').waitFor();
	await isAccessible(page);
	const visit = await (await world.visitor()).newPage();
	await visit.goto(link ?? '');
	const clickId = await clickIdOn(visit);
	await page.getByText('The last click arrived').waitFor();
	await page.getByText('5 of 6 done').waitFor();

	// A reload opens the first step that is left. A sale is one command, with the click.
	await page.reload();
	await page.getByText('5 of 6 done').waitFor();
	await page.getByText('Recommended if your backend reports sign-ups:').waitFor();
	await page.getByRole('button', { name: 'Accept keys from the backend only' }).click();
	await page.getByText('Only your backend may report customer keys.').waitFor();
	const command = page.locator('pre:visible');
	expect(await command.textContent()).toContain('Bearer prg_...');
	await page.getByRole('button', { name: 'Show the program key' }).click();
	await page.getByLabel('Your password').fill('seven green bicycles');
	await page.getByRole('button', { name: 'Show the key', exact: true }).click();
	await expect.poll(() => command.textContent()).toMatch(/Bearer prg_\w{9}/);
	await expect.poll(() => command.textContent()).toContain(`"click_id": "${clickId}"`);
	await isAccessible(page);

	// The first real sale turns the set-up into the overview.
	await report(visit, (await command.textContent()) ?? '');
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
	await page.getByText('Your first sale has arrived').waitFor();
	await page.getByRole('button', { name: /^Sales\s*1/ }).waitFor();
	await page.getByRole('button', { name: /^Revenue\s*\$99\.00/ }).waitFor();

	// The set-up keeps its address.
	await page.getByRole('link', { name: 'Set-up' }).click();
	await page.getByRole('heading', { name: 'Set up First shop' }).waitFor();
	await page.getByText('6 of 6 done').waitFor();

	// The partner's sale also appears on the page that owners check every day.
	await page.getByRole('link', { name: 'Commissions' }).click();
	await page.getByText('order-1').waitFor();
	await page.getByText('$24.75').first().waitFor();
	expect(complaints).toEqual([]);
});

/** Makes the call of the command that the page shows. */
async function report(visit: Page, command: string): Promise<void> {
	const [, key] = /Bearer (prg_\w+)/.exec(command) ?? [];
	const [, data] = /-d '(\{.*\})'/.exec(command) ?? [];
	const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
	const answer = await visit.request.post(`${world.service.url}/api/v1/track/sale`, { headers, data: data ?? '' });
	expect(await answer.json()).toMatchObject({ success: true, message: 'Sale recorded and commission created.' });
}

test('the figures are one link away before the first sale, and the address with a period shows them', async () => {
	const { programId } = await world.funnel({ domain: 'early.example.com' });
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${programId}`);
	await page.getByText('3 of 6 done').waitFor();
	await page.getByRole('link', { name: 'Show the figures' }).click();
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
	await page.getByRole('application').waitFor();
	await page.goto(`${SERVICE}/dashboard/programs/${programId}?period=7d`);
	await page.getByRole('button', { name: 'Period: 7 days' }).waitFor();
	expect(complaints).toEqual([]);
});

test('after a reload, a new invitation replaces the one that cannot be shown again', async () => {
	const { programId } = await world.funnel({ domain: 'again.example.com' });
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${programId}/setup`);
	await page.getByRole('button', { name: /^Add your first partner.*2 partners$/ }).click();
	await page.getByRole('button', { name: 'Create a new invitation link' }).click();
	await page.locator('code', { hasText: '/api/v1/invitations/' }).waitFor();
	await isAccessible(page);
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
	await press(page, 'Create the program');

	await page.getByRole('heading', { name: 'Set up Keyboard shop' }).waitFor();
	await fill(page, 'Name', 'Pia Partner');
	await fill(page, 'Email address', 'pia@partner.example');
	await page.keyboard.press('Enter');
	await page.getByText('Pia Partner').first().waitFor();
	await press(page, 'Continue');
	// The focus is on the step that opened.
	expect(await page.evaluate('document.activeElement.textContent')).toBe('4Send test events');
	await page.keyboard.press('Tab');
	await press(page, 'Send test events');
	await page.getByText('4 of 6 done').waitFor();
	await press(page, 'Continue');
	await page.getByRole('tab', { name: 'HTML', exact: true }).waitFor();
	await tabTo(page, 'HTML');
	await page.keyboard.press('ArrowRight');
	await page.getByText('app/layout.tsx').waitFor();
	expect(complaints).toEqual([]);
});

async function isAccessible(page: Page): Promise<void> {
	// React Aria announces a button that was pressed for some seconds, also after it is gone.
	await expect.poll(() => page.locator('[data-live-announcer] [role=img]').count()).toBe(0);
	expect(await hurdlesOn(page)).toEqual([]);
}

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
