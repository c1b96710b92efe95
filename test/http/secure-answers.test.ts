import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { BROWSER_SCRIPTS } from '../../src/http/browser-scripts.ts';
import { app } from '../../src/http/app.ts';
import { anOutage } from '../support/bindings.ts';
import { aFunnel, type Funnel } from '../support/funnel.ts';

// Headers that every response has.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ domain: 'secure-answers.example' });
});

interface Asked {
	readonly path: string | ((of: Funnel) => string);
	readonly init?: RequestInit | ((of: Funnel) => RequestInit);
	readonly status: number;
	readonly bindings?: Partial<Env>;
}

const bearer = (token: string, more: Record<string, string> = {}) => ({ headers: { Authorization: `Bearer ${token}`, ...more } });
const posted = (body: unknown, headers: Record<string, string> = {}) => ({ method: 'POST', body: JSON.stringify(body), headers });
const browser = { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' };
const etag = `"${BROWSER_SCRIPTS['tracker.js'].version}"`;
const noLimit = { limit: async () => ({ success: false }) };

const ANSWERS: Record<string, Asked> = {
	JSON: { path: '/api/v1/cli/status', init: (of) => bearer(of.apiToken), status: 200 },
	CSV: { path: (of) => `/api/tracking/performance/${of.id}`, init: (of) => bearer(of.owner.token, { Accept: 'text/csv' }), status: 200 },
	'a click': {
		path: '/api/v1/track/click',
		init: (of) => posted({ affiliate_url: `https://shop.example/?aff=${of.shortLink}` }),
		status: 200,
	},
	'a preflight': {
		path: '/api/v1/track/click',
		init: { method: 'OPTIONS', headers: { Origin: 'https://secure-answers.example' } },
		status: 204,
	},
	'a redirect': { path: (of) => `/r/${of.shortLink}`, init: { headers: browser, redirect: 'manual' }, status: 302 },
	'a script': { path: '/tracker.js', status: 200 },
	'a script that is known': { path: '/tracker.js', init: { headers: { 'If-None-Match': etag } }, status: 304 },
	'the second script': { path: '/tracker-extras.js', status: 200 },
	'HEAD of a script': { path: '/tracker.js', init: { method: 'HEAD' }, status: 200 },
	'the OpenAPI document': { path: '/api/openapi.json', status: 200 },
	'a page of the documentation': { path: '/docs/', status: 200 },
	'a file of the documentation': { path: '/docs/docs.css', status: 200 },
	'a redirect of the documentation': { path: '/docs', init: { redirect: 'manual' }, status: 307 },
	'no page of the documentation': { path: '/docs/no-such-page', status: 404 },
	'a wrong body': { path: '/api/v1/track/click', init: { method: 'POST', body: '{' }, status: 400 },
	'no key': { path: '/api/v1/track/sale', init: posted({}), status: 401 },
	'a foreign origin': {
		path: '/api/v1/track/click',
		init: (of) => posted({ affiliate_url: `https://shop.example/?aff=${of.shortLink}` }, { Origin: 'https://elsewhere.example' }),
		status: 403,
	},
	'an unknown path': { path: '/nowhere', status: 404 },
	'an unknown link': { path: '/r/nowhere', status: 404 },
	'another method': { path: '/api/v1/track/click', init: { method: 'DELETE' }, status: 405 },
	'too large a body': { path: '/api/v1/track/click', init: { method: 'POST', body: 'x'.repeat(70_000) }, status: 413 },
	'too many calls': { path: '/api/v1/track/click', init: posted({}), status: 429, bindings: { BROWSER_LIMIT: noLimit } },
	'a fault': {
		path: '/api/v1/track/sale',
		init: (of) => ({ ...posted({}), ...bearer(of.apiToken) }),
		status: 500,
		bindings: { DB: anOutage(env.DB) },
	},
	'a fault before anything is open': { path: '/api/v1/track/click', init: posted({}), status: 500, bindings: { SECRETS: 'short' } },
	'a webhook without a signature': { path: '/webhooks/stripe/1', init: posted({}), status: 400 },
};

async function ask(scheme: string, { path, init = {}, bindings = {} }: Asked): Promise<Response> {
	const execution = createExecutionContext();
	const request = new Request(
		`${scheme}://service.test${typeof path === 'string' ? path : path(funnel)}`,
		typeof init === 'function' ? init(funnel) : init,
	);
	const response = await app.fetch(request, { ...env, ...bindings }, execution);
	await waitOnExecutionContext(execution);
	return response;
}

describe.each(Object.entries(ANSWERS))('%s', (_kind, asked) => {
	test('has the id of its request', async () => {
		vi.spyOn(console, 'error').mockReturnValue();
		const { headers } = await ask('https', asked);
		expect(headers.get('X-Request-Id')).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
		vi.restoreAllMocks();
	});

	test('must not be read as another type, and must be loaded by HTTPS from now on', async () => {
		vi.spyOn(console, 'error').mockReturnValue();
		const { status, headers } = await ask('https', asked);
		expect([status, headers.get('X-Content-Type-Options'), headers.get('Strict-Transport-Security')]).toEqual([
			asked.status,
			'nosniff',
			'max-age=31536000',
		]);
		vi.restoreAllMocks();
	});

	test('does not require HTTPS if it came over HTTP', async () => {
		vi.spyOn(console, 'error').mockReturnValue();
		const { status, headers } = await ask('http', asked);
		expect([status, headers.get('X-Content-Type-Options'), headers.has('Strict-Transport-Security')]).toEqual([
			asked.status,
			'nosniff',
			false,
		]);
		vi.restoreAllMocks();
	});
});

test('the answers of the Worker have them too', async () => {
	const { headers } = await exports.default.fetch('https://service.test/nowhere');
	expect([headers.get('X-Content-Type-Options'), headers.has('Strict-Transport-Security')]).toEqual(['nosniff', true]);
});
