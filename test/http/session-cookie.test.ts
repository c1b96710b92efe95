import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { expectConformance } from '../support/conformance.ts';
import { rows } from '../support/funnel.ts';
import { aProgram, type Owner, signUp, unique } from '../support/world.ts';

// A page's session is a cookie, which the browser adds to every request to this host, even from pages of other sites.

const SERVICE = 'https://track.example';
const OWN = { Origin: SERVICE, 'Sec-Fetch-Site': 'same-origin' };
const NOT_OWN =
	'Session cookies work only on the pages of this service, and this request does not come from one. Leave out cookie when you sign in, and send the token from the response: Authorization: Bearer <session token>';

interface Sent {
	readonly method?: string;
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}

async function send(path: string, { method, body, headers }: Sent = {}, service = SERVICE) {
	const init: RequestInit = {
		method: method ?? (body === undefined ? 'GET' : 'POST'),
		headers: { 'Content-Type': 'application/json', ...headers },
	};
	if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
	const execution = createExecutionContext();
	const response = await app.fetch(new Request(`${service}${path}`, init), env, execution);
	const text = await response.text();
	await waitOnExecutionContext(execution);
	expectConformance({ method: init.method ?? 'GET', path, status: response.status, headers: response.headers, text });
	return { status: response.status, headers: response.headers, body: JSON.parse(text), cookies: response.headers.getSetCookie() };
}

/** Returns the `Cookie` header. */
async function signInByPage({ email, password }: Owner, service = SERVICE): Promise<string> {
	const { status, cookies } = await send(
		'/api/v1/auth/sign-in',
		{ body: { email, password, cookie: true }, headers: { Origin: service } },
		service,
	);
	expect([status, cookies.length]).toEqual([200, 2]);
	return cookies[0]?.split('; ')[0] ?? '';
}

let owner: Owner;
let programId: number;
let Cookie: string;
beforeAll(async () => {
	owner = await signUp();
	programId = (await aProgram(owner)).id;
	Cookie = await signInByPage(owner);
});

describe('a sign-in by a page', () => {
	test('sets a cookie that no script and no other host can read, and returns no token', async () => {
		const body = { email: owner.email, password: owner.password, cookie: true };
		const answer = await send('/api/v1/auth/sign-in', { body, headers: OWN });
		expect(answer.body).toEqual({ success: true, data: { user: { id: owner.userId, email: owner.email, name: 'Ada Owner' } } });
		expect(answer.cookies).toEqual([
			expect.stringMatching(/^__Host-tracker_session=ses_[0-9a-f]{40}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/),
			expect.stringMatching(/^__Host-tracker_device_[0-9a-f]{8}=[0-9a-f.]+; Path=\/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax$/),
		]);
		expect(answer.headers.get('Cache-Control')).toBe('no-store');
	});

	test('does the same on sign-up', async () => {
		const body = { email: `${unique('page')}@people.example`, password: 'four plain words here', name: 'Page', cookie: true };
		const { status, body: answered, cookies } = await send('/api/v1/auth/sign-up', { body, headers: OWN });
		expect([status, Object.keys(answered.data)]).toEqual([201, ['user', 'workspace']]);
		const me = await send('/api/v1/me', { headers: { Cookie: cookies[0]?.split('; ')[0] ?? '' } });
		expect(me.body.data.user.email).toBe(body.email);
	});

	test.each(['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])('uses a plain name on %s', async (service) => {
		const body = { email: owner.email, password: owner.password, cookie: true };
		const { cookies } = await send('/api/v1/auth/sign-in', { body, headers: { Origin: service } }, service);
		expect(cookies).toEqual([
			expect.stringMatching(/^tracker_session=ses_[0-9a-f]{40}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
			expect.stringMatching(/^tracker_device_[0-9a-f]{8}=[0-9a-f.]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/),
		]);
		const signedIn = await send('/api/v1/me', { headers: { Cookie: cookies[0]?.split('; ')[0] ?? '' } }, service);
		expect(signedIn.status).toBe(200);
	});

	test('sets none unless asked to, and an unencrypted one only locally', async () => {
		const body = { email: owner.email, password: owner.password };
		for (const cookie of [undefined, false]) {
			const answer = await send('/api/v1/auth/sign-in', { body: { ...body, cookie }, headers: OWN });
			expect([answer.cookies, Object.keys(answer.body.data)]).toEqual([[], ['token', 'user']]);
		}
		const service = 'http://localhost.example';
		const { cookies } = await send('/api/v1/auth/sign-in', { body: { ...body, cookie: true }, headers: { Origin: service } }, service);
		expect(cookies).toEqual([expect.stringContaining('__Host-tracker_session='), expect.stringContaining('__Host-tracker_device_')]);
	});
});

describe('the cookie', () => {
	test('is a session like a token: for management, report and events', async () => {
		const paths = [
			'/api/v1/me',
			`/api/v1/programs/${programId}`,
			`/api/tracking/performance/${programId}`,
			`/api/tracking/events/${programId}`,
		];
		for (const path of paths) {
			expect((await send(path, { headers: { Cookie } })).status).toBe(200);
			expect((await send(path, { headers: { Cookie: Cookie.replace('ses_', 'ses_0') } })).status).toBe(401);
		}
		expect((await send('/api/v1/me', { headers: { Cookie: `a=b; ${Cookie}; c=d` } })).status).toBe(200);
	});

	test('yields to a token that is sent', async () => {
		const other = await signUp();
		const me = await send('/api/v1/me', { headers: { Cookie, Authorization: `Bearer ${other.token}` } });
		expect(me.body.data.user.id).toBe(other.userId);
		expect((await send('/api/v1/me', { headers: { Cookie, Authorization: 'Bearer ses_unknown' } })).status).toBe(401);
		expect((await send('/api/v1/me', { headers: { Cookie, Authorization: 'Basic of-a-proxy' } })).status).toBe(200);
	});

	test('is ignored under another name, which a neighbouring host may have set', async () => {
		const plain = Cookie.replace('__Host-', '');
		expect((await send('/api/v1/me', { headers: { Cookie: plain } })).status).toBe(401);
		expect((await send('/api/v1/me', { headers: { Cookie: `${plain.replace('tracker_', 'not_')}; x${Cookie}` } })).status).toBe(401);
	});

	test('is removed at sign-out, and when its own session is ended by id; otherwise it stays', async () => {
		const cookie = await signInByPage(owner);
		const headers = { ...OWN, Cookie: cookie };
		const { body } = await send('/api/v1/auth/sessions', { headers });
		const [current, earlier] = body.data;
		expect((await send(`/api/v1/auth/sessions/${earlier.id}`, { method: 'DELETE', headers })).cookies).toEqual([]);
		const gone = [expect.stringMatching(/^__Host-tracker_session=; Path=\/; Max-Age=0; HttpOnly; Secure; SameSite=Lax$/)];
		expect((await send(`/api/v1/auth/sessions/${current.id}`, { method: 'DELETE', headers })).cookies).toEqual(gone);
		expect((await send('/api/v1/me', { headers })).status).toBe(401);

		const again = await signInByPage(owner);
		const byToken = { Cookie: again, Authorization: `Bearer ${(await signUp()).token}` };
		expect((await send('/api/v1/auth/sign-out', { method: 'POST', headers: byToken })).cookies).toEqual([]);
		expect((await send('/api/v1/auth/sign-out', { method: 'POST', headers: { ...OWN, Cookie: again } })).cookies).toEqual(gone);
		expect((await send('/api/v1/me', { headers: { Cookie: again } })).status).toBe(401);
	});
});

const FOREIGN: [what: string, headers: Record<string, string>][] = [
	['a page of another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
	['a page of another site, in a browser without Sec-Fetch-Site', { Origin: 'https://evil.example' }],
	['a page without an origin, such as a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
	['the same, which says that it is one of ours', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
	['a page without an origin, in a browser without Sec-Fetch-Site', { Origin: 'null' }],
	['a request without Origin from another site', { 'Sec-Fetch-Site': 'cross-site' }],
	['a host beside this one', { Origin: 'https://shop.track.example', 'Sec-Fetch-Site': 'same-site' }],
	['a host beside this one, without Origin', { 'Sec-Fetch-Site': 'same-site' }],
	['the host above', { Origin: 'https://example', 'Sec-Fetch-Site': 'same-site' }],
	['the same host in the clear', { Origin: 'http://track.example', 'Sec-Fetch-Site': 'cross-site' }],
	['another port', { Origin: 'https://track.example:8443', 'Sec-Fetch-Site': 'same-site' }],
	['a host whose name begins alike', { Origin: 'https://track.example.evil.example' }],
	['an origin in other letters', { Origin: 'HTTPS://TRACK.EXAMPLE' }],
	['an empty origin', { Origin: '' }],
	['two origins', { Origin: `${SERVICE}, https://evil.example` }],
	['the address bar', { 'Sec-Fetch-Site': 'none' }],
	['who says nothing', {}],
	['an origin of ours by a foreign site', { Origin: SERVICE, 'Sec-Fetch-Site': 'cross-site' }],
	['a foreign origin by a site of ours', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }],
	['an address that is forwarded', { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' }],
];

describe('the cookie changes nothing for', () => {
	test.each(FOREIGN)('%s', async (_what, headers) => {
		const name = unique('Forged');
		const calls: [path: string, sent: Sent][] = [
			['/api/v1/programs', { body: { name } }],
			[`/api/v1/programs/${programId}`, { method: 'PATCH', body: { name } }],
			[`/api/v1/programs/${programId}/stripe`, { method: 'PUT', body: { webhook_secret: 'whsec_0123456789abcdef' } }],
			[`/api/v1/programs/${programId}/links/1`, { method: 'DELETE' }],
			['/api/v1/auth/sign-out', { method: 'POST' }],
			['/api/v1/auth/sessions', { method: 'DELETE' }],
			['/api/v1/auth/password', { body: { old_password: owner.password, new_password: 'a forged new password' } }],
			['/api/v1/notifications', { method: 'PATCH' }],
		];
		for (const [path, sent] of calls) {
			const answer = await send(path, { ...sent, headers: { ...headers, Cookie } });
			expect([path, answer.status, answer.body]).toEqual([path, 403, { error: NOT_OWN }]);
		}
		expect(await rows('SELECT id FROM programs WHERE name = ?', name)).toEqual([]);
		expect((await send('/api/v1/me', { headers: { Cookie } })).status).toBe(200);
	});

	test.each(['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
		'a form that sends JSON as %j',
		async (type) => {
			const name = unique('Forged');
			const headers = { Cookie, 'Content-Type': type, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
			const { status } = await send('/api/v1/programs', { body: JSON.stringify({ name, currency: '=' }), headers });
			expect(status).toBe(403);
			expect(await rows('SELECT id FROM programs WHERE name = ?', name)).toEqual([]);
		},
	);

	test.each(FOREIGN)('%s, which cannot sign its reader in as somebody else either', async (_what, headers) => {
		const { email, password } = owner;
		const signIn = await send('/api/v1/auth/sign-in', {
			body: { email, password, cookie: true },
			headers: { ...headers, 'Content-Type': 'text/plain' },
		});
		expect([signIn.status, signIn.body, signIn.cookies]).toEqual([403, { error: NOT_OWN }, []]);
		const body = { email: `${unique('forged')}@people.example`, password: 'four plain words here', name: 'Forged', cookie: true };
		const signedUp = await send('/api/v1/auth/sign-up', { body, headers });
		expect([signedUp.status, signedUp.cookies]).toEqual([403, []]);
		expect(await rows('SELECT id FROM users WHERE email = ?', body.email)).toEqual([]);
	});
});

describe('a page of the service', () => {
	test.each<[what: string, headers: Record<string, string>]>([
		['both headers', OWN],
		['Origin alone', { Origin: SERVICE }],
		['Sec-Fetch-Site alone', { 'Sec-Fetch-Site': 'same-origin' }],
	])('can change what its user may, with %s', async (_what, headers) => {
		const { status } = await send('/api/v1/programs', { body: { name: unique('Own') }, headers: { ...headers, Cookie } });
		expect(status).toBe(201);
	});

	test('needs no such header with a token, because no browser adds one by itself', async () => {
		const headers = { Origin: 'https://evil.example', Authorization: `Bearer ${owner.token}`, Cookie };
		expect((await send('/api/v1/programs', { body: { name: unique('Token') }, headers })).status).toBe(201);
	});
});

test('a page of another origin can neither read what a session may read, nor ask to', async () => {
	for (const [, headers] of FOREIGN) {
		for (const path of [
			'/api/v1/me',
			`/api/v1/programs/${programId}`,
			`/api/tracking/performance/${programId}`,
			`/api/tracking/events/${programId}`,
		]) {
			const answers = [
				await send(path, { headers: { ...headers, Cookie } }),
				await send(path, { method: 'OPTIONS', headers: { ...headers, Cookie, 'Access-Control-Request-Method': 'POST' } }),
			];
			for (const answer of answers) {
				const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
				expect([path, allowed]).toEqual([path, []]);
			}
			expect(answers[1]?.status).toBeGreaterThanOrEqual(400);
		}
	}
});
