import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { openContext } from '../../src/context.ts';
import { app } from '../../src/http/app.ts';
import { openMailer } from '../../src/mailer.ts';
import { callWith } from '../support/bindings.ts';
import { aMailbox, mailError, type Mailbox, PUBLIC_URL } from '../support/mail.ts';
import { api, aProgram, type Owner, signUp, unique } from '../support/world.ts';

// The emails that users request: reset links and invitations.

const anAddress = () => `${unique('guest')}@people.example`;

async function askOn(host: string, { bindings }: Mailbox, email: string, headers: Record<string, string> = {}): Promise<number> {
	const execution = createExecutionContext();
	const init = { method: 'POST', headers: { Host: host, ...headers }, body: JSON.stringify({ email }) };
	const asked = new Request(`https://${host}/api/v1/auth/password-reset`, init);
	const { status } = await app.fetch(asked, { ...env, ...bindings }, execution);
	await waitOnExecutionContext(execution);
	return status;
}

function invite(owner: Owner, bindings: Partial<Mailbox['bindings']>, email = anAddress()) {
	return callWith(bindings, `/api/v1/workspaces/${owner.workspaceId}/members`, { token: owner.token, body: { email, role: 'member' } });
}

describe('a link to reset a password', () => {
	test("has the service's address, whatever host or headers the request has", async () => {
		const mailbox = aMailbox();
		const { email } = await signUp();
		const lies = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example', Origin: 'https://evil.example' };
		expect(await askOn('evil.example', mailbox, email, lies)).toBe(200);
		const [sentEmail] = mailbox.emails;
		expect(sentEmail).toMatchObject({
			from: { name: 'Tracker', email: 'mail@track.example' },
			to: email,
			subject: 'Reset your password',
			headers: { 'Auto-Submitted': 'auto-generated' },
		});
		expect(sentEmail?.text).toMatch(/\nhttps:\/\/track\.example\/reset-password#token=rst_[0-9a-f]{40}\n/);
		expect(JSON.stringify(sentEmail)).not.toContain('evil');
	});

	test('works when it arrives', async () => {
		const mailbox = aMailbox();
		const { email } = await signUp();
		await askOn('service.test', mailbox, email);
		const token = /rst_[0-9a-f]{40}/.exec(mailbox.emails[0]?.text ?? '')?.[0];
		const body = { token, new_password: 'four plain words together' };
		expect((await api('/api/v1/auth/password-reset/confirm', { body })).status).toBe(200);
	});

	test.each([
		['the service does not know its address', { PUBLIC_URL: '' }],
		['its address has no https', { PUBLIC_URL: 'http://track.example' }],
		['no sender is set', { MAIL_FROM: '' }],
		['the sender is not an address', { MAIL_FROM: 'mail' }],
	])('is not created if %s', async (_what, without) => {
		const mailbox = aMailbox();
		const { email, userId } = await signUp();
		expect(await askOn('service.test', { ...mailbox, bindings: { ...mailbox.bindings, ...without } }, email)).toBe(200);
		expect(mailbox.emails).toEqual([]);
		expect(await env.DB.prepare('SELECT count(*) AS n FROM password_resets WHERE user_id = ?').bind(userId).first('n')).toBe(0);
	});

	test('is retried if sending fails; the answer and the log do not show it', async () => {
		const logged = vi.spyOn(console, 'error').mockReturnValue();
		const { email } = await signUp();
		let tries = 0;
		const slow = aMailbox(() => {
			tries += 1;
			if (tries === 1) throw mailError('E_INTERNAL_SERVER_ERROR');
		});
		expect(await askOn('service.test', slow, email)).toBe(200);
		expect([tries, slow.emails.length, logged.mock.calls.length]).toEqual([2, 1, 0]);
		const out = aMailbox(() => {
			throw mailError('E_RECIPIENT_SUPPRESSED', `email to ${email} not allowed`);
		});
		expect(await askOn('service.test', out, email)).toBe(200);
		const lines = logged.mock.calls.map(([line]) => String(line));
		logged.mockRestore();
		expect(lines).toEqual([
			expect.stringMatching(
				/^\{"level":"error","event":"letter_not_sent","kind":"password_reset","code":"E_RECIPIENT_SUPPRESSED","outcome":"never","requestId":"[\da-f-]+"\}$/,
			),
		]);
	});
});

describe('an invitation', () => {
	test('is emailed after it is created, and its answer says so', async () => {
		const mailbox = aMailbox();
		const [owner, email] = [await signUp(), anAddress()];
		const { status, body } = await invite(owner, mailbox.bindings, email);
		expect([status, body['data']]).toMatchObject([
			201,
			{ mailed: true, invitation_url: expect.stringContaining(`${PUBLIC_URL}/api/v1/invitations/inv_`) },
		]);
		const token = JSON.stringify(body).match(/inv_[0-9a-f]{40}/)?.[0];
		expect(mailbox.emails).toMatchObject([{ to: email, subject: "Invitation to Ada Owner's workspace" }]);
		expect(mailbox.emails[0]?.text).toMatch(new RegExp(`\n${PUBLIC_URL}/invitation#token=${token}-[0-9a-f]{32}\n`));
		expect(
			(await callWith({}, `/api/v1/invitations/${token}/accept`, { body: { name: 'Gus', password: 'a long enough password' } })).status,
		).toBe(201);
	});

	test('of a partner is emailed too, and so is a second one, but not after it was accepted', async () => {
		const mailbox = aMailbox();
		const owner = await signUp();
		const [one, two] = [await aProgram(owner), await aProgram(owner)];
		const email = anAddress();
		const ask = (path: string, body?: object) =>
			callWith(mailbox.bindings, `/api/v1/programs/${path}`, { method: 'POST', token: owner.token, body });
		const { body } = await ask(`${one.id}/partners`, { name: 'Grace', email });
		expect(body).toMatchObject({ data: { mailed: true } });
		const { id } = z.object({ data: z.object({ id: z.number() }) }).parse(body).data;
		expect((await ask(`${one.id}/partners/${id}/invitation`)).body).toMatchObject({ data: { mailed: true } });
		expect(mailbox.emails).toMatchObject(
			[1, 2].map(() => ({ to: email, subject: expect.stringContaining('Invitation to become a partner of') })),
		);
		const token = /inv_[0-9a-f]{40}/.exec(mailbox.emails[1]?.text ?? '')?.[0];
		expect((await api(`/api/v1/invitations/${token}/accept`, { method: 'POST', token: (await signUp()).token })).status).toBe(201);
		expect((await ask(`${two.id}/partners`, { name: 'Grace', email })).body).toMatchObject({
			data: { mailed: false, invitation_url: null },
		});
		expect(mailbox.emails).toHaveLength(2);
	});

	test('is not emailed if email is off', async () => {
		expect((await invite(await signUp(), {})).body).toMatchObject({ data: { mailed: false } });
	});

	test('is created, with the same answer, even if the platform throws', async () => {
		const logged = vi.spyOn(console, 'error').mockReturnValue();
		const mailbox = aMailbox(() => {
			throw mailError('E_DAILY_LIMIT_EXCEEDED');
		});
		const { status, body } = await invite(await signUp(), mailbox.bindings);
		expect([status, body]).toMatchObject([201, { data: { mailed: true } }]);
		expect(logged.mock.calls.map(([line]) => String(line))).toEqual([
			expect.stringContaining('"code":"E_DAILY_LIMIT_EXCEEDED","outcome":"later"'),
		]);
		logged.mockRestore();
	});

	test('is emailed at most three times a day to one address, from any workspace', async () => {
		const mailbox = aMailbox();
		const [one, two, email] = [await signUp(), await signUp(), anAddress()];
		const mailed = [];
		for (const owner of [one, two, one, two, one]) mailed.push((await invite(owner, mailbox.bindings, email)).body);
		expect(mailed.map((body) => body)).toMatchObject([true, true, true, false, false].map((is) => ({ data: { mailed: is } })));
		expect(mailbox.emails).toHaveLength(3);
		await env.DB.prepare('UPDATE invitations SET created_at = created_at - 86400000 WHERE email = ?').bind(email).run();
		expect((await invite(two, mailbox.bindings, email)).body).toMatchObject({ data: { mailed: true } });
	});

	test('is emailed at most two hundred times a day by one workspace', async () => {
		const mailbox = aMailbox();
		const owner = await signUp();
		const made = (count: number) =>
			env.DB.prepare(
				`INSERT INTO invitations (token_hash, workspace_id, email, role, invited_by, created_at, expires_at, withdrawn_at)
				SELECT ? || value, ?, value || '@people.example', 'member', ?, ?, 1, 1 FROM json_each(?)`,
			)
				.bind(
					unique('hash'),
					owner.workspaceId,
					owner.userId,
					Date.now(),
					JSON.stringify(Array.from({ length: count }, (_, index) => index)),
				)
				.run();
		await made(199);
		expect((await invite(owner, mailbox.bindings)).body).toMatchObject({ data: { mailed: true } });
		expect((await invite(owner, mailbox.bindings)).body).toMatchObject({ data: { mailed: false } });
	});
});

describe('the email binding of the platform', () => {
	test('accepts an email', async () => {
		const mail = openMailer({ ...env, MAIL_FROM: 'Tracker <mail@track.example>', PUBLIC_URL }, () => undefined);
		expect(await mail?.({ kind: 'password_reset', to: anAddress(), name: 'Grace', token: 'rst_1' })).toBe('sent');
	});

	test('may be missing: then email is off', () => {
		expect(openMailer({ MAIL_FROM: 'mail@track.example', PUBLIC_URL }, () => undefined)).toBeUndefined();
	});

	test('is not used in development and tests, because no sender is configured', () => {
		expect(openContext(env, { waitUntil: () => undefined }).mail).toBeUndefined();
	});
});
