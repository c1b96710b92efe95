import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

let world: World;
let program: Funnel;
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({ domain: 'shop.example', allowed_origins: ['https://shop.example'] });
});
afterAll(() => world.close());

async function visit(path: string): Promise<{ page: Page; complaints: readonly string[] }> {
	const page = await (await world.visitor()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/sign-in?next=/programs/${program.programId}/${path}`);
	await page.getByLabel('Email address', { exact: true }).fill('ada@shop.example');
	await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(`**/programs/${program.programId}/${path}`);
	return { page, complaints };
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a partner is added, invited by a working link, and suspended with a reason', async () => {
	const { page, complaints } = await visit('partners');
	await page.getByRole('button', { name: 'Add a partner' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('Robin');
	await dialog.getByLabel('Email address', { exact: true }).fill('pat@shop1.example');
	await dialog.getByRole('button', { name: 'Add and invite' }).click();
	// Pat already has this email address. The dialog shows the error and keeps the input.
	await dialog.getByRole('alert').waitFor();
	await dialog.getByLabel('Email address', { exact: true }).fill('robin@blog.example');
	await dialog.getByRole('button', { name: 'Add and invite' }).click();
	await dialog.getByText('Robin is now a partner').waitFor();
	const [invitation = ''] = await dialog.locator('code').allTextContents();
	const { pathname } = new URL(invitation);
	expect((await fetch(`${world.service.url}${pathname}`)).status).toBe(200);
	await dialog.getByRole('button', { name: 'Done' }).click();

	await rowOf(page, 'Robin').getByRole('checkbox').check({ force: true });
	await page.getByRole('button', { name: 'Suspend 1' }).click();
	await page.getByRole('dialog').getByLabel('Reason').fill('Ads on our name');
	await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
	await rowOf(page, 'Robin').getByText('Suspended').waitFor();
	await rowOf(page, 'Robin').click({ position: { x: 120, y: 12 } });
	await page.getByText('Ads on our name').waitFor();
	expect(complaints).toEqual([]);
});

test('columns are selected, and stay selected', async () => {
	const { page, complaints } = await visit('partners');
	await page.getByRole('columnheader', { name: 'Clicks' }).waitFor();
	await page.getByRole('button', { name: 'Columns' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Clicks' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Joined' }).click();
	await page.keyboard.press('Escape');
	await page.reload();
	await page.getByRole('columnheader', { name: 'Joined' }).click();
	await page.waitForURL(/sort=joined&order=desc/);
	expect(await page.getByRole('columnheader', { name: 'Clicks' }).count()).toBe(0);
	expect(complaints).toEqual([]);
});

test('an applicant is approved, and the invitation is shown until it is accepted', async () => {
	const { page, complaints } = await visit('applications');
	await page.getByRole('button', { name: 'Settings' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Applications' }).click();
	await page.getByRole('option', { name: 'Open: you decide' }).click();
	await page.getByRole('dialog').getByLabel('Address').fill('tea-partners');
	await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByText('/p/tea-partners').waitFor();
	const body = JSON.stringify({ name: 'Ines', email: 'ines@blog.example', message: 'I write about tea.' });
	const headers = new Headers({ 'Content-Type': 'application/json' });
	const applied = await world.service.fetch(`${SERVICE}/api/v1/public/programs/tea-partners/applications`, {
		method: 'POST',
		headers,
		body,
	});
	expect(applied.status).toBe(202);

	await page.reload();
	await rowOf(page, 'Ines').click({ position: { x: 120, y: 12 } });
	await page.getByRole('dialog').getByText('I write about tea.').waitFor();
	await page.getByRole('button', { name: 'Approve' }).click();
	await page.getByRole('dialog', { name: 'Approve Ines?' }).getByRole('button', { name: 'Approve' }).click();
	const panel = page.getByRole('dialog', { name: 'Ines is now a partner' });
	await panel.getByText('/api/v1/invitations/').waitFor();
	await panel.getByRole('button', { name: 'Done' }).click();
	await page.getByRole('link', { name: 'Approved 1' }).waitFor();
	expect(complaints).toEqual([]);
});

test("a partner's own rule wins over the general one in the calculator, until it is deleted", async () => {
	const { page, complaints } = await visit('rules');
	await page.getByText('$20.00', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'New rule' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'For sales of' }).click();
	await page.getByRole('option', { name: 'One partner' }).click();
	await pick(page, dialog.getByRole('combobox', { name: 'Partner' }), 'dana');
	await dialog.getByLabel('Percent').fill('33.5');
	await dialog.getByRole('button', { name: 'Create rule' }).click();
	await page.getByRole('heading', { name: 'A partner', exact: true }).waitFor();
	await dialog.waitFor({ state: 'hidden' });

	await pick(page, page.getByRole('combobox', { name: 'Partner' }), 'dana');
	await page.getByText('$33.50', { exact: true }).waitFor();
	await page.getByRole('region', { name: 'A partner', exact: true }).getByRole('button', { name: 'Delete' }).click();
	await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
	await page.getByText('$20.00', { exact: true }).waitFor();
	expect(complaints).toEqual([]);
});

async function pick(page: Page, box: ReturnType<Page['getByRole']>, name: string): Promise<void> {
	await box.fill(name);
	await page.getByRole('option', { name }).first().click();
}

test('a link works for any page, gets another destination, and is archived', async () => {
	const { page, complaints } = await visit('links');
	await rowOf(page, program.pat).click({ position: { x: 40, y: 12 } });
	const panel = page.getByRole('dialog', { name: program.pat });
	await panel.getByLabel('Any other page').fill('https://elsewhere.example/');
	await panel.getByText(/^This is not a page of shop\.example/).waitFor();
	await panel.getByLabel('Any other page').fill('https://shop.example/tea?size=2');
	await panel.getByText(`https://shop.example/tea?size=2&aff=${program.pat}`).waitFor();
	await panel.getByRole('button', { name: 'Change destination' }).click();
	await page
		.getByRole('dialog', { name: /^Destination of/ })
		.getByLabel('Destination', { exact: true })
		.fill('https://shop.example/sale');
	await page
		.getByRole('dialog', { name: /^Destination of/ })
		.getByRole('button', { name: 'Save' })
		.click();
	await panel.getByText(`https://shop.example/sale?aff=${program.pat}`).waitFor();
	await panel.getByRole('button', { name: 'Archive' }).click();
	await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
	await panel.getByRole('button', { name: 'Restore' }).waitFor();
	const followed = await fetch(`${world.service.url}/r/${program.pat}`, { redirect: 'manual' });
	expect(followed.status).toBe(404);
	expect(complaints).toEqual([]);
});
