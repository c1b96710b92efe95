import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { sell, tabTo } from './support/dashboard.ts';
import { complaintsOf, type Funnel, OWNER, PATS_PASSWORD, SERVICE, World } from './support/world.ts';

// Using the portal by keyboard, on a phone, after the session has ended, and without being a partner.

let world: World;
let funnel: Funnel;
let browser: BrowserContext;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ name: 'Teashop', domain: 'shop.example', payout_minimum_cents: 5_000 });
});
beforeEach(async () => {
	browser = await world.partnersBrowser(funnel, { permissions: ['clipboard-read', 'clipboard-write'] });
	page = await browser.newPage();
	complaints = complaintsOf(page);
	await page.goto(portal());
	await page.getByRole('heading', { level: 1 }).waitFor();
});
afterEach(() => browser.close());
afterAll(() => world.close());

function portal(path = ''): string {
	return `${SERVICE}/portal/programs/${funnel.partnerProgramId}${path}`;
}

const setStatus = (status: string) =>
	world.service.rows('UPDATE partner_programs SET status = ? WHERE id = ?', status, funnel.partnerProgramId);

const copied = () => page.evaluate('navigator.clipboard.readText()');

test('a new partner sees what to do, and copies the link by keyboard', async () => {
	await page.getByText('How you earn your first commission').waitFor();
	await page.getByText('How do you want to be paid?').waitFor();
	await tabTo(page, page.getByRole('button', { name: 'Copy your link' }));
	await page.keyboard.press('Enter');
	await page.getByText('Copied').waitFor();
	expect(await copied()).toBe(`${SERVICE}/r/${funnel.pat}`);
	expect(complaints).toEqual([]);
});

test('a page of the shop becomes a link; a page of another site is refused with the reason', async () => {
	const field = page.getByLabel('Link to another page');
	await tabTo(page, field);
	await page.keyboard.type('https://other.example/teapots');
	await page.getByText('other.example does not belong to this program. Only links to pages of shop.example earn commissions.').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	expect(await page.getByRole('button', { name: 'Copy the link to that page' }).count()).toBe(0);

	await field.fill('www.shop.example/teapots?size=2');
	await tabTo(page, page.getByRole('button', { name: 'Copy the link to that page' }));
	await page.keyboard.press('Enter');
	await expect.poll(copied).toBe(`https://www.shop.example/teapots?size=2&aff=${funnel.pat}`);

	await tabTo(page, page.getByRole('button', { name: 'Create a short link' }));
	await page.keyboard.press('Enter');
	await tabTo(page, page.getByRole('button', { name: 'Copy the short link' }));
	await page.keyboard.press('Enter');
	await expect.poll(copied).toMatch(new RegExp(`^${SERVICE}/r/(?!${funnel.pat})`));
	const [made] = await world.service.rows<{ destination_url: string }>(
		'SELECT destination_url FROM referral_links ORDER BY id DESC LIMIT 1',
	);
	expect(made).toEqual({ destination_url: 'https://www.shop.example/teapots?size=2' });
	expect(complaints).toEqual([]);
});

test("without the device's share menu, the link is shared by plain addresses or a QR code", async () => {
	await page.getByRole('button', { name: 'Share your link' }).click();
	await page.getByRole('menuitem').first().waitFor();
	const link = encodeURIComponent(`${SERVICE}/r/${funnel.pat}`);
	expect(await page.evaluate("[...document.querySelectorAll('[role=menuitem]')].map((way) => way.href)")).toEqual([
		`mailto:?subject=Teashop&body=${link}`,
		`https://wa.me/?text=${link}`,
		`https://x.com/intent/post?url=${link}`,
		`https://www.facebook.com/sharer/sharer.php?u=${link}`,
	]);
	expect(await hurdlesOn(page)).toEqual([]);
	await page.keyboard.press('Escape');

	await page.getByRole('button', { name: 'QR code of your link' }).click();
	await page.getByRole('img', { name: `QR code of ${SERVICE}/r/${funnel.pat}` }).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});

test('a commission is shown with its state, and with what the next payout waits for', async () => {
	await sell(world, funnel, { transaction_id: 'order-1', amount_cents: 10_000 });
	await page.reload();
	const recent = page.getByRole('region', { name: 'Recent commissions' });
	await expect.poll(() => recent.textContent()).toContain('$20.00');
	const earnings = page.getByRole('region', { name: 'Earnings' });
	expect(await earnings.textContent()).toMatch(/Available\$20\.00.*which is less than the minimum payout of \$50\.00/);
	await tabTo(page, recent.getByRole('link', { name: /\$20\.00/ }));
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/commissions\?open=\d+$/);
	expect(complaints).toEqual([]);
});

test('payout details are checked while typing, need the password, and are shown masked', async () => {
	await tabTo(page, page.getByRole('link', { name: 'Add payout details' }));
	await page.keyboard.press('Enter');
	await tabTo(page, page.getByRole('button', { name: /^Add payout details for / }));
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog');
	await tabTo(page, dialog.getByRole('button', { name: /PayPal/ }));
	await page.keyboard.press('ArrowDown');
	await page.getByRole('option', { name: 'Bank transfer' }).waitFor();
	await page.keyboard.press('End');
	await page.keyboard.press('Enter');
	await tabTo(page, dialog.getByLabel('Name on the account'));
	await page.keyboard.type('Pat Partner');
	const iban = dialog.getByRole('textbox', { name: 'IBAN' });
	await tabTo(page, iban);
	await page.keyboard.type('DE89 3704 0044 0532 0130 01');
	await page.keyboard.press('Tab');
	await dialog.getByText('A character of this IBAN is wrong: its check digits do not match.').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await iban.fill('DE89 3704 0044 0532 0130 00');
	await dialog.getByLabel('Your password').fill('not the password');
	await page.keyboard.press('Enter');
	await expect.poll(() => dialog.getByRole('alert').textContent()).toMatch(/^Nothing was changed\. /);
	await dialog.getByLabel('Your password').fill(PATS_PASSWORD);
	await page.keyboard.press('Enter');
	await page.getByText('IBAN DE…3000').waitFor();
	expect(await page.content()).not.toContain('0532');

	await page.goto(portal());
	await page.getByRole('region', { name: 'Earnings' }).waitFor();
	await page.waitForLoadState('networkidle');
	expect(await page.getByText('How do you want to be paid?').count()).toBe(0);
	expect(complaints).toEqual([]);
});

test("the partner's data can be downloaded, and the page explains first what remains of a deleted account", async () => {
	await page.goto(`${SERVICE}/portal/account`);
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Download as JSON' }).click();
	expect((await download).suggestedFilename()).toBe('my-data.json');
	await page.getByRole('button', { name: 'Delete my account' }).click();
	await page.getByText('The advertiser must keep accounts.').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});

test('on a phone the navigation opens over the page, and works by keyboard', async () => {
	await page.setViewportSize({ width: 390, height: 844 });
	await tabTo(page, page.getByRole('button', { name: 'Navigation' }));
	await page.keyboard.press('Enter');
	const menu = page.getByRole('dialog', { name: 'Navigation' });
	await menu.waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await tabTo(page, menu.getByRole('link', { name: 'Payouts' }));
	await page.keyboard.press('Enter');
	await page.waitForURL(portal('/payouts'));
	expect(await menu.count()).toBe(0);
	expect(complaints).toEqual([]);
});

test('an ended session leads to the sign-in, and back', async () => {
	await world.service.rows('DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE email = ?)', funnel.patsEmail);
	// Without a pointer on the link: that would load the page ahead, and so lead to the sign-in before the click.
	await page.getByRole('link', { name: 'Payouts', exact: true }).first().dispatchEvent('click');
	await page.waitForURL(/\/portal\/sign-in\?next=/);
	await page.getByText('Your session has ended').waitFor();
	await page.getByLabel('Email address', { exact: true }).fill(funnel.patsEmail);
	await page.getByLabel('Password', { exact: true }).fill(PATS_PASSWORD);
	await page.keyboard.press('Enter');
	await page.waitForURL(portal('/payouts'));
	// The router had already logged the failed request to the console.
	expect(complaints.filter((complaint) => !complaint.includes('The session has ended'))).toEqual([]);
});

test('a partner is led from the front page to the portal; a member sees that they are not a partner', async () => {
	await page.goto(`${SERVICE}/`);
	await page.waitForURL(portal());

	const members = await (await world.ownersBrowser()).newPage();
	await members.goto(`${SERVICE}/portal`);
	await members.getByText('You are not a partner of any program yet').waitFor();
	await members.getByText(OWNER.email).first().waitFor();
	expect(await hurdlesOn(members)).toEqual([]);
	await members.getByRole('link', { name: 'dashboard' }).click();
	await members.waitForURL(/\/dashboard\/programs\/\d+/);
	// Somebody else's membership.
	await members.goto(portal());
	await members.getByText('Partner program not found').waitFor();
});

test('a suspended or former partner can still see their earnings', async () => {
	await setStatus('suspended');
	await page.reload();
	await page.getByText('The program has suspended you.').waitFor();
	expect(await page.getByRole('button', { name: 'Copy your link' }).count()).toBe(0);
	await page.getByRole('button', { name: /^Program: / }).click();
	await expect.poll(() => page.getByRole('menuitem', { name: 'Teashop' }).textContent()).toContain('Suspended');
	expect(await hurdlesOn(page)).toEqual([]);

	await setStatus('ended');
	await page.reload();
	await page.getByText('You are no longer a partner of this program.').waitFor();
	const pages = page.getByRole('navigation', { name: 'Program' }).getByRole('link');
	expect(await pages.allTextContents()).toEqual(['Home', 'Commissions', 'Payouts']);
	expect(complaints).toEqual([]);
});
