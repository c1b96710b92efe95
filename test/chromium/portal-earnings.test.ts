import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money } from '../../src/pages/format.ts';
import { hurdlesOn } from './support/axe.ts';
import { tabTo } from './support/dashboard.ts';
import { answersTo, type Earned, earnOfAllKinds, secretsOf } from './support/earnings.ts';
import { addressOf, isSettled } from './support/pages.ts';
import { complaintsOf, type Funnel, PATS_PASSWORD, SERVICE, World } from './support/world.ts';

// What partners see of their links and earnings, without anything about customers.

const DOMAIN = 'shop.example.com';

let world: World;
let funnel: Funnel;
let earned: Earned;
let browser: BrowserContext;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ domain: DOMAIN, commission: { type: 'percent', percent: 20, hold_days: 30 } });
	earned = await earnOfAllKinds(world, funnel);
	browser = await world.partnersBrowser(funnel);
});
afterAll(() => world.close());

async function open(path: string, within: BrowserContext = browser): Promise<Page> {
	const page = await within.newPage();
	await page.goto(addressOf(funnel, 'portal', `/programs/$membershipId${path}`));
	await isSettled(page);
	return page;
}

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

async function fileOf(page: Page): Promise<Record<string, string>[]> {
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'CSV' }).click();
	const [header = '', ...lines] = readFileSync(await (await download).path(), 'utf8')
		.trim()
		.split('\r\n');
	const names = header.split(',');
	// Only text cells are quoted, so their commas must not split the line.
	return lines.map((line) => {
		const values = line.replaceAll(/"[^"]*"/g, 'text').split(',');
		return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
	});
}

const amountsOn = async (page: Page) =>
	(await page.locator('tbody tr:has(td) :is(td, th):last-child').allInnerTexts()).map((text) => text.split('\n')[0] ?? '');

test('Home says in every currency what is available, on hold, on its way and paid', async () => {
	const page = await open('');
	const complaints = complaintsOf(page);
	const sumsIn = (currency: string) =>
		page.getByRole('region', { name: 'Earnings' }).getByRole('region', { name: currency }).locator('.amounts > div').allInnerTexts();
	const dollars = (await sumsIn('USD')).map((text) => text.split('\n').filter((line) => line.trim() !== ''));
	expect(dollars).toEqual([
		['Available', '$116.00', '$116.00 can be paid now. The program decides when.'],
		['On hold', '$28.00', 'In case of refunds'],
		['On its way', '$40.00', `In payout ${earned.payouts.recovering}, not sent yet`],
		['Paid so far', '$20.00', 'Sent in 1 payout'],
	]);
	expect((await sumsIn('EUR')).join(' ')).toMatch(/Available\s*€0\.00.*On hold\s*€10\.00.*On its way\s*€0\.00.*Paid so far\s*€0\.00/s);
	await page.getByRole('link', { name: `payout ${earned.payouts.recovering}` }).click();
	await page
		.getByRole('dialog', { name: `Payout ${earned.payouts.recovering}` })
		.getByText('On its way')
		.first()
		.waitFor();
	await page.getByText('The program has not marked it as sent yet.').first().waitFor();
	expect(complaints).toEqual([]);
	await page.close();
});

test('a commission in a payout is paid only after the payout is sent', async () => {
	const page = await open('/commissions?status=paid');
	const stateOf = async (amount: string) => page.getByRole('row').filter({ hasText: amount }).locator('.badge').innerText();
	await page.getByRole('link', { name: /^In payouts\s*2 · \$160\.00$/ }).waitFor();
	expect([await stateOf('$60.00'), await stateOf('$100.00')]).toEqual(['On its way', 'Payout failed']);
	await page.close();
});

test('deleting the account names the sums that it gives up, and offers to wait for the payout', async () => {
	const page = await browser.newPage();
	await page.goto(`${SERVICE}/portal/account`);
	await page.getByRole('button', { name: 'Delete my account' }).click();
	const dialog = page.getByRole('dialog', { name: 'Delete your account permanently?' });
	await dialog.getByLabel('Your password').fill(PATS_PASSWORD);
	await page.keyboard.press('Enter');
	const warning = dialog.getByRole('alert');
	await warning.getByText('You are not paid yet. Nothing was deleted.').waitFor();
	expect(await warning.getByRole('listitem').allTextContents()).toEqual([
		expect.stringMatching(/^€10\.00 of /),
		expect.stringMatching(/^\$184\.00 of .*, \$40\.00 of it in payouts that are not sent yet$/),
	]);
	expect(await hurdlesOn(page)).toEqual([]);
	const end = dialog.getByRole('button', { name: 'Delete permanently' });
	expect(await end.isDisabled()).toBe(true);
	await warning.getByText('I give up these earnings').click();
	expect(await end.isDisabled()).toBe(false);
	await dialog.getByRole('button', { name: 'Wait until I am paid' }).click();
	await dialog.waitFor({ state: 'detached' });
	await page.close();
});

test('commissions: states, currencies, days and the open one are in the address', async () => {
	const page = await open('/commissions');
	const complaints = complaintsOf(page);
	await page.getByRole('link', { name: /^All\s*8$/ }).waitFor();
	await page.getByRole('link', { name: /^Rejected\s*1 · \$40\.00$/ }).click();
	await page.getByText('Rejected by the program: Own order.').waitFor();
	// Rows with other statuses stay visible until the new ones are loaded.
	await expect.poll(() => amountsOn(page)).toEqual(['$40.00']);
	expect(searchOf(page)).toEqual({ status: 'rejected' });
	await page.getByRole('link', { name: /^All/ }).click();
	await page.getByRole('button', { name: 'Currency' }).click();
	await page.getByRole('option', { name: 'EUR' }).click();
	await page.getByRole('link', { name: /^On hold\s*1 · €10\.00$/ }).waitFor();
	await page.getByRole('link', { name: /^All\s*1$/ }).waitFor();
	expect(searchOf(page)).toEqual({ currency: 'EUR' });
	await page.reload();
	await page.getByRole('link', { name: /^All\s*1$/ }).waitFor();
	await page.getByText(/^You earn this on \w{3} \d+, \d{4}, when the 30-day hold is over\.$/).click();
	await page.getByRole('dialog').getByText('A sale of €50.00 came from your link').waitFor();
	expect(searchOf(page)).toEqual({ currency: 'EUR', open: String(earned.inEuros) });
	await page.keyboard.press('Escape');
	await page.goto(`${page.url().split('?')[0]}?from=2020-01-01&to=2020-01-31`);
	await page.getByText('No commissions in this period').waitFor();
	expect(complaints).toEqual([]);
	await page.close();
});

test.each<[keyof Omit<Earned, 'payouts'>, string[]]>([
	['approved', ['Available. It will be in an upcoming payout.']],
	['paid', ['It is on its way in payout', 'It was put into payout']],
	['reversed', ['$20.00 is deducted from your next earnings', 'Broken cup.', '$20.00 of your commission was deducted.']],
	['refunded', ['You earn the rest, $14.00, on', 'Too small. $6.00 of your commission was deducted.']],
	['failed', ['which failed. Its amount will be in the next payout.']],
	['rejected', ['Rejected by the program: Own order.']],
])('the timeline of a %s commission is explained in plain words', async (kind, told) => {
	const page = await open(`/commissions?open=${earned[kind]}`);
	for (const text of told) await page.getByRole('dialog').getByText(text).first().waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await page.close();
});

test('an uncredited sale says why', async () => {
	const page = await open('/commissions');
	await page.getByRole('link', { name: 'Earned nothing' }).click();
	await page.getByText('Your membership was suspended when it was recorded.').waitFor();
	await expect.poll(() => amountsOn(page)).toEqual(['$90.00']);
	expect((await fileOf(page)).map((row) => [row['reason_code'], row['amount_cents']])).toEqual([['partner_suspended', '9000']]);
	await page.close();
});

test('files contain what the page shows', async () => {
	const page = await open('/commissions?status=pending');
	const commissions = await fileOf(page);
	const shown = commissions.map((row) => money(Number(row['remaining_cents']), row['currency'] ?? ''));
	expect([shown, shown.length]).toEqual([await amountsOn(page), 2]);
	await page.close();

	const paid = await open('/payouts');
	const payouts = await fileOf(paid);
	expect(payouts.map((row) => money(Number(row['amount_cents']), row['currency'] ?? ''))).toEqual(await amountsOn(paid));
	await paid.close();

	const performance = await open('/performance');
	const days = await fileOf(performance);
	const sales = days.reduce((sum, row) => sum + Number(row['sales']), 0);
	await performance.getByRole('button', { name: new RegExp(`^Sales\\s*${sales}\\b`) }).waitFor();
	expect([days.length, sales, Object.keys(days[0] ?? {}).includes('previous_sales')]).toEqual([30, 9, true]);
	await performance.getByText('Compare with the period before').click();
	await expect.poll(() => searchOf(performance)).toEqual({ compare: 'off' });
	await isSettled(performance);
	expect(Object.keys((await fileOf(performance))[0] ?? {})).not.toContain('previous_sales');
	await performance.close();
});

test('payouts: their calculation, a recovered debt, a failed payout, and the next one', async () => {
	const page = await open('/payouts');
	await page.getByText('does not know where to').waitFor();
	await page.getByText('$116.00 can be paid now. The program decides when.').waitFor();
	await page.getByText('$60.00 of your commissions, less $20.00 deducted because sales that you were paid for were refunded.').click();
	const panel = page.getByRole('dialog');
	await panel.getByText('$20.00 was deducted.').waitFor();
	expect(searchOf(page)).toEqual({ open: String(earned.payouts.recovering) });
	await panel.getByRole('region', { name: 'Commissions of this payout' }).getByRole('link').click();
	await page.getByRole('dialog').getByText('A sale of $300.00 came from your link').waitFor();
	await page.goto(addressOf(funnel, 'portal', `/programs/$membershipId/payouts?open=${earned.payouts.failed}`));
	await panel.getByText('The account is closed. Its amount will be in the next payout.').waitFor();
	await page.goto(addressOf(funnel, 'portal', `/programs/$membershipId/payouts?open=${earned.payouts.sent}`));
	await panel.getByText('wire 7').first().waitFor();
	await page.close();
});

test('a link is added, changed and archived by keyboard', async () => {
	const page = await open('/links');
	const complaints = complaintsOf(page);
	await tabTo(page, page.getByRole('button', { name: 'Add a link' }));
	await page.keyboard.press('Enter');
	await page.keyboard.type('https://elsewhere.example/');
	await page.keyboard.press('Enter');
	await page.getByText(`destination_url must be a page on ${DOMAIN}`).waitFor();
	await page.keyboard.press('Control+a');
	await page.keyboard.type(`https://${DOMAIN}/cups`);
	await page.keyboard.press('Enter');
	await page.getByText('Your link is ready.').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await tabTo(page, page.getByRole('button', { name: 'Done' }));
	await page.keyboard.press('Enter');
	const row = page.getByRole('row').filter({ hasText: `Leads to ${DOMAIN}/cups` });
	await row.waitFor();
	await tabTo(page, row);
	await page.keyboard.press('Enter');
	await tabTo(page, page.getByRole('button', { name: 'Change destination' }));
	await page.keyboard.press('Enter');
	await page.getByLabel('Page', { exact: true }).fill(`https://${DOMAIN}/kettles`);
	await page.keyboard.press('Enter');
	await page.getByRole('dialog').getByText(`https://${DOMAIN}/kettles`, { exact: true }).waitFor();
	await tabTo(page, page.getByRole('button', { name: 'Archive' }));
	await page.keyboard.press('Enter');
	await page.getByRole('alertdialog', { name: /^Archive / }).waitFor();
	await page.keyboard.press('Enter');
	await page.getByText('It no longer counts clicks.').waitFor();
	expect(complaints).toEqual([]);
	await page.close();
});

test('a notification links to its commission or payout', async () => {
	await expect
		.poll(() => world.service.rows('SELECT id FROM notifications WHERE program_id = ? AND partner_id IS NOT NULL', funnel.programId))
		.not.toHaveLength(0);
	const page = await browser.newPage();
	await page.goto(`${SERVICE}/portal/notifications`);
	await page.getByRole('link', { name: 'Payout' }).last().waitFor();
	await page.getByRole('listitem').filter({ hasText: 'Own order' }).getByRole('link', { name: 'Commission' }).click();
	await page.getByRole('dialog').getByText('Rejected by the program: Own order.').waitFor();
	expect(searchOf(page)).toEqual({ open: String(earned.rejected) });
	await page.close();
});

const TIMELINES = ['pending', 'approved', 'reversed', 'paid', 'failed', 'rejected', 'refunded', 'inEuros'] as const;
const PAYOUTS = ['sent', 'recovering', 'failed'] as const;

describe.each([
	['in light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
	['in dark, on a phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
] as const)('%s', (_look, options) => {
	let own: BrowserContext;
	beforeAll(async () => {
		own = await world.partnersBrowser(funnel, options);
	});
	afterAll(() => own.close());

	test.each<readonly [string, path: (of: Earned) => string]>([
		...['', '/links', '/commissions', '/commissions/none', '/payouts', '/performance?period=all'].map(
			(path) => [path, () => path] as const,
		),
		...TIMELINES.map((kind) => [`the ${kind} commission`, (of: Earned) => `/commissions?open=${of[kind]}`] as const),
		...PAYOUTS.map((kind) => [`the ${kind} payout`, (of: Earned) => `/payouts?open=${of.payouts[kind]}`] as const),
	])('%s reveals nothing about customers, and is accessible', async (_name, pathOf) => {
		const secrets = await secretsOf(world);
		expect(secrets.length).toBeGreaterThan(12);
		const page = await own.newPage();
		const [answers, complaints] = [answersTo(page), complaintsOf(page)];
		await page.goto(addressOf(funnel, 'portal', `/programs/$membershipId${pathOf(earned)}`));
		await page.getByRole('heading').first().waitFor();
		await page.waitForLoadState('networkidle');
		await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
		const told = [await page.content(), ...(await Promise.all(answers.map(({ text }) => text)))].join('\n');
		expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
		expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
		expect(await hurdlesOn(page)).toEqual([]);
		expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
		expect(complaints).toEqual([]);
		await page.close();
	});
});
