import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { callWith } from '../support/bindings.ts';
import { aFunnel } from '../support/funnel.ts';
import { api, signUp, unique } from '../support/world.ts';

// Hashing a password occupies the isolate for 0.1 s.

const signIn = (email: string) => callWith({}, '/api/v1/auth/sign-in', { body: { email, password: 'not the password' } });

test('a click does not wait for earlier sign-ins', async () => {
	const { shortLink } = await aFunnel();
	const { email } = await signUp();
	let isClicked = false;
	let signedIn = 0;
	const signIns = Array.from({ length: 12 }, async () => {
		await signIn(email);
		if (!isClicked) signedIn += 1;
	});
	// By now all of them have started.
	await new Promise((resolve) => setTimeout(resolve, 10));
	const { status } = await callWith({}, '/api/v1/track/click', { body: { affiliate_url: `https://shop.example/?aff=${shortLink}` } });
	isClicked = true;
	expect(status).toBe(200);
	expect(signedIn).toBeLessThanOrEqual(3);
	await Promise.all(signIns);
});

test('if too many are waiting, the next one gets a 503, and the others are processed', async () => {
	const { email } = await signUp();
	const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email)));
	const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
	expect(statuses).toEqual([...Array<number>(16).fill(401), ...Array<number>(4).fill(429)]);
	const refused = answers.find(({ status }) => status === 429);
	expect([refused?.headers.get('Retry-After'), refused?.body]).toEqual([
		'5',
		{ error: 'Too many requests. Wait 5 seconds and try again.' },
	]);
	expect((await signIn(email)).status).toBe(401);
});

test.each([
	['aaaaaaaaaa', 400],
	['AaAaAaAaAaAa', 400],
	['1212121212121212', 400],
	['ａaａaａaａaａaａa', 400],
	['abcdabcdabcd', 400],
	['correct horse battery', 201],
	['パスワードを決めた私です', 201],
])('a new password with few different characters is refused: %s', async (password, status) => {
	const answer = await api('/api/v1/auth/sign-up', { body: { email: `${unique('new')}@people.example`, password, name: 'New' } });
	expect(answer.status).toBe(status);
	const error = 'password must have at least 5 different characters. Choose a few words that nobody else would combine';
	if (status === 400) expect(answer.body).toEqual({ error });
});

test('so it is at a password change', async () => {
	const { token, password, userId } = await signUp();
	const answer = await api('/api/v1/auth/password', { token, body: { old_password: password, new_password: 'zzzzzzzzzzzz' } });
	const error = 'new_password must have at least 5 different characters. Choose a few words that nobody else would combine';
	expect([answer.status, answer.body]).toEqual([400, { error }]);
	expect(await env.DB.prepare('SELECT count(*) AS n FROM audit_entries WHERE user_id = ?').bind(userId).first('n')).toBe(0);
});
