import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SERVICE, World } from './support/world.ts';

// The service's session cookie in a real browser, and pages of other sites that try to use it.

const OWNER = { email: 'ada@shop.example', password: 'correct horse battery' };
const PROGRAMS = '/api/v1/programs';

let world: World;
let browser: BrowserContext;
let own: Page;
beforeAll(async () => {
	world = await World.open();
	const pages = { '/': '<!doctype html><title>Page</title>' };
	// Another site, and a sibling host of the service.
	for (const host of ['evil.example.org', 'shop.example.net']) world.shop(host, { pages });
});
beforeEach(async () => {
	browser = await world.visitor();
	own = await browser.newPage();
	await own.goto(`${SERVICE}/docs/`);
});
afterAll(() => world.close());

/** The status, or that the request was blocked. */
function ask(page: Page, method: string, path: string, body?: object, mode = 'cors'): Promise<number | string> {
	const headers = mode === 'cors' && body ? { 'Content-Type': 'application/json' } : {};
	const init = { method, mode, credentials: 'include', headers, ...(body && { body: JSON.stringify(body) }) };
	return page.evaluate(`fetch('${SERVICE}${path}', ${JSON.stringify(init)}).then((answer) => answer.status, (error) => error.name)`);
}

const signIn = (page: Page, mode?: string) => ask(page, 'POST', '/api/v1/auth/sign-in', { ...OWNER, cookie: true }, mode);
const names = async () => (await world.service.rows<{ name: string }>('SELECT name FROM programs')).map(({ name }) => name);

async function sessionCookies(): Promise<object[]> {
	return (await browser.cookies())
		.filter(({ name }) => name.includes('session'))
		.map(({ name, domain, path, httpOnly, secure, sameSite }) => ({ name, domain, path, httpOnly, secure, sameSite }));
}

const COOKIE = { name: '__Host-tracker_session', domain: 'track.example.net', path: '/', httpOnly: true, secure: true, sameSite: 'Lax' };

test('a page of the service signs in, reads and writes, and signs out', async () => {
	expect(await ask(own, 'GET', '/api/v1/me')).toBe(401);
	expect(await signIn(own)).toBe(200);
	expect(await sessionCookies()).toEqual([COOKIE]);
	expect(await own.evaluate('document.cookie')).toBe('');
	expect(await ask(own, 'GET', '/api/v1/me')).toBe(200);
	expect(await ask(own, 'POST', PROGRAMS, { name: 'By a page' })).toBe(201);
	expect(await names()).toContain('By a page');
	expect(await ask(own, 'POST', '/api/v1/auth/sign-out')).toBe(200);
	expect(await sessionCookies()).toEqual([]);
	expect(await ask(own, 'GET', '/api/v1/me')).toBe(401);
});

test.each(['https://evil.example.org', 'https://shop.example.net'])('a page of %s cannot use the session', async (origin) => {
	await signIn(own);
	const page = await browser.newPage();
	await page.goto(`${origin}/`);
	const before = world.network.seen.length;
	for (const [method, path, body] of [
		['GET', '/api/v1/me', undefined],
		['POST', PROGRAMS, { name: 'Forged' }],
		['DELETE', '/api/v1/auth/sessions', undefined],
	] as const) {
		expect(await ask(page, method, path, body)).toBe('TypeError');
	}
	// The request needs no preflight, so it is sent, but the page cannot read the response.
	await ask(page, 'POST', PROGRAMS, { name: 'Forged blindly' }, 'no-cors');
	await ask(page, 'POST', '/api/v1/auth/sign-out', undefined, 'no-cors');
	await page.setContent(
		`<form method="post" enctype="text/plain" action="${SERVICE}${PROGRAMS}"><input name='{"name":"Forged by a form","x":"' value='"}'></form>`,
	);
	await Promise.all([page.waitForURL(`${SERVICE}/**`), page.evaluate("document.querySelector('form').submit()")]);
	expect(await page.textContent('body')).toMatch(/^\{"error":/);

	const sent = world.network.seen.slice(before).filter(({ method, url }) => method === 'POST' && url.pathname.startsWith('/api/v1/'));
	expect(sent.map(({ url }) => url.pathname)).toEqual([PROGRAMS, '/api/v1/auth/sign-out', PROGRAMS]);
	// The browser sends the cookie even from a sibling host, so the service itself must refuse it.
	const carried = sent.map(({ headers }) => headers.get('Cookie')?.includes(COOKIE.name) === true);
	expect(carried).toEqual(origin.endsWith('.example.net') ? [true, true, true] : [false, false, false]);
	expect((await names()).filter((name) => name.startsWith('Forged'))).toEqual([]);
	expect(await ask(own, 'GET', '/api/v1/me')).toBe(200);
});

test.each(['https://evil.example.org', 'https://shop.example.net'])(
	'a page of %s cannot sign anyone in as somebody else',
	async (origin) => {
		const page = await browser.newPage();
		await page.goto(`${origin}/`);
		await signIn(page, 'no-cors');
		expect(await sessionCookies()).toEqual([]);
	},
);
