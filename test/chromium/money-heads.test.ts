import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { isSettled } from './support/pages.ts';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

// What the money pages and a partner's page begin with.

let world: World;
let funnel: Funnel;
let held: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({});
	await earn(funnel, funnel.pat, { transaction_id: 'paid', amount_cents: 500_000 });
	await earn(funnel, funnel.pat, { transaction_id: 'paid-euros', amount_cents: 1_000, currency: 'EUR' });
	await earn(funnel, funnel.dana, { transaction_id: 'made', amount_cents: 15_000 });
	const made = await paid();
	await world.manage(funnel, '/payouts/sent', { payout_ids: made.slice(0, 1), reference: 'transfer 1' });
	await earn(funnel, funnel.pat, { transaction_id: 'due', amount_cents: 123_456_789 });
	await earn(funnel, funnel.pat, { transaction_id: 'due-euros', amount_cents: 5_000, currency: 'EUR' });
	await earn(funnel, funnel.pat, { transaction_id: 'due-dinars', amount_cents: 12_345, currency: 'KWD' });
	held = await world.funnel({ commission: { type: 'percent', percent: 20, hold_days: 30 } });
	await earn(held, held.pat, { transaction_id: 'held', amount_cents: 10_000 });
});
afterAll(() => world.close());

interface Sold {
	readonly transaction_id: string;
	readonly amount_cents: number;
	readonly currency?: string;
}

async function earn(by: Funnel, link: string, sale: Sold): Promise<void> {
	const backend = world.backend(by);
	const { click_id } = await backend.click({ affiliate_url: `https://shop.example/?aff=${link}` });
	await backend.sale({ ...sale, click_id });
}

/** Pays everything. Returns the payouts, those in dollars first. */
async function paid(): Promise<number[]> {
	await world.manage(funnel, '/payouts', {});
	const rows = await world.service.rows<{ id: number }>(
		'SELECT id FROM payouts WHERE program_id = ? ORDER BY currency DESC, id',
		funnel.programId,
	);
	return rows.map(({ id }) => id);
}

const partnerId = async (of: Funnel, name: string) => {
	const [row] = await world.service.rows<{ partner_id: number }>(
		'SELECT pp.partner_id FROM partner_programs pp JOIN partners p ON p.id = pp.partner_id WHERE pp.program_id = ? AND p.name = ?',
		of.programId,
		name,
	);
	return row?.partner_id ?? 0;
};

async function open(browser: BrowserContext, of: Funnel, path: string): Promise<{ page: Page; complaints: readonly string[] }> {
	const page = await browser.newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${of.programId}/${path}`);
	await isSettled(page);
	return { page, complaints };
}

/** The figures that the page begins with, each as "Due $20.00". */
async function leadOn(page: Page): Promise<string[]> {
	await expect.poll(() => page.locator('.lead-figures').getByText('…').count()).toBe(0);
	return page.evaluate(
		`[...document.querySelectorAll('.lead-figures > div')].map((part) => part.querySelector('dt').textContent + ' ' + part.querySelector('strong').textContent)`,
	);
}

test('each page of payouts begins with what is due, on hold, on its way and paid this month', async () => {
	const { page, complaints } = await open(await world.ownersBrowser(), funnel, 'payouts');
	const sums = ['Due $246,913.58', 'On hold $0.00', 'On its way $30.00', 'Paid this month $1,000.00'];
	expect(await leadOn(page)).toEqual(sums);
	await page.getByText('2 payouts not sent yet').waitFor();
	await page.getByText(/^1 payout sent in [A-Z][a-z]+$/).waitFor();
	await page.getByRole('button', { name: '+2 currencies: Due' }).click();
	expect(await page.getByRole('dialog', { name: 'Due' }).getByRole('listitem').allTextContents()).toEqual(['€10.00', 'KWD\u00A02.469']);
	await page.keyboard.press('Escape');
	await page.getByRole('link', { name: '2. To send' }).click();
	await page.getByRole('grid', { name: 'Payouts to send' }).waitFor();
	expect(await leadOn(page)).toEqual(sums);
	await page.getByRole('link', { name: 'History', exact: true }).click();
	await page.getByRole('grid', { name: 'Payouts', exact: true }).waitFor();
	expect(await leadOn(page)).toEqual(sums);
	expect(complaints).toEqual([]);
});

test('what is on hold leads to its commissions, whose states lead with the same sum', async () => {
	const { page, complaints } = await open(await world.ownersBrowser(), held, 'payouts');
	expect(await leadOn(page)).toEqual(['Due $0.00', 'On hold $20.00', 'On its way $0.00', 'Paid this month $0.00']);
	await page.getByRole('link', { name: 'See what is on hold' }).first().click();
	await page.waitForURL(/commissions\?status=pending/);
	await page.getByRole('link', { name: /^On hold\s*\$20\.00\s*1$/ }).waitFor();
	expect(await page.getByRole('link', { name: /^On hold/ }).getAttribute('aria-current')).toBe('page');
	expect(complaints).toEqual([]);
});

test('a state of commissions shows its sum in the program’s currency, and the others behind a chip', async () => {
	const { page, complaints } = await open(await world.ownersBrowser(), funnel, 'commissions');
	await page.getByRole('link', { name: /^All\s*6\s*commissions$/ }).waitFor();
	await page.getByRole('link', { name: /^Approved\s*\$246,913\.58\s*3$/ }).waitFor();
	await page.getByRole('button', { name: '+2 currencies: Approved' }).click();
	expect(await page.getByRole('dialog', { name: 'Approved' }).getByRole('listitem').allTextContents()).toEqual([
		'€10.00',
		'KWD\u00A02.469',
	]);
	expect(complaints).toEqual([]);
});

test('a partner begins with balances and the state', async () => {
	const { page, complaints } = await open(await world.ownersBrowser(), funnel, `partners/${await partnerId(funnel, 'pat')}`);
	expect(await leadOn(page)).toEqual(['Available to pay out $246,913.58', 'On hold $0.00']);
	await page.getByRole('button', { name: '+2 currencies: Available to pay out' }).waitFor();
	const sizes = await page.evaluate(`[...document.querySelectorAll('.lead-figures strong')].map((one) => getComputedStyle(one).fontSize)`);
	expect(sizes).toEqual(['36px', '22px']);
	// Both stand before the figures of the partner's links.
	const [state, balance, performance] = [
		page.getByText('Active', { exact: true }).first(),
		page.getByText('Available to pay out').first(),
		page.getByRole('heading', { name: 'Performance' }),
	];
	const tops = await Promise.all([state, balance, performance].map(async (part) => (await part.boundingBox())?.y ?? 0));
	expect(tops).toEqual(tops.toSorted((one, other) => one - other));
	expect(complaints).toEqual([]);
});

test('a debt is shown with its reason', async () => {
	const owing = await world.funnel({});
	await earn(owing, owing.pat, { transaction_id: 'owed', amount_cents: 10_000 });
	await world.manage(owing, '/payouts', {});
	await world.backend(owing).refund({ transaction_id: 'owed' });
	const { page, complaints } = await open(await world.ownersBrowser(), owing, `partners/${await partnerId(owing, 'pat')}`);
	expect(await leadOn(page)).toEqual(['Available to pay out $0.00', 'On hold $0.00', 'Debt $20.00']);
	await page.getByText('from refunds after a payout; the next payouts recover it').waitFor();
	expect(complaints).toEqual([]);
});

describe('a partner without payout details', () => {
	test('is asked for them, and nobody asks again for a week', async () => {
		const asked = await world.funnel({});
		const id = await partnerId(asked, 'pat');
		const browser = await world.ownersBrowser();
		const { page, complaints } = await open(browser, asked, `partners/${id}`);
		await page.getByText('No payout details').waitFor();
		// Until somebody has accepted the invitation, there is nobody to ask.
		expect(await page.getByRole('button', { name: 'Ask for payout details' }).count()).toBe(0);
		await (await world.partnersBrowser(asked)).close();
		await page.reload();
		const sent = page.waitForRequest('**/payout-details/ask');
		await page.route('**/payout-details/ask', async (route) => {
			await world.service.rows('UPDATE partners SET details_asked_at = ? WHERE id = ?', Date.now(), id);
			await route.fulfill({ json: { success: true, data: { partner_id: id, asked_at: new Date().toISOString() } } });
		});
		await page.getByRole('button', { name: 'Ask for payout details' }).click();
		expect((await sent).method()).toBe('POST');
		await page.getByText('An email is on its way to pat').waitFor();
		await page.getByText(/^Asked on [A-Z][a-z]{2} \d/).waitFor();
		expect(await page.getByRole('button', { name: 'Ask for payout details' }).count()).toBe(0);
		expect(complaints).toEqual([]);
	});

	test('is not asked if the service sends no email, and the page says so', async () => {
		const asked = await world.funnel({});
		await (await world.partnersBrowser(asked)).close();
		const { page } = await open(await world.ownersBrowser(), asked, `partners/${await partnerId(asked, 'pat')}`);
		await page.getByRole('button', { name: 'Ask for payout details' }).click();
		await page.getByText('This service sends no email, so it cannot ask. Ask the partner yourself').waitFor();
		await page.getByRole('button', { name: 'Ask for payout details' }).waitFor();
	});
});

const LOOKS: readonly [look: string, options: BrowserContextOptions][] = [
	['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
	['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 900 } }],
	['light on a phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
	['dark on a phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
];

describe.each(LOOKS)('%s', (_, options) => {
	test.each(['payouts', 'payouts/to-send', 'payouts/history', 'commissions', 'partner'])('%s is accessible and fits', async (path) => {
		const browser = await world.ownersBrowser(options);
		const { page } = await open(browser, funnel, path === 'partner' ? `partners/${await partnerId(funnel, 'pat')}` : path);
		expect(await hurdlesOn(page)).toEqual([]);
		const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
		expect(overflow).toBe(0);
		if (process.env['SHOTS'] !== undefined) {
			await page.waitForTimeout(300);
			await page.screenshot({ path: `${process.env['SHOTS']}/${path.replace('/', '-')} ${_}.png`, fullPage: true });
		}
		await browser.close();
	});
});
