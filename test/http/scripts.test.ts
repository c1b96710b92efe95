import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { BROWSER_SCRIPTS } from '../../src/http/browser-scripts.ts';

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
	exports.default.fetch(`https://service.test${path}`, { method, headers });

describe.each(['tracker.js', 'tracker-extras.js'] as const)('/%s', (name) => {
	const { text, version } = BROWSER_SCRIPTS[name];
	const etag = `"${version}"`;

	test('is a script that any page may load', async () => {
		const response = await get(`/${name}`);
		expect([response.status, await response.text()]).toEqual([200, text]);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			'content-type': 'text/javascript; charset=utf-8',
			'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
			etag,
			'access-control-allow-origin': '*',
			'cross-origin-resource-policy': 'cross-origin',
			'x-content-type-options': 'nosniff',
		});
		expect(response.headers.has('Set-Cookie')).toBe(false);
	});

	test.each([etag, `W/${etag}`, `"other", ${etag}`])('is not sent again to a browser that has it: %s', async (known) => {
		const response = await get(`/${name}`, { 'If-None-Match': known });
		expect([response.status, await response.text(), response.headers.get('ETag')]).toEqual([304, '', etag]);
	});

	test('is sent to a browser that has another version', async () => {
		expect((await get(`/${name}`, { 'If-None-Match': '"other"' })).status).toBe(200);
	});

	test('is cached forever under the address of its version, but not under another', async () => {
		expect((await get(`/${name}?v=${version}`)).headers.get('Cache-Control')).toContain('immutable');
		expect((await get(`/${name}?v=other`)).headers.get('Cache-Control')).not.toContain('immutable');
	});

	test('HEAD has no body, POST is refused', async () => {
		const head = await get(`/${name}`, {}, 'HEAD');
		expect([head.status, await head.text(), head.headers.get('ETag')]).toEqual([200, '', etag]);
		expect((await get(`/${name}`, {}, 'POST')).status).toBe(405);
	});
});

test('the first script loads the second one by its version', () => {
	expect(BROWSER_SCRIPTS['tracker.js'].text).toContain(BROWSER_SCRIPTS['tracker-extras.js'].version);
});

test("neither script evaluates text, writes HTML, uses the page's storage or imports a module", () => {
	for (const { text } of Object.values(BROWSER_SCRIPTS)) {
		expect(text).not.toMatch(/\beval\b|new Function|innerHTML|outerHTML|document\.write|localStorage|sessionStorage/);
		expect(text).not.toMatch(/^\s*(?:"use strict";)?\s*import\s/);
	}
});
