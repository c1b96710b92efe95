import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
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
