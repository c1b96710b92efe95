import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { signUp as signUpVerb } from '../../src/accounts/sign-up.ts';
import { openContext } from '../../src/context.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { api, type Owner, signUp, signUpByRoute, unique } from '../support/world.ts';

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

describe('sign-up', () => {
	test('creates a person, their workspace and a session', async () => {
		const email = `${unique('Ada')}@People.Example`;
		const { status, body } = await api<{ token: string; user: { id: number; email: string }; workspace: { id: number } }>(
			'/api/v1/auth/sign-up',
			{
				body: { email: ` ${email} `, password: 'a long password', name: ' Ada ', workspace_name: 'Analytical Engines' },
			},
		);
		expect(status).toBe(201);
		expect(body.success).toBe(true);
		expect(body.data).toMatchObject({ user: { email: email.toLowerCase(), name: 'Ada' }, workspace: { name: 'Analytical Engines' } });
		expect(body.data.token).toMatch(/^ses_[0-9a-f]{40}$/);
		const me = await api('/api/v1/me', { token: body.data.token });
		expect(me.body.data).toEqual({
			user: { id: body.data.user.id, email: email.toLowerCase(), name: 'Ada' },
			workspaces: [{ id: body.data.workspace.id, name: 'Analytical Engines', role: 'owner' }],
			is_operator: false,
			partner_accounts: [],
		});
	});

	test('refuses an email address that is taken, in any letter case', async () => {
		const { status, body } = await api('/api/v1/auth/sign-up', {
			body: { email: owner.email.toUpperCase(), password: 'another password', name: 'Eve' },
		});
		expect([status, body]).toEqual([409, { error: 'email is taken: sign in instead' }]);
	});

	test('succeeds for one of two concurrent requests with one address', async () => {
		const body = { email: `${unique('race')}@people.example`, password: 'a long password', name: 'Racer' };
		const answers = await Promise.all([1, 2, 3].map(() => api('/api/v1/auth/sign-up', { body })));
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
	});

	test.each([
		[{}, 'email must be a string'],
		[{ email: 'nobody' }, 'email must be an email address'],
		[{ email: 'a@b.example', password: 'short' }, 'password must be at least 10 characters'],
		[{ email: 'a@b.example', password: 'x'.repeat(201) }, 'password must be at most 200 characters'],
		[{ email: 'a@b.example', password: 1234567890 }, 'password must be a string'],
		[{ email: 'a@b.example', password: 'long enough', name: ' ' }, 'name must not be blank'],
		[{ email: 'a@b.example', password: 'long enough', name: 'A', admin: true }, 'Unknown field: admin'],
		['{', 'Request body must be valid JSON'],
		['', 'Request body must be valid JSON'],
		[[], 'Request body must be a JSON object'],
		['null', 'Request body must be a JSON object'],
		['"text"', 'Request body must be a JSON object'],
	])('refuses %j', async (sent, error) => {
		const { status, body } = await api('/api/v1/auth/sign-up', { body: sent });
		expect([status, body]).toEqual([400, { error }]);
	});

	test('refuses a body above 64 KiB', async () => {
		const { status, body } = await api('/api/v1/auth/sign-up', { body: { name: 'x'.repeat(70_000) } });
		expect([status, body]).toEqual([413, { error: 'Request body is larger than 64 KiB.' }]);
	});
});

describe('sign-up by invitation', () => {
	beforeAll(() => applyD1Migrations(env.EMPTY_DB, env.MIGRATIONS));

	test.each([
		['no setup token', undefined, 'test-setup-token'],
		['a wrong setup token', 'test-setup-tokem', 'test-setup-token'],
		['an empty setup token if none is configured', '', ''],
	])('refuses %s', async (_, given, configured) => {
		await expect(signUpVerb(inviting(env.EMPTY_DB, configured), firstOwner(given))).rejects.toMatchObject({
			status: 403,
			message: 'Sign-up is by invitation only. The first owner must send the setup_token',
		});
	});

	test('needs the setup token for the first owner; of several concurrent requests one wins', async () => {
		const tries = await Promise.allSettled([1, 2, 3].map(() => signUpVerb(inviting(env.EMPTY_DB), firstOwner('test-setup-token'))));
		const won = tries.filter((attempt) => attempt.status === 'fulfilled');
		const lost = tries.filter((attempt) => attempt.status === 'rejected');
		expect([won.length, lost.length]).toEqual([1, 2]);
		expect(won[0]?.value).toMatchObject({ user: { id: 1, name: 'First' }, workspace: { id: 1, name: "First's workspace" } });
		for (const attempt of lost)
			expect(attempt.reason).toMatchObject({ status: 403, message: 'The first owner has already signed up. Ask them for an invitation' });
		const workspaces = await env.EMPTY_DB.prepare('SELECT count(*) AS n FROM workspaces').first('n');
		expect(workspaces).toBe(1);
	});
});

describe('sign-in', () => {
	test('opens a new session', async () => {
		const { status, body } = await api<{ token: string }>('/api/v1/auth/sign-in', {
			body: { email: owner.email, password: owner.password },
		});
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ user: { id: owner.userId, email: owner.email, name: 'Ada Owner' } });
		expect(body.data.token).not.toBe(owner.token);
		expect((await api('/api/v1/me', { token: body.data.token })).status).toBe(200);
	});

	test('answers the same for an unknown address and a wrong password', async () => {
		const wrong = await api('/api/v1/auth/sign-in', { body: { email: owner.email, password: 'not the password' } });
		const unknown = await api('/api/v1/auth/sign-in', { body: { email: 'nobody@people.example', password: 'not the password' } });
		expect([wrong.status, wrong.body]).toEqual([401, { error: 'Unknown email or wrong password' }]);
		expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
	});

	test('stores neither token nor password', async () => {
		const { token, userId } = await signUpByRoute();
		const session = await env.DB.prepare('SELECT token_hash FROM sessions WHERE token_hash = ?')
			.bind(await sha256Hex(token))
			.first();
		expect(session).not.toBeNull();
		const user = await env.DB.prepare('SELECT password_hash FROM users WHERE id = ?').bind(userId).first('password_hash');
		expect(user).toMatch(/^scrypt\$16384\$8\$5\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+$/);
	});
});

describe('a session', () => {
	test.each([
		[{}, 'Sign in first: send Authorization: Bearer <session token>'],
		[{ Authorization: 'Basic abc' }, 'Sign in first: send Authorization: Bearer <session token>'],
		[{ Authorization: 'Bearer ' }, 'Sign in first: send Authorization: Bearer <session token>'],
		[{ Authorization: 'Bearer ses_unknown' }, 'The session has ended or is unknown: sign in again'],
	])('is required: %j', async (headers, error) => {
		const { status, body } = await api('/api/v1/me', { headers });
		expect([status, body]).toEqual([401, { error }]);
	});

	test('ends at sign-out', async () => {
		const { token } = await signIn(owner);
		const out = await api('/api/v1/auth/sign-out', { method: 'POST', token });
		expect([out.status, out.body]).toEqual([200, { success: true, data: null }]);
		expect((await api('/api/v1/me', { token })).status).toBe(401);
		expect((await api('/api/v1/auth/sign-out', { method: 'POST', token })).status).toBe(401);
		expect((await api('/api/v1/me', { token: owner.token })).status).toBe(200);
	});

	test('ends after 30 days', async () => {
		const { token } = await signIn(owner);
		await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE token_hash = ?')
			.bind(Date.now() - 1, await sha256Hex(token))
			.run();
		expect((await api('/api/v1/me', { token })).status).toBe(401);
	});

	test('is useless to a deactivated user, who cannot sign in either', async () => {
		const leaver = await signUp();
		await env.DB.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(leaver.userId).run();
		expect((await api('/api/v1/me', { token: leaver.token })).status).toBe(401);
		expect((await api('/api/v1/auth/sign-in', { body: { email: leaver.email, password: leaver.password } })).status).toBe(401);
	});
});

describe('a password change', () => {
	test('ends the other sessions', async () => {
		const person = await signUp();
		const other = await signIn(person);
		const changed = await changePassword(person, 'a newer password');
		expect([changed.status, changed.body]).toEqual([200, { success: true, data: null }]);
		expect((await api('/api/v1/me', { token: person.token })).status).toBe(200);
		expect((await api('/api/v1/me', { token: other.token })).status).toBe(401);
		expect((await api('/api/v1/auth/sign-in', { body: { email: person.email, password: person.password } })).status).toBe(401);
		expect((await api('/api/v1/auth/sign-in', { body: { email: person.email, password: 'a newer password' } })).status).toBe(200);
	});

	test('needs the old password', async () => {
		const { status, body } = await changePassword({ ...owner, password: 'not the password' }, 'a newer password');
		expect([status, body]).toEqual([403, { error: 'old_password is wrong' }]);
		expect((await api('/api/v1/me', { token: owner.token })).status).toBe(200);
	});

	test('succeeds for one of two concurrent requests', async () => {
		const person = await signUp();
		const answers = await Promise.all(
			['a first new password', 'a second new password'].map((password) => changePassword(person, password)),
		);
		const statuses = answers.map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(1);
		// The slower request fails at the password check or at the write.
		expect([403, 409]).toContain(statuses.find((status) => status !== 200));
	});

	test('is refused if the new password is the old one', async () => {
		const person = await signUp();
		const error = 'new_password is your current password. Choose another one';
		expect(await changePassword(person, person.password)).toMatchObject({ status: 400, body: { error } });
	});

	test('is audited, without the password', async () => {
		const person = await signUpByRoute();
		await api('/api/v1/auth/password', {
			token: person.token,
			body: { old_password: person.password, new_password: 'a newer password' },
			headers: { 'CF-Connecting-IP': '192.0.2.7' },
		});
		const { results } = await env.DB.prepare('SELECT action, detail, address FROM audit_entries WHERE user_id = ? ORDER BY id')
			.bind(person.userId)
			.all();
		expect(results).toEqual([
			{ action: 'user.sign_up', detail: '{}', address: null },
			{ action: 'password.change', detail: '{}', address: '192.0.2.7' },
		]);
	});
});

async function signIn({ email, password }: Owner): Promise<{ token: string }> {
	return (await api<{ token: string }>('/api/v1/auth/sign-in', { body: { email, password } })).body.data;
}

function changePassword(person: Owner, password: string) {
	return api('/api/v1/auth/password', { token: person.token, body: { old_password: person.password, new_password: password } });
}

function firstOwner(setupToken: string | undefined) {
	const email = `${unique('first')}@people.example`;
	return { email, password: 'a long password', name: 'First', workspaceName: undefined, setupToken, address: null, userAgent: null };
}

function inviting(DB: D1Database, setupToken = 'test-setup-token') {
	const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
	return { ...ctx, settings: { ...ctx.settings, signUp: 'invite', setupToken } as const };
}
