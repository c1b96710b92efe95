import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
import { hurdlesOn } from './support/axe.ts';
import { signIn } from './support/dashboard.ts';
import { complaintsOf, type Funnel, World } from './support/world.ts';

// Paging through long lists to the end and back.

const PARTNERS = 119;

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({});
	const statements = manyEarned({
		programId: funnel.programId,
		partners: PARTNERS,
		commissions: PARTNERS,
		prefix: 'paged',
		now: Date.now() - 60_000,
	});
	for (const statement of statements) await world.service.rows(statement);
});
afterAll(() => world.close());

const press = (page: Page, name: 'Next' | 'Previous' | 'First page') =>
	page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name }).click();

const firstRow = (page: Page) => page.getByRole('row').nth(1);

test('partners that are ranked say which of how many they are, and go back', async () => {
	// The funnel adds two partners.
	const place = (text: string) => page.getByText(`${text} of ${PARTNERS + 2}`).waitFor();
	const page = await signIn(await world.visitor(), funnel, 'partners');
	const complaints = complaintsOf(page);
	await place('1–50');
	const first = await firstRow(page).textContent();
	await press(page, 'Next');
	await place('51–100');
	await press(page, 'Next');
	await place('101–121');
	expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
	await press(page, 'Previous');
	await place('51–100');
	await press(page, 'Previous');
	await place('1–50');
	expect(await firstRow(page).textContent()).toBe(first);
	expect(complaints).toEqual([]);
});

test('the list of due payouts only knows its next page, and goes back through the visited pages', async () => {
	const page = await signIn(await world.visitor(), funnel, 'payouts');
	const complaints = complaintsOf(page);
	const previous = page.getByRole('button', { name: 'Previous' });
	const rows: (string | null)[] = [];
	const stepTo = async (name: Parameters<typeof press>[1]) => {
		const before = await firstRow(page).textContent();
		await press(page, name);
		await expect.poll(() => firstRow(page).textContent(), { timeout: 120_000 }).not.toBe(before);
	};
	await previous.waitFor();
	expect(await previous.isDisabled()).toBe(true);
	for (let count = 0; count < 2; count += 1) {
		rows.push(await firstRow(page).textContent());
		await stepTo('Next');
	}
	for (const row of rows.toReversed()) {
		await stepTo('Previous');
		expect(await firstRow(page).textContent()).toBe(row);
	}
	expect(await previous.isDisabled()).toBe(true);
	expect(complaints).toEqual([]);
});

test('the number of rows of a page is chosen, and the browser keeps it for all lists', async () => {
	const page = await signIn(await world.visitor(), funnel, 'partners');
	const complaints = complaintsOf(page);
	await page.getByText(`1–50 of ${PARTNERS + 2}`).waitFor();
	await page.getByRole('button', { name: 'Rows per page' }).click();
	await page.getByRole('option', { name: '100 rows' }).click();
	await page.getByText(`1–100 of ${PARTNERS + 2}`).waitFor();
	await page.getByRole('link', { name: 'Commissions', exact: true }).click();
	await page.getByText(`1–100 of ${PARTNERS}`).waitFor();
	await page.reload();
	await page.getByText(`1–100 of ${PARTNERS}`).waitFor();
	expect(complaints).toEqual([]);
});

test('rows of several pages are selected, suspended together, and resumed by “Undo”', async () => {
	const page = await signIn(await world.visitor(), funnel, 'partners');
	const complaints = complaintsOf(page);
	const names: string[] = [];
	const tick = async () => {
		const row = firstRow(page);
		names.push((await row.getByRole('rowheader').locator('.strong').textContent()) ?? '');
		await row.getByRole('checkbox').check({ force: true });
	};
	const suspended = () =>
		world.service.rows(`SELECT count(*) AS partners FROM partner_programs WHERE program_id = ? AND status = 'suspended'`, funnel.programId);
	await page.getByText('1–50 of').waitFor();
	await tick();
	await press(page, 'Next');
	await page.getByText('51–100 of').waitFor();
	await tick();
	const bar = page.getByRole('region', { name: 'Selected partners' });
	await bar.getByText('2 partners').waitFor();
	await press(page, 'Previous');
	await page.getByText('1–50 of').waitFor();
	expect(await firstRow(page).getByRole('checkbox').isChecked()).toBe(true);
	await bar.getByRole('button', { name: 'Suspend 2' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
	await page.getByText('2 partners: suspended').waitFor();
	expect(await suspended()).toEqual([{ partners: 2 }]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await page.getByText('Undone').waitFor();
	expect(await suspended()).toEqual([{ partners: 0 }]);
	expect(new Set(names).size).toBe(2);

	await firstRow(page).getByRole('checkbox').check({ force: true });
	await bar.getByRole('button', { name: 'Clear selection' }).click();
	await bar.waitFor({ state: 'detached' });
	expect(complaints).toEqual([]);
});

test('a view keeps filters and columns under a name, until it is removed', async () => {
	const page = await signIn(await world.visitor(), funnel, 'commissions');
	const complaints = complaintsOf(page);
	const header = (name: string) => page.getByRole('columnheader', { name });
	await header('Rule').waitFor();
	await page.getByRole('navigation', { name: 'States' }).getByRole('link', { name: 'Approved' }).click();
	await page.waitForURL(/status=approved/);
	await page.getByRole('button', { name: 'Columns' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Rule' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'On hold until' }).click();
	await page.keyboard.press('Escape');
	await header('On hold until').waitFor();
	await page.getByRole('button', { name: 'Views' }).click();
	await page.getByRole('menuitem', { name: 'Save this view' }).click();
	await page.getByRole('dialog').getByLabel('Name').fill('To pay');
	await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByText('View “To pay” saved').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);

	await page.getByRole('button', { name: 'Columns' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Rule' }).click();
	await page.keyboard.press('Escape');
	await page.getByRole('navigation', { name: 'States' }).getByRole('link', { name: 'All' }).click();
	await page.getByRole('button', { name: 'Views' }).click();
	await page.getByRole('menuitem', { name: 'To pay' }).click();
	await page.waitForURL(/status=approved/);
	await header('Rule').waitFor({ state: 'detached' });
	await page.getByRole('button', { name: 'To pay' }).click();
	await page.getByRole('menuitem', { name: 'Remove “To pay”' }).click();
	await page.getByRole('button', { name: 'Views' }).waitFor();
	expect(complaints).toEqual([]);
});
