import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOUBLE_CLICK_MS } from '../../src/pages/ui/send-once.ts';
import { ROOT } from '../../testing/root.ts';
import { addressOf, DASHBOARD, type Entry, isSettled, PORTAL } from './support/pages.ts';
import { clickIdOn, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// Every form of the dashboard and the portal is sent by a double click: the service hears of it once.

/** Pages whose forms are in the panel of a row. */
const OPENED: Readonly<Record<Entry, readonly string[]>> = {
	dashboard: [
		'/links?opened=1',
		'/commissions?open=1',
		'/commissions?open=2',
		'/payouts/history?open=1',
		'/applications?open=1',
		'/settings/undelivered?letter=1',
	].map((path) => `/programs/$programId${path}`),
	portal: ['/programs/$membershipId/links?open=1'],
};
const PAGES: Readonly<Record<Entry, readonly string[]>> = {
	dashboard: [...DASHBOARD, ...OPENED.dashboard],
	portal: [...PORTAL, ...OPENED.portal],
};

/** Labels of buttons that send a form, of which no page here has one: they need a state that others would lack. */
const ELSEWHERE = ['Accept', 'Sign in and accept', 'Set the password'];

/** What opens a dialog. */
const TRIGGER = 'button[aria-expanded]:not([aria-haspopup]):not([aria-label="Navigation"]):visible';
const SUBMIT = 'button[type=submit]:visible';
const ANSWER_MS = 50;
/** A page has many dialogs, and each of them is opened on the page anew. */
const PATIENCE_MS = 60_000;

let world: World;
let funnel: Funnel;
const seen = new Set<string>();
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({ domain: 'shop.example.com' });
	world.shop('shop.example.com', { pages: { '/': pageWith() } });
	const shop = await (await world.visitor()).newPage();
	await shop.goto(`https://shop.example.com/?aff=${funnel.pat}`);
	const customer = { customer_key: 'user-1', click_id: await clickIdOn(shop) };
	const backend = world.backend(funnel);
	await backend.lead({ ...customer, email: 'somebody@people.example' });
	for (const order of ['order-1', 'order-2', 'order-3']) await backend.sale({ ...customer, transaction_id: order, amount_cents: 9_900 });
	await world.manage(funnel, '/payouts', { commission_ids: [1] });
	await world.manage(funnel, '/webhooks', { url: 'https://hooks.shop.example/affiliates' });
	await world.manage(funnel, '/coupons', { partner_id: 1, code: 'PAT20' });
	await world.manage(funnel, '/groups', { name: 'Insiders' });
	await world.manage(funnel, '/api-token', { password: 'correct horse battery' });
});
afterAll(() => world.close());

interface Watched {
	readonly page: Page;
	/** What the service was sent that changes something; it refuses all of it, after a while. */
	readonly sent: string[];
}

async function watch(browser: BrowserContext): Promise<Watched> {
	const page = await browser.newPage();
	page.setDefaultTimeout(PATIENCE_MS);
	const sent: string[] = [];
	await page.route('**/api/**', async (route) => {
		const request = route.request();
		if (request.method() === 'GET') return route.fallback();
		sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
		await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
		return route.fulfill({ status: 409, contentType: 'application/json', body: '{"error":"Not in this test"}' });
	});
	return { page, sent };
}

/** So that the browser lets the form go, and something in it is new. */
async function fillIn(form: Locator): Promise<void> {
	let isChanged = false;
	for (const field of await form.locator('input:visible:not([type=checkbox]):not([type=radio]), textarea:visible').all()) {
		if (!(await field.isEditable())) continue;
		const before = await field.inputValue();
		if (before !== '' && isChanged) continue;
		if ((await field.getAttribute('role')) === 'combobox') {
			if (before !== '') continue;
			await field.press('ArrowDown');
			await field.page().getByRole('option').first().click();
		} else await field.fill(await textFor(field, before));
		isChanged = true;
	}
	const box = form.locator('input[type=checkbox]').first();
	if (!isChanged && (await box.count()) > 0) await box.evaluate((input) => void Reflect.apply(Reflect.get(input, 'click'), input, []));
}

async function textFor(field: Locator, before: string): Promise<string> {
	const [type, mode, name] = await Promise.all(['type', 'inputmode', 'name'].map((attribute) => field.getAttribute(attribute)));
	if (mode === 'numeric' || mode === 'decimal' || type === 'number') return before === '7' ? '8' : '7';
	if (type === 'email') return 'someone@people.example';
	if (type === 'password' && !/secret/.test(name ?? '')) return 'correct horse battery';
	if (type === 'url' || /url|origin/.test(name ?? '')) return `https://shop.example.com${/origin/.test(name ?? '') ? '' : '/page'}`;
	if (type === 'date') return '2026-01-31';
	if (/secret/.test(name ?? '')) return `whsec_${'A'.repeat(32)}`;
	if (/domain/.test(name ?? '')) return 'other.example.com';
	if (/iban/.test(name ?? '')) return 'DE89370400440532013000';
	return before === '' ? 'Something' : `${before}1`;
}

/** Sends it twice in one moment, and then by a double click. */
async function tryForm({ page, sent }: Watched, form: Locator, where: string): Promise<string[]> {
	const button = form.locator(SUBMIT).last();
	const label = (await button.innerText()).trim();
	const name = `${where}: ${label}`;
	await fillIn(form);
	const before = sent.length;
	await form.evaluate((element) => {
		for (const _ of [1, 2]) Reflect.apply(Reflect.get(element, 'requestSubmit'), element, []);
	});
	await page.waitForTimeout(ANSWER_MS + 150);
	const atOnce = sent.length - before;
	await page.waitForTimeout(DOUBLE_CLICK_MS);
	const since = sent.length;
	await button.dblclick();
	await page.waitForTimeout(ANSWER_MS + 150);
	seen.add(label);
	return atOnce === 1 && sent.length - since === 1
		? []
		: [`${name} was sent ${atOnce} times, and ${sent.length - since} by a double click`];
}

async function tryConfirm({ page, sent }: Watched, dialog: Locator, where: string): Promise<string[]> {
	const button = dialog.locator('button.primary').last();
	const label = (await button.innerText()).trim();
	const before = sent.length;
	// Its second press may meet the dialog as it fades away, or nothing any more.
	await button.dblclick({ timeout: 2_000 }).catch(() => undefined);
	await page.waitForTimeout(ANSWER_MS + 250);
	return sent.length - before <= 1 ? [] : [`${where}: ${label} was sent ${sent.length - before} times`];
}

/** All forms of a page, and of the dialogs that it opens. */
async function tryPage(watched: Watched, address: string, where: string): Promise<string[]> {
	const { page } = watched;
	const open = async () => {
		await page.goto(address);
		await isSettled(page);
	};
	await open();
	const wrong: string[] = [];
	const forms = page.locator('form:visible').filter({ has: page.locator(SUBMIT), hasNot: page.locator('[role=search]') });
	for (let index = 0; index < (await forms.count()); index += 1) {
		const form = forms.nth(index);
		if ((await form.getAttribute('role')) === 'search' || (await form.locator(SUBMIT).last().innerText()).startsWith('Explain')) continue;
		wrong.push(...(await tryForm(watched, form, where)));
	}
	const names = new Set<string>();
	for (let index = 0; index < (await page.locator(TRIGGER).count()); index += 1) {
		const trigger = page.locator(TRIGGER).nth(index);
		const name = (await trigger.getAttribute('aria-label')) ?? (await trigger.innerText());
		// Rows of a list have the same.
		if (names.has(name) || !(await trigger.isEnabled())) continue;
		names.add(name);
		const dialogs = await page.getByRole('dialog').count();
		await trigger.click();
		await page.waitForTimeout(300);
		const confirm = page.getByRole('alertdialog').last();
		const form = page.getByRole('dialog').last().locator('form').last();
		if ((await confirm.count()) > 0) wrong.push(...(await tryConfirm(watched, confirm, `${where}, ${name}`)));
		else if ((await page.getByRole('dialog').count()) > dialogs && (await form.locator(SUBMIT).count()) > 0)
			wrong.push(...(await tryForm(watched, form, `${where}, ${name}`)));
		await open();
	}
	return wrong;
}

describe.each(['dashboard', 'portal'] as const)('a form of the %s is sent once by a double click', (entry) => {
	let inside: BrowserContext;
	let outside: BrowserContext;
	beforeAll(async () => {
		inside = entry === 'dashboard' ? await world.ownersBrowser() : await world.partnersBrowser(funnel);
		outside = await world.visitor();
	});
	afterAll(async () => void (await Promise.all([inside.close(), outside.close()])));

	test.each(PAGES[entry])('%s', { timeout: 300_000 }, async (path) => {
		const watched = await watch(/sign-|reset-|invitation/.test(path) ? outside : inside);
		expect(await tryPage(watched, addressOf(funnel, entry, path), path)).toEqual([]);
		await watched.page.close();
	});
});

test('none was left out', () => {
	const sources = globSync('src/pages/**/*.tsx', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'));
	const labels = sources.flatMap((source) =>
		[...source.matchAll(/<ActionForm\b[^>]*?\baction="([^"]+)"/gs)].map(([, label]) => label ?? ''),
	);
	expect(labels.length).toBeGreaterThan(40);
	expect([...new Set(labels)].filter((label) => !seen.has(label) && !ELSEWHERE.includes(label))).toEqual([]);
	// All forms are this one: what else has fields searches, and changes nothing.
	const forms = globSync('src/pages/**/*.tsx', { cwd: ROOT }).filter((file) =>
		/<form\b|<Form\b/.test(readFileSync(join(ROOT, file), 'utf8')),
	);
	expect(forms.toSorted()).toEqual(['src/pages/dashboard/reports/explain.tsx', 'src/pages/ui/action-form.tsx']);
});

async function countOf(table: string): Promise<number> {
	const [row] = await world.service.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
	return row?.count ?? 0;
}

describe('what a double click makes is there once', () => {
	test.each([
		['programs', '/programs/new', undefined, 'Make the program', { Name: 'Second shop' }],
		['referral_links', '/programs/$programId/partners/$partnerId', 'Make a link', 'Make the link', {}],
		['coupons', '/programs/$programId/partners/$partnerId', 'Make a coupon', 'Make the coupon', { Code: 'TWICE' }],
		['partner_groups', '/programs/$programId/groups', 'New group', 'Make the group', { Name: 'Twice' }],
	] as const)('%s', async (table, path, trigger, label, fields) => {
		const page = await (await world.ownersBrowser()).newPage();
		await page.goto(addressOf(funnel, 'dashboard', path));
		await isSettled(page);
		if (trigger !== undefined) await page.getByRole('button', { name: trigger }).first().click();
		for (const [field, text] of Object.entries(fields)) await page.getByLabel(field, { exact: true }).fill(text);
		const before = await countOf(table);
		// So slow that the answer can come between the two presses.
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
