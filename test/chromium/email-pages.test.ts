import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recoveryStatements } from '../../scripts/recovery.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { hurdlesOn } from './support/axe.ts';
import { complaintsOf, SERVICE, World } from './support/world.ts';

// The pages that emails link to, and the pages that follow.

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

/** Sends a request from a page of the service. */
async function ask(path: string, body?: object, token?: string): Promise<{ data: Record<string, unknown> }> {
	const headers = { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
	const init = { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) };
	return page.evaluate(`fetch('/api/v1${path}', ${JSON.stringify(init)}).then((answer) => answer.json())`);
}

async function invited(email: string): Promise<string> {
	await page.goto(`${SERVICE}/docs/`);
	const session = String((await ask('/auth/sign-in', OWNER)).data['token']);
	const [workspace] = await world.service.rows<{ id: number }>('SELECT id FROM workspaces ORDER BY id');
	const { data } = await ask(`/workspaces/${workspace?.id}/members`, { email, role: 'member' }, session);
	return String(data['invitation_url']).split('/').at(-1) ?? '';
}

async function joinAs(name: string, password: string): Promise<void> {
	await page.getByLabel('Your name').fill(name);
	await page.getByLabel('Choose a password').fill(password);
	await page.getByRole('button', { name: 'Accept', exact: true }).click();
}

async function joinWithAccount(email: string, password: string): Promise<void> {
	await page.getByRole('button', { name: 'Sign in and accept' }).click();
	await page.getByLabel('Email address', { exact: true }).fill(email);
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.getByRole('button', { name: 'Sign in and accept' }).click();
}

test('an invited person joins with a new name and password', async () => {
	const token = await invited('grace@people.example');
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.getByRole('heading', { name: /^Join / }).waitFor();
	await page.getByText('Ada Owner invites you to').waitFor();
	await page.getByText('Sent to grace@people.example.').waitFor();
	expect(await page.getByLabel('You will sign in with').inputValue()).toBe('grace@people.example');
	expect(await hurdlesOn(page)).toEqual([]);
	await joinAs('Grace', 'password1234');
	await page.getByRole('alert').waitFor();
	await page.getByLabel('Choose a password').fill('four plain words together');
	await page.getByRole('button', { name: 'Accept', exact: true }).click();
	// The new account is signed in, and has no program yet.
	await page.waitForURL(/\/dashboard\//);
	await page.getByRole('button', { name: 'Account of Grace' }).waitFor();
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.getByText('This invitation has already been used. A link works once.').waitFor();
	await page.getByRole('link', { name: 'Go on' }).waitFor();
	expect(complaints).toEqual([]);
});

test('a person with an account joins with it, and is signed in', async () => {
	await page.goto(`${SERVICE}/docs/`);
	await ask('/auth/sign-up', { email: 'bea@people.example', password: 'four plain words together', name: 'Bea' });
	const token = await invited('other@people.example');
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await joinWithAccount('bea@people.example', 'four plain words together');
	await page.waitForURL(/\/dashboard\//);
	await page.getByRole('button', { name: 'Account of Bea' }).waitFor();
	expect(complaints).toEqual([]);
});

test('a signed-in person sees their name, and may sign out and use another account', async () => {
	await page.goto(`${SERVICE}/docs/`);
	await ask('/auth/sign-up', { email: 'cleo@people.example', password: 'four plain words together', name: 'Cleo' });
	const token = await invited('third@people.example');
	await ask('/auth/sign-in', { email: 'cleo@people.example', password: 'four plain words together', cookie: true });
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.getByText('The invitation is for third@people.example. You are signed in as Cleo (cleo@people.example)').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await page.getByRole('button', { name: 'Sign out' }).click();
	await page.getByLabel('Choose a password').waitFor();
	await joinWithAccount('cleo@people.example', 'four plain words together');
	await page.waitForURL(/\/dashboard\//);
	expect(complaints).toEqual([]);
});

test('a person who cannot join stays signed out', async () => {
	const token = await invited('late@people.example');
	await page.goto(`${SERVICE}/invitation#token=${token}`);
	await page.getByLabel('Choose a password').waitFor();
	await world.service.rows('UPDATE invitations SET expires_at = 1 WHERE email = ?', 'late@people.example');
	await joinWithAccount(OWNER.email, OWNER.password);
	await page.getByRole('alert').getByText('expired').waitFor();
	// The device and bookmark cookies are not a session.
	const sessions = async () => (await page.context().cookies()).filter(({ name }) => !/tracker_(device_|bookmark)/.test(name));
	await expect.poll(sessions).toEqual([]);
});

test('if two tabs accept at once, one joins and the other gets an error', async () => {
	const token = await invited('twice@people.example');
	const other = await page.context().newPage();
	for (const tab of [page, other]) {
		await tab.goto(`${SERVICE}/invitation#token=${token}`);
		await tab.getByLabel('Your name').fill('Twice');
		await tab.getByLabel('Choose a password').fill('four plain words together');
	}
	await Promise.all([page, other].map((tab) => tab.getByRole('button', { name: 'Accept', exact: true }).click()));
	const ends = await Promise.all(
		[page, other].map((tab) =>
			Promise.race([
				tab.waitForURL(/\/dashboard\//).then(() => 'joined'),
				tab
					.getByRole('alert')
					.waitFor()
					.then(() => 'told'),
			]),
		),
	);
	expect(ends.toSorted()).toEqual(['joined', 'told']);
	const joined = await world.service.rows("SELECT id FROM users WHERE email = 'twice@people.example'");
	expect(joined).toHaveLength(1);
});

test('a form that is filled in while another window joins keeps its fields, and then shows the result', async () => {
	const token = await invited('later@people.example');
	const other = await page.context().newPage();
	for (const tab of [page, other]) {
		await tab.goto(`${SERVICE}/invitation#token=${token}`);
		await tab.getByLabel('Your name').fill('Later');
		await tab.getByLabel('Choose a password').fill('four plain words together');
	}
	await page.getByRole('button', { name: 'Accept', exact: true }).click();
	await page.waitForURL(/\/dashboard\//);
	await other.route('**/accept', (route) => route.fulfill({ status: 503, body: '{"error":"Busy: come again"}' }), { times: 1 });
	const me = other.waitForResponse('**/api/v1/me', { timeout: 3_000 }).catch(() => undefined);
	await other.getByRole('button', { name: 'Accept', exact: true }).click();
	await other.getByText(/Busy: come again/).waitFor();
	await me;
	expect(await other.getByLabel('Your name').inputValue()).toBe('Later');
	await other.getByRole('button', { name: 'Accept', exact: true }).click();
	await other.getByText(/This invitation has already been used/).waitFor();
});

test('a lost password is replaced, and the person is signed in', async () => {
	const token = `rst_${'5'.repeat(40)}`;
	for (const statement of recoveryStatements(OWNER.email, await sha256Hex(token), Date.now())) await world.service.rows(statement);
	await page.goto(`${SERVICE}/reset-password#token=${token}`);
	await page.getByLabel('New password').fill('another four plain words');
	expect(await hurdlesOn(page)).toEqual([]);
	await page.getByRole('button', { name: 'Set password' }).click();
	await page.getByText(`You are signed in as ${OWNER.email}`).waitFor();
	expect(page.url()).toBe(`${SERVICE}/portal/reset-password`);
	await page.getByRole('link', { name: 'Go on' }).click();
	await page.waitForURL(/\/dashboard\//);
	await page.getByRole('button', { name: 'Account of Ada Owner' }).waitFor();
	expect(complaints).toEqual([]);
});

test('a used link offers another one; without email it says who can create it', async () => {
	await page.goto(`${SERVICE}/dashboard/sign-in`);
	await page.getByRole('link', { name: 'Forgot your password?' }).click();
	await page.getByLabel('Email address', { exact: true }).fill('pia@blog.example');
	expect(await hurdlesOn(page)).toEqual([]);
	await page.getByRole('button', { name: 'Send link' }).click();
	await page.getByText('npm run recover -- --email pia@blog.example --remote').waitFor();
	// For a few seconds React Aria announces the loading button by a label that no longer exists.
	await expect.poll(() => hurdlesOn(page)).toEqual([]);
	await page.goto(`${SERVICE}/reset-password#token=rst_${'6'.repeat(40)}`);
	await page.getByLabel('New password').fill('another four plain words');
	await page.getByRole('button', { name: 'Set password' }).click();
	await page.getByRole('button', { name: 'Request a new link' }).click();
	await page.getByRole('button', { name: 'Send link' }).waitFor();
	expect(complaints).toEqual([]);
});

test('an invitation opened without its token says what is missing', async () => {
	await page.goto(`${SERVICE}/invitation`);
	await page.getByText('Open the complete link from your invitation').waitFor();
	expect([await page.locator('form').count(), complaints]).toEqual([0, []]);
});
