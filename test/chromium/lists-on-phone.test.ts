import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manyEarned } from '../../testing/many-earned.ts';
import { hurdlesOn } from './support/axe.ts';
import { openTab } from './support/dashboard.ts';
import { complaintsOf, type Funnel, World } from './support/world.ts';

// On a phone, a list has rows of two lines, with the name on the left and the amount on the right.

const WIDTH = 390;

let world: World;
let funnel: Funnel;
let phone: BrowserContext;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ commission: { type: 'percent', percent: 100 } });
	const size = { partners: 3, commissions: 6 };
	for (const statement of manyEarned({ programId: funnel.programId, prefix: 'phone', now: Date.now(), ...size }))
		await world.service.rows(statement);
	phone = await world.ownersBrowser({ viewport: { width: WIDTH, height: 844 } });
});
afterAll(() => world.close());

test.each([
	['commissions', /phone-\d/],
	['partners', /dana/i],
	['payouts', /Partner 0000/],
])('the name and the amount of a row of %s are side by side on the screen', async (path, rowName) => {
	const page = await openTab(phone, funnel, path);
	const complaints = complaintsOf(page);
	const row = page.getByRole('row', { name: rowName }).first();
	await row.waitFor();
	const [name, amount] = await Promise.all([row.locator('.on-phone-lead').boundingBox(), row.locator('.on-phone-end').boundingBox()]);
	if (!name || !amount) throw new Error('The row has no name or no amount');
	expect(name.width).toBeGreaterThan(100);
	expect(amount.x).toBeGreaterThanOrEqual(name.x + name.width);
	expect(amount.x + amount.width).toBeLessThanOrEqual(WIDTH);
	expect(Math.abs(amount.y + amount.height / 2 - (name.y + name.height / 2))).toBeLessThan(12);
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});

test('a screen reader also hears the columns that a phone does not show', async () => {
	const page = await openTab(phone, funnel, 'commissions');
	const row = page.getByRole('row', { name: /phone-/ }).first();
	await row.waitFor();
	expect(await row.getByRole('gridcell').count()).toBeGreaterThanOrEqual(6);
	expect(await page.getByRole('columnheader', { name: 'Earned on' }).count()).toBe(1);
});
