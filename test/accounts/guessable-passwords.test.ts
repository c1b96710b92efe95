import { expect, test } from 'vitest';
import { GUESSABLE } from '../../src/domain/people/guessable-password.ts';
import { rows } from '../support/funnel.ts';
import { anInvitation } from '../support/members.ts';
import { recover } from './reset-link.ts';
import { api, signUp, unique } from '../support/world.ts';

// A new password must not be guessable, as defined by test/domain/people/guessable-password.test.ts.

const guessablesOf = ({ email }: { readonly email: string }) => [
	'Qwertyuiop',
	'manchester!1',
	'affiliate tracker',
	email,
	'Ada Owner 1815',
	'ada.owner.ada',
];

test('at the sign-up', async () => {
	const email = `${unique('ada')}@people.example`;
	for (const password of guessablesOf({ email })) {
		const { status, body } = await api('/api/v1/auth/sign-up', { body: { email, password, name: 'Ada Owner' } });
		expect([password, status, body]).toEqual([password, 400, { error: `password ${GUESSABLE}` }]);
	}
	expect(await rows('SELECT id FROM users WHERE email = ?', email)).toEqual([]);
});

test('at a change, before the old password is checked', async () => {
	const person = await signUp();
	for (const new_password of guessablesOf(person)) {
		for (const old_password of [person.password, 'a wrong password']) {
			const { status, body } = await api('/api/v1/auth/password', { token: person.token, body: { old_password, new_password } });
			expect([new_password, status, body]).toEqual([new_password, 400, { error: `new_password ${GUESSABLE}` }]);
		}
	}
});

test('at a reset, and its link still works', async () => {
	const person = await signUp();
	const token = await recover(person);
	for (const new_password of guessablesOf(person)) {
		const { status, body } = await confirm(token, new_password);
		expect([new_password, status, body]).toEqual([new_password, 400, { error: `new_password ${GUESSABLE}` }]);
	}
	expect((await confirm(token, 'four plain words together')).status).toBe(200);
});

test('at an invitation, which remains valid', async () => {
	const { token, email } = await anInvitation(await signUp());
	const accept = (password: string) => api(`/api/v1/invitations/${token}/accept`, { body: { name: 'Ada Owner', password } });
	for (const password of guessablesOf({ email })) {
		const { status, body } = await accept(password);
		expect([password, status, body]).toEqual([password, 400, { error: `password ${GUESSABLE}` }]);
	}
	expect((await accept('four plain words together')).status).toBe(201);
});

function confirm(token: string, new_password: string) {
	return api('/api/v1/auth/password-reset/confirm', { body: { token, new_password } });
}
