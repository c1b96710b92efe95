import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { signIn } from './support/dashboard.ts';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

// Several rates: the public page and the portal list each of them (decision 74).

const RULES = [
	{ type: 'percent', percent: 3, product_id: 'gift-card', recurring_months: 0 },
	{ type: 'percent', percent: 22, product_id: 'annual-plan-with-a-long-name', hold_days: 30 },
];
const ROWS = [
	['Product annual-plan-with-a-long-name', '22% of the sale', 'every payment', 'after 30 days'],
	['Product gift-card', '3% of the sale', 'the first payment', 'at once'],
	['All other sales', '20% of the sale', 'every payment', 'at once'],
];

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ domain: 'shop.example' });
	const owner = await signIn(await world.visitor(), funnel, 'rules');
	const send = (path: string, method: string, body: object) =>
		owner.evaluate(
			async (sent) => {
				const headers = { 'Content-Type': 'application/json' };
				const { status } = await fetch(sent.path, { method: sent.method, headers, body: sent.body });
				return status;
			},
			{ path: `/api/v1/programs/${funnel.programId}/${path}`, method, body: JSON.stringify(body) },
		);
	for (const rule of RULES) expect(await send('commission-rules', 'POST', rule)).toBe(201);
	expect(await send('application-form', 'PATCH', { slug: 'rates-of-tea', applications: 'by_approval' })).toBe(200);
	await owner.close();
});
afterAll(() => world.close());

async function rowsIn(page: Page): Promise<string[][]> {
	const table = page.getByRole('region', { name: 'All rates' });
	await table.waitFor();
	const rows = await table.locator('tbody tr').all();
	return Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).map((text) => text.trim())));
}

test('the public page lists each rate, on a phone without scrolling sideways', async () => {
	const page = await (await world.visitor()).newPage();
	const complaints = complaintsOf(page);
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto(`${SERVICE}/p/rates-of-tea`);
	await page.getByText('20% of most sales').waitFor();
	await page.getByText('Some products earn 3% to 22%.').waitFor();
	expect(await rowsIn(page)).toEqual(ROWS);
	const overflow = `[...document.querySelectorAll('[aria-label="All rates"]')].map((region) => region.scrollWidth - region.clientWidth)`;
	expect(await page.evaluate(overflow)).toEqual([0]);
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});

test('the portal lists the same rates', async () => {
	const page = await (await world.partnersBrowser(funnel, {})).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/portal/programs/${funnel.partnerProgramId}`);
	await page.getByText('20% of most sales').waitFor();
	await page.getByText('All 3 rates').click();
	expect(await rowsIn(page)).toEqual(ROWS);
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});
