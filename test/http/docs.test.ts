import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { GUIDES } from '../../scripts/docs/guides.ts';

const ORIGIN = 'https://tracker.example';

function get(path: string, init: RequestInit = {}): Promise<Response> {
	return exports.default.fetch(new Request(`${ORIGIN}${path}`, { redirect: 'manual', ...init }));
}

describe('the documentation', () => {
	test.each(['/docs/', '/docs/quick-start', '/docs/reference/', '/docs/reference/tracking'])('has the page %s', async (path) => {
		const answer = await get(path);
		expect(answer.status).toBe(200);
		expect(answer.headers.get('Content-Type')).toContain('text/html');
		expect(await answer.text()).toContain('<h1');
	});

	test.each([
		['/docs/quick-start.md', 'text/markdown', '# Quick start\n'],
		['/docs/reference/index.md', 'text/markdown', '# Reference\n'],
		['/docs/llms.txt', 'text/plain', '# Affiliate tracker\n'],
		['/llms.txt', 'text/plain', '# Affiliate tracker\n'],
	])('has %s for assistants', async (path, type, start) => {
		const answer = await get(path);
		expect(answer.status).toBe(200);
		expect(answer.headers.get('Content-Type')).toBe(`${type}; charset=utf-8`);
		const text = await answer.text();
		expect(text.slice(0, start.length)).toBe(start);
	});

	test.each([
		['/docs', '/docs/'],
		['/docs/index.html', '/docs/'],
		['/docs/browser.html', '/docs/browser'],
		['/docs/browser/', '/docs/browser'],
		['/docs/reference', '/docs/reference/'],
		['/docs/guides/quick-start', '/docs/quick-start'],
		['/docs/guides/quick-start.md', '/docs/quick-start.md'],
		['/docs/guides', '/docs/'],
		['/docs/guides/', '/docs/'],
		['/docs/guides/index.md', '/docs/'],
	])('redirects %s to %s', async (path, wanted) => {
		const answer = await get(path);
		expect(answer.status).toBe(307);
		expect(new URL(answer.headers.get('Location') ?? '', ORIGIN).pathname).toBe(wanted);
	});

	test.each(GUIDES)("redirects from the repository's path of %s", async (name) => {
		const answer = await get(`/docs/guides/${name}?from=here`);
		expect([answer.status, answer.headers.get('Location')]).toEqual([307, `/docs/${name}?from=here`]);
		expect((await get(`/docs/${name}`)).status).toBe(200);
	});

	test.each([
		'/docs/no/such/page',
		'/docs/guides/no-such-guide',
		'/docs/guides/no/such/page',
		'/docs/guides/%2F%2Fevil.example',
		'/docs/guides/..%2F..%2Fhealth',
		'/docs/guides/%0A',
		'/docs/guides/%00',
	])('shows a "no such page" page for %s', async (path) => {
		const answer = await get(path);
		expect(answer.status).toBe(404);
		expect(answer.headers.get('Content-Type')).toContain('text/html');
		expect(answer.headers.get('Cache-Control')).toBe('no-store');
		expect(await answer.text()).toContain('No such page');
	});

	test('is not sent again while it is unchanged', async () => {
		const first = await get('/docs/docs.css');
		const etag = first.headers.get('ETag');
		expect(etag).toBeTruthy();
		expect(first.headers.get('Cache-Control')).toContain('must-revalidate');
		const second = await get('/docs/docs.css', { headers: { 'If-None-Match': etag ?? '' } });
		expect(second.status).toBe(304);
	});

	test.each(['/docs/', '/docs/search.json', '/docs/no-such-page'])('lets %s load nothing from other hosts', async (path) => {
		const { headers } = await get(path);
		expect(headers.get('Content-Security-Policy')).toMatch(
			/^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self';/,
		);
		expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
	});

	test('answers HEAD without a body', async () => {
		const answer = await get('/docs/', { method: 'HEAD' });
		expect(answer.status).toBe(200);
		expect(await answer.text()).toBe('');
	});

	test('refuses POST', async () => {
		const answer = await get('/docs/', { method: 'POST' });
		expect(answer.status).toBe(405);
		expect(await answer.json()).toEqual({ error: 'Method POST is not allowed here. Use GET.' });
	});
});

test('an unchanged OpenAPI document is not sent again', async () => {
	const { headers } = await exports.default.fetch('http://service.test/api/openapi.json');
	const again = await exports.default.fetch('http://service.test/api/openapi.json', {
		headers: { 'If-None-Match': headers.get('ETag') ?? '' },
	});
	expect(again.status).toBe(304);
	expect(await again.text()).toBe('');
});
