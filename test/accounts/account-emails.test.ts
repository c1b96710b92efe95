import { describe, expect, test } from 'vitest';
import { callWith } from '../support/bindings.ts';
import { aMailbox, type Mailbox, mailError, PUBLIC_URL } from '../support/mail.ts';
import { type Owner, signUp } from '../support/world.ts';
import { recover } from './reset-link.ts';

// Emails about what happened to an account. Nobody can turn them off.

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const NEW = 'four plain words together';
const SERVICE = 'http://service.test';

const HOME = { 'CF-Connecting-IP': '203.0.113.7', 'User-Agent': CHROME };
const ELSEWHERE = { 'CF-Connecting-IP': '198.51.100.9', 'User-Agent': CHROME };

interface SignIn {
	readonly headers?: Record<string, string>;
	readonly password?: string;
	readonly cookie?: boolean;
}

function signIn({ bindings }: Mailbox, person: Owner, { headers = HOME, password = person.password, cookie }: SignIn = {}) {
	const own = cookie ? { Origin: SERVICE } : {};
	return callWith(bindings, '/api/v1/auth/sign-in', { body: { email: person.email, password, cookie }, headers: { ...headers, ...own } });
}

function changePassword({ bindings }: Mailbox, { token }: Owner, old: string) {
	return callWith(bindings, '/api/v1/auth/password', { token, body: { old_password: old, new_password: NEW } });
}

const subjectsIn = ({ emails }: Mailbox) => emails.map(({ to, subject }) => [to, subject]);

describe('a changed password', () => {
	test('is reported to its owner, with a way to reset it', async () => {
		const [mailbox, person] = [aMailbox(), await signUp()];
		expect((await changePassword(mailbox, person, person.password)).status).toBe(200);
		expect(subjectsIn(mailbox)).toEqual([[person.email, 'Your password was changed']]);
		expect(mailbox.emails[0]?.text).toContain('Hello Ada Owner,');
		expect(mailbox.emails[0]?.text).toContain(`\n${PUBLIC_URL}/reset-password\n`);
		expect(mailbox.emails[0]?.text).not.toContain(NEW);
	});

	test('is also reported if it was set by a link', async () => {
		const [mailbox, person] = [aMailbox(), await signUp()];
		const body = { token: await recover(person), new_password: NEW };
		expect((await callWith(mailbox.bindings, '/api/v1/auth/password-reset/confirm', { body })).status).toBe(200);
		expect(subjectsIn(mailbox)).toEqual([[person.email, 'Your password was changed']]);
	});

	test('is not reported if it was refused', async () => {
		const [mailbox, person] = [aMailbox(), await signUp()];
		expect((await changePassword(mailbox, person, 'wrong horse battery')).status).toBe(403);
		expect(mailbox.emails).toEqual([]);
	});

	test('stays changed if no email can be sent', async () => {
		const person = await signUp();
		const broken = aMailbox(() => {
			throw mailError('E_RECIPIENT_SUPPRESSED');
		});
		expect((await changePassword(broken, person, person.password)).status).toBe(200);
		expect((await signIn(aMailbox(), person, { password: NEW })).status).toBe(200);
	});
});

describe('a sign-in', () => {
	test('from a new browser and a new network is reported once, with both', async () => {
		const [mailbox, person] = [aMailbox(), await signUp()];
		expect((await signIn(mailbox, person)).status).toBe(200);
		expect(subjectsIn(mailbox)).toEqual([[person.email, 'New sign-in to your account']]);
		expect(mailbox.emails[0]?.text).toContain('\nDevice: Chrome on Windows\nNetwork: 203.0.113.7\n');
		expect(mailbox.emails[0]?.text).toContain(`\n${PUBLIC_URL}/reset-password\n`);
		await signIn(mailbox, person);
		expect(mailbox.emails).toHaveLength(1);
		await signIn(mailbox, person, { headers: ELSEWHERE });
		expect(mailbox.emails).toHaveLength(2);
	});

	test('from a browser that has signed in before is not, wherever it is', async () => {
		const [mailbox, person] = [aMailbox(), await signUp()];
		const { headers } = await signIn(aMailbox(), person, { cookie: true });
		const device = headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-tracker_device_')) ?? '';
		await signIn(mailbox, person, { headers: { ...ELSEWHERE, Cookie: device.split('; ')[0] ?? '' } });
		expect(mailbox.emails).toEqual([]);
	});

	test('with a wrong password is not', async () => {
		const [mailbox, person] = [aMailbox(), await signUp()];
		expect((await signIn(mailbox, person, { password: 'wrong horse battery' })).status).toBe(401);
		expect(mailbox.emails).toEqual([]);
	});
});
