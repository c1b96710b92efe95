import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';

const ORIGIN = 'https://tracker.example';

function get(path: string, init: RequestInit = {}): Promise<Response> {
	return exports.default.fetch(new Request(`${ORIGIN}${path}`, { redirect: 'manual', ...init }));
}

async function filesOf(path: string): Promise<readonly string[]> {
	return [...(await (await get(path)).text()).matchAll(/(?:href|src)="(\/pages\/[^"]*)"/g)].map(([, address]) => address ?? '');
}

describe('the front page', () => {
	test('redirects to the dashboard', async () => {
		const answer = await get('/');
		expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/dashboard']);
	});

	test('can only be read', async () => {
		expect((await get('/', { method: 'HEAD' })).status).toBe(302);
		expect((await get('/', { method: 'POST' })).status).toBe(405);
	});
});

describe.each(['dashboard', 'portal'])('the %s', (entry) => {
	test.each(['', '/', '/programs/1', '/no/such/page'])('answers "%s" with its single page', async (path) => {
		const answer = await get(`/${entry}${path}`);
		expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
		expect(await answer.text()).toContain('<div id="root">');
	});

	test('loads nothing from other hosts, runs in no frame, and has no inline script', async () => {
		const { headers } = await get(`/${entry}`);
		expect(headers.get('Content-Security-Policy')).toBe(
			"default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		);
		expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
		expect(headers.get('Referrer-Policy')).toBe('same-origin');
		const html = await (await get(`/${entry}`)).text();
		expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=/);
	});

	test('is revalidated each time, and its files are never', async () => {
		const page = await get(`/${entry}`);
		expect(page.headers.get('Cache-Control')).toBe('no-cache');
		const again = await get(`/${entry}`, { headers: { 'If-None-Match': page.headers.get('ETag') ?? '' } });
		expect(again.status).toBe(304);
		const files = await filesOf(`/${entry}`);
		expect(files.length).toBeGreaterThan(1);
		for (const file of files) {
			const { status, headers } = await get(file);
			expect([file, status, headers.get('Cache-Control')]).toEqual([file, 200, 'public, max-age=31536000, immutable']);
		}
	});

	test('shows its outline with a few styles, and loads the others after it', async () => {
		const [head = '', body = ''] = (await (await get(`/${entry}/programs/1`)).text()).split('<body>');
		expect([...head.matchAll(/<link rel="stylesheet"[^>]*href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
			expect.stringMatching(/^\/pages\/assets\/outline-[\w-]{8}\.css$/),
		]);
		expect(body.indexOf('rel="stylesheet"')).toBeGreaterThan(body.indexOf('class="skeleton"'));
	});

	test('loads no typeface before its scripts', async () => {
		const html = await (await get(`/${entry}/programs/1`)).text();
		expect(html).toMatch(/<html [^>]*class="starting"/);
		const [outline = ''] = /\/pages\/assets\/outline-[^"]*/.exec(html) ?? [];
		const styles = await (await get(outline)).text();
		expect(styles).toContain(':root.starting{font-family:Geist Fallback');
		expect(styles).not.toContain('woff2');
		// Its variables are those that it uses.
		const names = [...styles.matchAll(/[{;](--(?!lightningcss)[\w-]+):/g)].map(([, name]) => name);
		expect(names).toContain('--page');
		expect(names.filter((name) => !styles.includes(`var(${name})`))).toEqual([]);
	});

	test('starts with at most five scripts', async () => {
		const html = await (await get(`/${entry}/programs/1`)).text();
		expect([...html.matchAll(/(?:src|href)="[^"]*\.js"/g)].length).toBeLessThanOrEqual(5);
	});

	test('has no file that was not built', async () => {
		const answer = await get('/pages/assets/nothing.js');
		expect([answer.status, await answer.json()]).toEqual([404, { error: 'No such path: /pages/assets/nothing.js' }]);
	});

	test('has no other address that could avoid the policy', async () => {
		for (const path of [`/pages/${entry}/`, `/pages/${entry}/index.html`, '/index.html']) expect((await get(path)).status).toBe(404);
	});
});

describe('the sign-in', () => {
	test.each(['dashboard', 'portal'])('of the %s is a separate page, with its fields in the HTML', async (entry) => {
		const answer = await get(`/${entry}/sign-in?next=/programs/1`);
		const html = await answer.text();
		expect([answer.status, answer.headers.get('Cache-Control'), answer.headers.get('Link')]).toEqual([200, 'no-cache', null]);
		expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
		expect(html).toContain('type="password"');
		// Without the script, the browser would send the form to the wrong URL, so the button is disabled until the script is loaded.
		expect(html).toMatch(/<button[^>]* disabled/);
		expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=/);
	});
});

describe('the outline of a page', () => {
	test.each(['/dashboard/programs/1', '/portal'])('is in the HTML at %s', async (path) => {
		expect(await (await get(path)).text()).toContain('class="skeleton"');
	});

	test.each(['/dashboard/sign-up', '/portal/invitation', '/portal/reset-password'])(
		'is not at %s, which has no navigation',
		async (path) => {
			const html = await (await get(path)).text();
			expect([html.includes('<div id="root">'), html.includes('class="skeleton"')]).toEqual([true, false]);
		},
	);
});

function calls(links: readonly string[]) {
	return links.filter((link) => link.endsWith('; rel=preload; as=fetch; crossorigin')).map((link) => link.split(/[<>]/)[1]);
}

describe('the Link headers of a page announce its requests:', () => {
	const headers = { Cookie: '__Host-tracker_session=ses_anything' };
	const linksOf = async (path: string) => (await get(path, { headers })).headers.get('Link')?.split(', ') ?? [];
	const SHELL = ['/api/v1/me', '/api/v1/programs?limit=200'];

	test('the overview: its report too, and its modules', async () => {
		const links = await linksOf('/dashboard/programs/7');
		expect(calls(links)).toEqual([...SHELL, '/api/v1/programs/7', '/api/tracking/performance/7?period=30d&compare=previous']);
		const files = links.filter((link) => link.endsWith('; rel=modulepreload')).map((link) => link.split(/[<>]/)[1] ?? '');
		expect(files.length).toBeGreaterThan(1);
		for (const file of files) expect([file, (await get(file)).status]).toEqual([file, 200]);
	});

	test.each<[path: string, calls: readonly string[]]>([
		['/dashboard', SHELL],
		['/dashboard/programs/7?period=7d', [...SHELL, '/api/v1/programs/7']],
		['/dashboard/programs/7/commissions', [...SHELL, '/api/v1/programs/7']],
		['/dashboard/programs/x', []],
		['/dashboard/account', []],
		['/portal', ['/api/v1/me']],
		['/portal/programs/3', ['/api/v1/me']],
	])('%s', async (path, expected) => {
		expect(calls(await linksOf(path))).toEqual(expected);
	});

	test.each([
		'/dashboard/programs/7',
		...['events', 'customers', 'partners', 'commissions', 'payouts'].map((page) => `/dashboard/programs/7/${page}`),
		'/portal/programs/3',
		...['links', 'commissions', 'payouts'].map((page) => `/portal/programs/3/${page}`),
	])('%s: the modules of its page', async (path) => {
		const modules = (await linksOf(path)).filter((link) => link.endsWith('; rel=modulepreload'));
		expect(modules.length).toBeGreaterThan(0);
	});

	test('nothing without a session', async () => {
		expect((await get('/dashboard/programs/7')).headers.get('Link')).toBeNull();
	});
});
