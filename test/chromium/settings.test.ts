import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { complaintsOf, type Funnel, OWNER, SERVICE, World } from './support/world.ts';

const MEMBER = { email: 'mo@people.example', password: 'four plain words together' };

let world: World;
let program: Funnel;
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({ name: 'Teashop', allowed_origins: ['https://shop.example'] });
});
afterAll(() => world.close());

const settings = (part = '') => `${SERVICE}/dashboard/programs/${program.programId}/settings${part}`;

async function visit(path: string): Promise<{ context: BrowserContext; page: Page; complaints: readonly string[] }> {
	const context = await world.ownersBrowser();
	const page = await context.newPage();
	const complaints = complaintsOf(page);
	await page.goto(path);
	return { context, page, complaints };
}

async function statusWith(key: string): Promise<number> {
	const response = await fetch(`${world.service.url}/api/v1/cli/status`, { headers: { Authorization: `Bearer ${key}` } });
	await response.body?.cancel();
	return response.status;
}

test('a key is rotated: both work until the earlier one is ended', async () => {
	const { page, complaints } = await visit(settings('/keys'));
	await page.getByRole('button', { name: 'Rotate' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Your password').fill('not the password');
	await dialog.getByRole('button', { name: 'Create a new key' }).click();
	await expect.poll(() => dialog.getByRole('alert').textContent()).toMatch(/^Nothing was changed\. /);
	await dialog.getByLabel('Your password').fill(OWNER.password);
	await dialog.getByRole('button', { name: 'Create a new key' }).click();
	await dialog.getByText(/^The previous key works until /).waitFor();
	const key = (await dialog.locator('code').textContent()) ?? '';
	expect(await Promise.all([statusWith(key), statusWith(program.apiToken)])).toEqual([200, 200]);

	await dialog.getByRole('button', { name: 'Done' }).click();
	const earlier = page.getByRole('row').filter({ hasText: program.apiToken.slice(0, 8) });
	await expect.poll(() => earlier.textContent()).toMatch(/23 h 59 min \d\d s until /);
	await earlier.getByRole('button', { name: /^Revoke / }).click();
	await dialog.getByLabel('Your password').fill(OWNER.password);
	await dialog.getByRole('button', { name: 'Revoke now' }).click();
	await page.getByText('The key was revoked').waitFor();
	expect(await Promise.all([statusWith(key), statusWith(program.apiToken)])).toEqual([200, 401]);

	await page.getByRole('button', { name: 'Reveal' }).click();
	await dialog.getByLabel('Your password').fill(OWNER.password);
	await dialog.getByRole('button', { name: 'Reveal' }).click();
	await expect.poll(() => dialog.locator('code').textContent()).toBe(key);
	expect(complaints).toEqual([]);
});

test('a member who may only read sees values, and no action that would be refused', async () => {
	const { page: ownersPage } = await visit(settings('/team'));
	await ownersPage.getByRole('button', { name: 'Invite' }).click();
	await ownersPage.getByLabel('Email address', { exact: true }).fill(MEMBER.email);
	await ownersPage.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
	await ownersPage.getByText(/^Anyone with this link can use it once to join/).waitFor();
	const invitation = (await ownersPage.getByRole('dialog').locator('code').textContent()) ?? '';

	const page = await (await world.visitor()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(invitation);
	await page.getByLabel('Your name').fill('Mo');
	await page.getByLabel('Choose a password').fill(MEMBER.password);
	await page.getByRole('button', { name: 'Accept', exact: true }).click();
	await page.waitForURL(/\/dashboard\/programs\//);

	await page.goto(settings());
	const main = page.getByRole('main');
	await main.getByText('You can view these settings.').waitFor();
	await main.getByText('https://shop.example', { exact: true }).waitFor();
	expect([await main.getByRole('button').count(), await main.getByRole('textbox').count()]).toEqual([0, 0]);
	expect(await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents()).toEqual([
		'Program',
		'Keys',
		'Payments',
		'Payment events',
		'Team',
	]);

	await page.goto(settings('/keys'));
	await main.getByText('Only owners and admins of the workspace can reveal or rotate it.').waitFor();
	expect(await main.getByRole('button').count()).toBe(0);
	await page.goto(settings('/audit-log'));
	await main.getByText('Only owners of the workspace can see who did what').waitFor();
	expect(complaints).toEqual([]);
});

test('a workspace without a program has a page for its people, and later opens its first program', async () => {
	const { page, complaints } = await visit(settings('/team'));
	await page.getByRole('button', { name: 'New workspace' }).click();
	await page.getByRole('dialog').getByLabel('Name').fill('Second firm');
	await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
	await page.waitForURL(/\/programs\/new\?workspace=\d+$/);
	await page.getByRole('button', { name: /Second firm/ }).waitFor();
	await page.getByRole('link', { name: 'People of Second firm' }).click();
	await page.getByRole('heading', { name: 'Second firm' }).waitFor();
	await page.getByText('Ada Owner (you)').waitFor();
	await page.getByLabel('Name', { exact: true }).fill('Second company');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('heading', { name: 'Second company' }).waitFor();
	expect(complaints).toEqual([]);
});

test('people change their own name everywhere', async () => {
	const { page, complaints } = await visit(`${SERVICE}/dashboard/account`);
	await page.getByRole('button', { name: 'Edit name' }).click();
	await page.getByRole('dialog').getByLabel('Name').fill('Ada King');
	await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByRole('button', { name: 'Account of Ada King' }).waitFor();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await page.getByRole('button', { name: 'Edit name' }).click();
	await page.getByRole('dialog').getByLabel('Name').fill('Ada Owner');
	await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByRole('button', { name: 'Account of Ada Owner' }).waitFor();
	expect(complaints).toEqual([]);
});

test('a change after the session ended in another tab has no effect, and returns here after the sign-in', async () => {
	const { context, page, complaints } = await visit(settings());
	await page.getByLabel('Name', { exact: true }).waitFor();
	const other = await context.newPage();
	await other.goto(`${SERVICE}/dashboard/account`);
	await other.getByRole('button', { name: 'Account of Ada Owner' }).click();
	await other.getByRole('menuitem', { name: 'Sign out' }).click();
	await other.waitForURL(/\/sign-in/);

	await page.getByLabel('Name', { exact: true }).fill('Another name');
	await page.locator('section', { hasText: 'Time zone' }).getByRole('button', { name: 'Save' }).click();
	await page.waitForURL(/\/sign-in\?next=/);
	await page.getByText('Your session has ended').waitFor();
	await expect.poll(() => world.service.rows('SELECT name FROM programs WHERE id = ?', program.programId)).toEqual([{ name: 'Teashop' }]);

	await page.getByLabel('Email address', { exact: true }).fill(OWNER.email);
	await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(settings());
	await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Teashop');
	expect(complaints).toEqual([]);
});

test('clicks are kept for a number of days only after a confirmation, and a longer window raises it', async () => {
	const { page, complaints } = await visit(settings());
	const card = page.getByRole('region', { name: 'How long clicks are kept' });
	const stored = () => world.service.rows('SELECT click_retention_days AS days FROM programs WHERE id = ?', program.programId);
	await card.getByText('They are moved to compressed files in the service’s bucket.').waitFor();
	await card.getByRole('button', { name: 'Keep clicks' }).click();
	await page.getByRole('option', { name: 'For a number of days' }).click();
	await card.getByLabel('Days', { exact: true }).fill('66');
	await card.getByText('Enter a number from 67 to 3,660').waitFor();
	expect(await card.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
	await card.getByLabel('Days', { exact: true }).fill('67');
	await card.getByRole('button', { name: 'Save' }).click();
	const dialog = page.getByRole('alertdialog');
	await dialog.getByText('Clicks older than 67 days leave the database').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	expect(await stored()).toEqual([{ days: null }]);
	await card.getByRole('button', { name: 'Save' }).click();
	await dialog.getByRole('button', { name: 'Move them' }).click();
	await card.getByText('67 days', { exact: true }).waitFor();
	await card.getByText('No clicks', { exact: true }).waitFor();

	const attribution = page.getByRole('region', { name: 'Attribution' });
	await attribution.getByLabel('Attribution window, days').fill('90');
	await attribution.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Saved. Clicks are now kept for 97 days, a week longer than the attribution window.').waitFor();
	await card.getByText('97 days', { exact: true }).waitFor();
	expect(await stored()).toEqual([{ days: 97 }]);

	await world.service.rows(
		"INSERT INTO retired_click_days VALUES (?1, '2026-05-01', 200, 0, 0, 1, 200), (?1, '2026-05-02', 50000, 5, 1300000, 1, 0)",
		program.programId,
	);
	await world.service.rows(
		"INSERT INTO daily_performance (program_id, day, currency, clicks) VALUES (?, '2026-05-03', 'USD', 3000)",
		program.programId,
	);
	await page.reload();
	await card.getByText('3,000 clicks since May 3, 2026, about 1.3 MB').waitFor();
	await card.getByText('50,200 clicks, up to May 2, 2026').waitFor();
	await card.getByText('50,000 clicks, 1.3 MB').waitFor();
	await card.getByText('200 clicks', { exact: true }).waitFor();
	await card.getByRole('button', { name: 'Keep clicks' }).click();
	await page.getByRole('option', { name: 'For ever' }).click();
	await card.getByRole('button', { name: 'Save' }).click();
	await card.getByText('For ever').first().waitFor();
	await expect.poll(stored).toEqual([{ days: null }]);
	expect(complaints).toEqual([]);
});

const DIALOGS = [
	{ part: '/settings', button: 'Stop the program' },
	{ part: '/settings/keys', button: 'Reveal' },
	{ part: '/settings/keys', button: 'Rotate' },
	{ part: '/settings/payments/custom', button: 'Create a signing secret' },
	{ part: '/settings/payment-events', button: 'Replay several' },
	{ part: '/settings/team', button: 'Invite' },
	{ part: '/settings/team', button: 'Leave' },
	{ part: '/settings/team', button: 'New workspace' },
	{ part: '/account', button: 'Delete my account' },
	{ part: '/account/sessions', button: 'Sign out all others' },
];

test.each(['light', 'dark'] as const)('the dialogs are accessible in %s colours on a phone, and close by Escape', async (colorScheme) => {
	const page = await (await world.ownersBrowser({ colorScheme, viewport: { width: 390, height: 844 } })).newPage();
	const complaints = complaintsOf(page);
	for (const { part, button } of DIALOGS) {
		await page.goto(`${SERVICE}/dashboard${part.replace('/settings', `/programs/${program.programId}/settings`)}`);
		await page.getByRole('main').getByRole('button', { name: button, exact: true }).click();
		const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
		await dialog.waitFor();
		expect([button, await hurdlesOn(page)]).toEqual([button, []]);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
	}
	expect(complaints).toEqual([]);
});

test('an operator sends a test alert, and dismisses a message that nobody can process', async () => {
	const { page, complaints } = await visit(settings('/service'));
	await page.getByRole('button', { name: 'Send a test alert', exact: true }).click();
	await page.getByText(/^Alerts have no recipient\. Set the secret ALERT_WEBHOOK_URL/).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);

	await world.service.rows(
		"INSERT INTO dead_letters (message_id, body, reason, created_at) VALUES ('odd', '{\"version\":0}', 'The message has an unknown kind', 1)",
	);
	await page.goto(settings('/undelivered'));
	await page.getByRole('row').filter({ hasText: 'Unknown kind' }).first().click();
	await page.getByRole('button', { name: 'Dismiss the message', exact: true }).click();
	await page.getByText('The message was dismissed', { exact: true }).waitFor();
	await page.getByRole('row').filter({ hasText: 'Dismissed' }).first().waitFor();
	expect(complaints).toEqual([]);
});
