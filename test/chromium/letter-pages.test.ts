import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recoveryStatements } from '../../scripts/recovery.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { complaintsOf, SERVICE, World } from './support/world.ts';

// The pages that letters lead to, and where they lead on.

const OWNER = { email: 'ada@shop.example', password: 'correct horse battery' };

let world: World;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
	world = await World.open();
});
beforeEach(async () => {
	page = await (await world.visitor()).newPage();
	complaints = complaintsOf(page);
});
afterAll(() => world.close());

/** A request as a tool sends it, from a page of the service. */
async function ask(path: string, body?: object, token?: string): Promise<{ data: Record<string, unknown> }> {
	const headers = { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
	const init = { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) };
	return page.evaluate(`fetch('/api/v1${path}', ${JSON.stringify(init)}).then((answer) => answer.json())`);
}

/** The token of an invitation to that address. */
async function invited(email: string): Promise<string> {
	await page.goto(`${SERVICE}/docs/`);
	const session = String((await ask('/auth/sign-in', OWNER)).data['token']);
	const [workspace] = await world.service.rows<{ id: number }>('SELECT id FROM workspaces ORDER BY id');
	const { data } = await ask(`/workspaces/${workspace?.id}/members`, { email, role: 'member' }, session);
	return String(data['invitation_url']).split('/').at(-1) ?? '';
}

const said = () => page.textContent('#said');

test('an invited person joins under a name and a password of their own', async () => {
	const token = await invited('grace@people.example');
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.waitForSelector('#new input');
	expect(await said()).toMatch(/^Ada Owner invites you to .*, as member\.$/);
	expect(await page.textContent('#email')).toBe('g…@people.example');
	await page.getByLabel('Your name').fill('Grace');
	await page.getByLabel('New password').fill('password1234');
	await page.getByRole('button', { name: 'Join', exact: true }).click();
	await expect.poll(said).toMatch(/^password /);
	await page.getByLabel('New password').fill('four plain words together');
	await page.getByRole('button', { name: 'Join', exact: true }).click();
	// A new account of no program yet, signed in.
	await page.waitForURL(/\/dashboard\//);
	await page.getByRole('button', { name: 'Account of Grace' }).waitFor();
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await expect.poll(said).toBe('This invitation has been used: a link works once');
	// What Chromium says of answers that are refusals.
	expect(complaints.filter((complaint) => !/status of (400|410)/.test(complaint))).toEqual([]);
});

test('who has an account joins with it, and is signed in', async () => {
	await page.goto(`${SERVICE}/docs/`);
	await ask('/auth/sign-up', { email: 'bea@people.example', password: 'four plain words together', name: 'Bea' });
	const token = await invited('other@people.example');
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.getByLabel('E-mail address').fill('bea@people.example');
	await page.locator('#known').getByLabel('Password').fill('four plain words together');
	await page.getByRole('button', { name: 'Sign in and join' }).click();
	await page.waitForURL(/\/dashboard\//);
	await page.getByRole('button', { name: 'Account of Bea' }).waitFor();
	expect(complaints).toEqual([]);
});

test('who cannot join with an account is left as signed out as before', async () => {
	const token = await invited('late@people.example');
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.waitForSelector('#known input');
	await world.service.rows('UPDATE invitations SET expires_at = 1 WHERE email = ?', 'late@people.example');
	await page.getByLabel('E-mail address').fill(OWNER.email);
	await page.locator('#known').getByLabel('Password').fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in and join' }).click();
	await expect.poll(said).toMatch(/expired/);
	await expect.poll(() => page.context().cookies()).toEqual([]);
});

test('a lost password is set anew', async () => {
	const token = `rst_${'5'.repeat(40)}`;
	for (const statement of recoveryStatements(OWNER.email, await sha256Hex(token), Date.now())) await world.service.rows(statement);
	await page.goto(`${SERVICE}/reset-password#token=${token}`);
	await page.getByLabel('New password').fill('another four plain words');
	await page.getByRole('button').click();
	await expect.poll(said).toBe('Your password is set. Sign in with it from now on.');
	expect(page.url()).toBe(`${SERVICE}/reset-password`);
	await page.getByRole('link', { name: 'Sign in' }).click();
	await page.getByRole('heading', { name: 'Sign in' }).waitFor();
	await page.goto(`${SERVICE}/docs/`);
	expect(await ask('/auth/sign-in', { ...OWNER, password: 'another four plain words' })).toMatchObject({ success: true });
	expect(complaints).toEqual([]);
});

test.each(['reset-password', 'invitation'])('/%s says what is missing where it is opened without a token', async (path) => {
	await page.goto(`${SERVICE}/${path}`);
	await expect.poll(said).toMatch(/^Open the link of the letter/);
	expect([await page.isVisible('form'), complaints]).toEqual([false, []]);
});
