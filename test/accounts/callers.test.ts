import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/secrets.ts';
import { rows } from '../support/funnel.ts';
import { recover } from './reset-link.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

// Every unauthorized caller tries every route of another person's account. Each call is refused, and nothing changes.

const NEW = 'four plain words together';

const ROUTES: readonly { readonly method: string; readonly path: string; readonly body?: (victim: Owner) => object }[] = [
	{ method: 'GET', path: '/api/v1/me' },
	{ method: 'GET', path: '/api/v1/auth/sessions' },
	{ method: 'DELETE', path: '/api/v1/auth/sessions' },
	{ method: 'DELETE', path: '/api/v1/auth/sessions/:id' },
	{ method: 'POST', path: '/api/v1/auth/sign-out' },
	{ method: 'POST', path: '/api/v1/auth/password', body: ({ password }) => ({ old_password: password, new_password: NEW }) },
];

type Headers = Record<string, string>;

const CALLERS: readonly [who: string, headersOf: (victim: Owner) => Headers | Promise<Headers>][] = [
	['nobody', () => ({})],
	['a token that nobody has', () => bearer(`ses_${'0'.repeat(40)}`)],
	['the number of a session', async (victim) => bearer(String(await sessionIdOf(victim)))],
	['the hash of a token', async ({ token }) => bearer(await sha256Hex(token))],
	['another scheme', ({ token }) => ({ Authorization: `Basic ${token}` })],
	['a program key', () => bearer(`prg_${'0'.repeat(40)}`)],
	['a token to reset the password', async (victim) => bearer(await recover(victim))],
	['a session that was ended', async (victim) => bearer(await endedSessionOf(victim))],
	['a session that has expired', async (victim) => bearer(await expiredSessionOf(victim))],
	['somebody deactivated', async () => bearer((await deactivated()).token)],
	['a cookie that nobody has', () => ({ Cookie: `__Host-tracker_session=ses_${'0'.repeat(40)}`, Origin: 'http://service.test' })],
	['an empty cookie', () => ({ Cookie: '__Host-tracker_session=', Origin: 'http://service.test' })],
];

describe.each(CALLERS)('%s', (_who, headersOf) => {
	test.each(ROUTES)('learns nothing from $method $path', async ({ method, path, body }) => {
		const victim = await signUp();
		const id = await sessionIdOf(victim);
		const headers = await headersOf(victim);
		const before = await accountOf(victim);
		const answer = await api(path.replace(':id', String(id)), { method, headers, ...(body && { body: body(victim) }) });
		expect([answer.status, Object.keys(answer.body)]).toEqual([401, ['error']]);
		expect(answer.text).not.toContain(victim.email);
		expect(await accountOf(victim)).toEqual(before);
	});
});

test('a person cannot change another one by a known id', async () => {
	const [victim, other] = [await signUp(), await signUp()];
	const before = await accountOf(victim);
	const id = await sessionIdOf(victim);
	expect((await api(`/api/v1/auth/sessions/${id}`, { method: 'DELETE', token: other.token })).status).toBe(404);
	expect(
		(await api<{ id: number }[]>('/api/v1/auth/sessions', { token: other.token })).body.data.map((session) => session.id),
	).not.toContain(id);
	expect((await api('/api/v1/auth/sessions', { method: 'DELETE', token: other.token })).body.data).toEqual({ ended: 0 });
	expect(
		(await api('/api/v1/auth/password', { token: other.token, body: { old_password: other.password, new_password: NEW } })).status,
	).toBe(200);
	expect(await accountOf(victim)).toEqual(before);
});

test('a deactivated person gets neither a session nor a link, and learns no more than a stranger', async () => {
	const leaver = await deactivated();
	const token = await recover(leaver);
	const stranger = `${unique('nobody')}@people.example`;
	for (const [path, more] of [
		['sign-in', { password: leaver.password }],
		['password-reset', {}],
	] as const) {
		const [theirs, nobodys] = [leaver.email, stranger].map((email) => api(`/api/v1/auth/${path}`, { body: { email, ...more } }));
		expect((await theirs)?.text).toBe((await nobodys)?.text);
	}
	expect((await api('/api/v1/auth/password-reset/confirm', { body: { token, new_password: NEW } })).status).toBe(400);
	expect(await rows('SELECT token_hash FROM password_resets WHERE user_id = ?', leaver.userId)).toEqual([]);
});

function bearer(token: string): Headers {
	return { Authorization: `Bearer ${token}` };
}

async function deactivated(): Promise<Owner> {
	const leaver = await signUp();
	await env.DB.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(leaver.userId).run();
	return leaver;
}

async function sessionIdOf({ token }: Owner): Promise<number> {
	const [session] = await rows<{ id: number }>('SELECT id FROM sessions WHERE token_hash = ?', await sha256Hex(token));
	if (!session) throw new Error('There is no session');
	return session.id;
}

async function aSessionOf({ userId }: Owner, expiresAt: number): Promise<string> {
	const token = `ses_${unique('token')}`;
	await env.DB.prepare('INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES (?, ?, 1, ?)')
		.bind(await sha256Hex(token), userId, expiresAt)
		.run();
	return token;
}

function expiredSessionOf(person: Owner): Promise<string> {
	return aSessionOf(person, Date.now());
}

async function endedSessionOf(person: Owner): Promise<string> {
	const token = await aSessionOf(person, Date.now() + 60_000);
	expect((await api('/api/v1/auth/sign-out', { method: 'POST', token })).status).toBe(200);
	return token;
}

async function accountOf({ userId }: Owner): Promise<unknown> {
	const stored = [
		'SELECT * FROM users WHERE id = ?',
		'SELECT * FROM sessions WHERE user_id = ? ORDER BY id',
		'SELECT * FROM password_resets WHERE user_id = ?',
		'SELECT * FROM audit_entries WHERE user_id = ? ORDER BY id',
	];
	return Promise.all(stored.map((sql) => rows(sql, userId)));
}
