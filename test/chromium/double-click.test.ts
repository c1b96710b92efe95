import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOUBLE_CLICK_MS } from '../../src/pages/ui/send-once.ts';
import { ROOT } from '../../testing/root.ts';
import { addressOf, isSettled } from './support/pages.ts';
import { type Funnel, SERVICE, World } from './support/world.ts';

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ domain: 'shop.example.com' });
});
afterAll(() => world.close());

test('all forms use one component, which guards against it', () => {
	const files = globSync('src/pages/**/*.tsx', { cwd: ROOT });
	const having = (part: RegExp) => files.filter((file) => part.test(readFileSync(join(ROOT, file), 'utf8'))).toSorted();
	// The other form is a search and changes nothing.
	expect(having(/<form\b|<Form\b/)).toEqual(['src/pages/dashboard/reports/explain.tsx', 'src/pages/ui/action-form.tsx']);
	expect(having(/\buseMutation\b|\bmutateAsync\b/)).toEqual([]);
});

async function countOf(table: string): Promise<number> {
	const [row] = await world.service.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
	return row?.count ?? 0;
}

describe('a double click creates one of', () => {
	test.each([
		['programs', '/programs/new', undefined, 'Create the program', { Name: 'Second shop' }],
		['referral_links', '/programs/$programId/partners/$partnerId', 'Create a link', 'Create link', {}],
		['coupons', '/programs/$programId/partners/$partnerId', 'Create a coupon', 'Create coupon', { Code: 'TWICE' }],
		['partner_groups', '/programs/$programId/groups', 'New group', 'Create group', { Name: 'Twice' }],
	] as const)('%s', async (table, path, trigger, label, fields) => {
		const page = await (await world.ownersBrowser()).newPage();
		await page.goto(addressOf(funnel, 'dashboard', path));
		await isSettled(page);
		if (trigger !== undefined) await page.getByRole('button', { name: trigger }).first().click();
		for (const [field, text] of Object.entries(fields)) await page.getByLabel(field, { exact: true }).fill(text);
		const before = await countOf(table);
		// Slow enough for the response to arrive between the two clicks.
		await page.getByRole('button', { name: label }).dblclick({ delay: 80 });
		await expect.poll(() => countOf(table)).toBe(before + 1);
		await page.waitForTimeout(DOUBLE_CLICK_MS);
		expect(await countOf(table)).toBe(before + 1);
	});

	test('an application on the public page', async () => {
		await world.service.rows(
			"INSERT INTO application_forms (program_id, slug, mode, terms_version) VALUES (?, 'shop', 'by_approval', 0)",
			funnel.programId,
		);
		const page = await (await world.visitor()).newPage();
		const sent: string[] = [];
		page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
		await page.goto(`${SERVICE}/p/shop`);
		await page.locator('[name=name]').fill('Ines');
		await page.locator('[name=email]').fill('ines@blog.example');
		await page.locator('form button').last().dblclick({ delay: 80 });
		await page.locator('#sent').waitFor();
		expect(sent).toHaveLength(1);
	});
});
