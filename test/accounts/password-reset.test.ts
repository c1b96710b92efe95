import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { askPasswordReset } from '../../src/accounts/ask-password-reset.ts';
import { resetPassword } from '../../src/accounts/reset-password.ts';
import { openContext } from '../../src/context.ts';
import type { Email } from '../../src/domain/people/email.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { losingAnswers } from '../../testing/d1/failing.ts';
import { limitOf } from '../../testing/limits.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { recover } from './reset-link.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

const NEW = 'four plain words together';
const GONE = 'token is unknown, already used or expired. Request a new link';

const ask = (email: string) => api<{ message: string }>('/api/v1/auth/password-reset', { body: { email } });
const confirm = (token: string, new_password = NEW) => api('/api/v1/auth/password-reset/confirm', { body: { token, new_password } });
const signIn = (email: string, password: string) => api<{ token: string }>('/api/v1/auth/sign-in', { body: { email, password } });
const isSignedIn = async (token: string) => (await api('/api/v1/me', { token })).status === 200;

async function askByMail(email: string, address: string | null = null): Promise<(Email & { kind: 'password_reset' })[]> {
	const emails: (Email & { kind: 'password_reset' })[] = [];
	const execution = createExecutionContext();
	const mail = (sent: Email) => {
		if (sent.kind === 'password_reset') emails.push(sent);
		return Promise.resolve('sent' as const);
	};
	await askPasswordReset({ ...openContext(env, execution), mail }, email, address);
	await waitOnExecutionContext(execution);
	return emails;
}

const linksOf = ({ userId }: Owner) => rows('SELECT * FROM password_resets WHERE user_id = ?', userId);

describe('a request', () => {
	test('gets the same answer for any address', async () => {
		const [known, leaver] = [await signUp(), await signUp()];
		await env.DB.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(leaver.userId).run();
		const answers = [await ask(known.email.toUpperCase()), await ask(leaver.email), await ask(`${unique('nobody')}@people.example`)];
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		expect(answers[0]?.body.data.message).toContain('npm run recover -- --email <address> --remote');
		expect(await linksOf(known)).toEqual([]);
	});

	test('takes one trip before the answer for any address', async () => {
		const { email } = await signUp();
		for (const address of [email, `${unique('nobody')}@people.example`]) {
			const DB = countingTrips(env.DB);
			await askPasswordReset({ ...openContext({ ...env, DB }, { waitUntil: () => undefined }), defer: () => undefined }, address, null);
			expect(DB.trips()).toBe(1);
		}
	});

	test('for a known address does further work only after the answer', async () => {
		const { email } = await signUp();
		const DB = countingTrips(env.DB);
		const execution = createExecutionContext();
		await askPasswordReset(openContext({ ...env, DB }, execution), email, null);
		expect(DB.trips()).toBe(1);
		await waitOnExecutionContext(execution);
		expect(DB.trips()).toBe(2);
	});

	test('with email enabled sends a link to that person only, and stores its hash', async () => {
		const person = await signUp();
		const [email] = await askByMail(person.email, '192.0.2.5');
		expect(email).toEqual({
			kind: 'password_reset',
			to: person.email,
			name: 'Ada Owner',
			token: expect.stringMatching(/^rst_[0-9a-f]{40}$/),
		});
		const [link] = await linksOf(person);
		expect(link).toMatchObject({ token_hash: await sha256Hex(email?.token ?? '') });
		expect(Number(link?.['expires_at']) - Number(link?.['created_at'])).toBe(3_600_000);
		expect(await askByMail(`${unique('nobody')}@people.example`)).toEqual([]);
		expect(
			await rows(
				"SELECT user_id, workspace_id, detail, address FROM audit_entries WHERE action = 'password_reset.ask' AND subject_id = ?",
				person.userId,
			),
		).toEqual([{ user_id: null, workspace_id: null, detail: '{"mailed":true}', address: '192.0.2.5' }]);
		expect((await confirm(email?.token ?? '')).status).toBe(200);
		expect((await signIn(person.email, NEW)).status).toBe(200);
	});

	test('repeated leaves at most three valid links, and removes expired ones', async () => {
		const person = await signUp();
		await recover(person, Date.now() - 3_600_001);
		const emails = [];
		for (let turn = 0; turn < 5; turn += 1) emails.push(...(await askByMail(person.email)));
		expect(emails).toHaveLength(3);
		expect(await linksOf(person)).toHaveLength(3);
	});

	test('is limited like the sign-in: by network and by account', async () => {
		const body = { email: `${unique('nobody')}@people.example` };
		const statuses = async (bindings: object) => {
			const answers = [];
			for (let turn = 0; turn < 4; turn += 1) answers.push((await callWith(bindings, '/api/v1/auth/password-reset', { body })).status);
			return answers;
		};
		const ACCOUNT_LIMIT = limitOf(3);
		expect(await statuses({ ACCOUNT_LIMIT })).toEqual([200, 200, 200, 429]);
		const full = { limit: () => Promise.resolve({ success: false }) };
		expect(await statuses({ SIGN_IN_LIMIT: full })).toEqual([429, 429, 429, 429]);
		const { status } = await callWith({ SIGN_IN_LIMIT: full }, '/api/v1/auth/password-reset/confirm', { body });
		expect(status).toBe(429);
	});
});

describe('a link from the command line', () => {
	test('sets a new password once, ends every session and every link, and is audited', async () => {
		const person = await signUp();
		const { token: other } = (await signIn(person.email, person.password)).body.data;
		const [token, second] = [await recover(person), await recover(person)];
		const done = await api('/api/v1/auth/password-reset/confirm', {
			body: { token, new_password: NEW },
			headers: { 'CF-Connecting-IP': '192.0.2.6' },
		});
		expect([done.status, done.body]).toEqual([
			200,
			{ success: true, data: { user: { id: person.userId, email: person.email, name: 'Ada Owner' } } },
		]);
		expect([await isSignedIn(person.token), await isSignedIn(other)]).toEqual([false, false]);
		for (const used of [token, second]) {
			const { status, body } = await confirm(used);
			expect([status, body]).toEqual([400, { error: GONE }]);
		}
		expect((await signIn(person.email, person.password)).status).toBe(401);
		expect((await signIn(person.email, NEW)).status).toBe(200);
		expect(
			await rows(
				"SELECT action, user_id, subject_id, detail, address FROM audit_entries WHERE action LIKE 'password%' AND ? IN (user_id, subject_id) ORDER BY id",
				person.userId,
			),
		).toEqual([
			...[1, 2].map(() => ({
				action: 'password_reset.issue',
				user_id: null,
				subject_id: person.userId,
				detail: '{"from":"command line"}',
				address: null,
			})),
			{ action: 'password.reset', user_id: person.userId, subject_id: null, detail: '{}', address: '192.0.2.6' },
		]);
	});

	test('is in the audit log of each workspace of the person', async () => {
		const owner = await signUp();
		const person = await aMember(owner, 'admin');
		await recover(person);
		const noted = await rows(
			"SELECT workspace_id FROM audit_entries WHERE action = 'password_reset.issue' AND subject_id = ? ORDER BY workspace_id",
			person.userId,
		);
		expect(noted).toEqual([{ workspace_id: owner.workspaceId }, { workspace_id: person.workspaceId }]);
	});

	test('of two people who use it at once, or with two links, one wins', async () => {
		const person = await signUp();
		const [one, two] = [await recover(person), await recover(person)];
		const passwords = ['first of the new ones', 'second of the new ones', 'third of the new ones'];
		const answers = await Promise.all([confirm(one, passwords[0]), confirm(one, passwords[1]), confirm(two, passwords[2])]);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
		const opened = [];
		for (const password of passwords) opened.push((await signIn(person.email, password)).status);
		expect(opened).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 401)));
	});

	test('works once more if the answer was lost', async () => {
		const person = await signUp();
		const token = await recover(person);
		const ctx = openContext({ ...env, DB: losingAnswers(env.DB) }, { waitUntil: () => undefined });
		await resetPassword(ctx, { token, password: NEW }, null);
		expect((await signIn(person.email, NEW)).status).toBe(200);
	});

	test('takes at most three trips', async () => {
		const DB = countingTrips(env.DB);
		const token = await recover(await signUp());
		await resetPassword(openContext({ ...env, DB }, { waitUntil: () => undefined }), { token, password: NEW }, null);
		expect(DB.trips()).toBe(2);
	});

	test.each<[what: string, spoil: (person: Owner) => Promise<unknown>]>([
		[
			'after an hour',
			({ userId }) => env.DB.prepare('UPDATE password_resets SET expires_at = ? WHERE user_id = ?').bind(Date.now(), userId).run(),
		],
		['for a deactivated user', ({ userId }) => env.DB.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(userId).run()],
		[
			'after the password was changed',
			({ token, password }) =>
				api('/api/v1/auth/password', { token, body: { old_password: password, new_password: 'changed by its owner' } }),
		],
	])('does not work %s', async (_what, spoil) => {
		const person = await signUp();
		const token = await recover(person);
		await spoil(person);
		const { status, body } = await confirm(token);
		expect([status, body]).toEqual([400, { error: GONE }]);
	});

	test('is created only for a person with exactly that address', async () => {
		const before = await rows('SELECT count(*) AS n FROM password_resets');
		for (const email of [`${unique('nobody')}@people.example`, "' OR 1=1; --", "x'); DROP TABLE users; --@people.example"])
			await recover({ email });
		expect(await rows('SELECT count(*) AS n FROM password_resets')).toEqual(before);
	});

	test.each([
		[{ token: 'rst_1', new_password: NEW }, 'token must be the token of a password reset link, such as rst_...'],
		[{ new_password: NEW }, 'token must be the token of a password reset link, such as rst_...'],
		[{ token: `rst_${'0'.repeat(40)}`, new_password: 'short' }, 'new_password must be at least 10 characters'],
		[{ token: `rst_${'0'.repeat(40)}`, new_password: NEW }, GONE],
	])('is refused: %j', async (body, error) => {
		const answer = await api('/api/v1/auth/password-reset/confirm', { body });
		expect([answer.status, answer.body]).toEqual([400, { error }]);
	});
});
