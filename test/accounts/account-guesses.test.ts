import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { limitOf } from '../../testing/limits.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { aProgram, type Owner, signUp, unique } from '../support/world.ts';

// Somebody guesses one account's password from many IP addresses. An account allows 3 attempts.

const limited = { ACCOUNT_LIMIT: limitOf(3) };
const from = (address: string) => ({ 'CF-Connecting-IP': address });
const elsewhere = () =>
	from(`2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}:${Math.floor(Math.random() * 65_536).toString(16)}::1`);

const signIn = (email: string, password: string, headers: Record<string, string>) =>
	callWith(limited, '/api/v1/auth/sign-in', { body: { email, password }, headers });

/** Each guess comes from another IP address. */
async function attack(email: string, guesses = 5): Promise<number[]> {
	const statuses: number[] = [];
	for (let turn = 0; turn < guesses; turn += 1) statuses.push((await signIn(email, `a guess, the ${turn}th`, elsewhere())).status);
	return statuses;
}

describe('an account that is attacked from everywhere', () => {
	test('allows few guesses, and an unknown account the same number', async () => {
		const { email } = await signUp();
		expect(await attack(email)).toEqual([401, 401, 401, 429, 429]);
		expect(await attack(`${unique('nobody')}@people.example`)).toEqual([401, 401, 401, 429, 429]);
	});

	test('lets its owner in from a known place, and does not reveal to others that the password is right', async () => {
		const { email, password } = await signUp();
		const home = elsewhere();
		expect((await signIn(email, password, home)).status).toBe(200);
		await attack(email, 3);
		const refused = await signIn(email, password, elsewhere());
		expect([refused.status, refused.headers.get('Retry-After'), refused.body]).toEqual([
			429,
			'60',
			{
				error: expect.stringMatching(
					/^Too many passwords were tried from networks or browsers that are new to this account\. Wait 60 seconds, /,
				),
			},
		]);
		const neighbour = from(`${home['CF-Connecting-IP'].replace(/::1$/, '')}::beef`);
		expect((await signIn(email, password, neighbour)).status).toBe(200);
		expect((await signIn(email, 'not the password', home)).status).toBe(401);
	});

	test('forgets a place after some time', async () => {
		const { email, password, userId } = await signUp();
		const home = elsewhere();
		const day = 86_400_000;
		const signedIn = (days: number) =>
			env.DB.prepare("INSERT INTO audit_entries (at, user_id, action, detail, address) VALUES (?, ?, 'session.start', '{}', ?)")
				.bind(Date.now() - days * day, userId, home['CF-Connecting-IP'])
				.run();
		await signedIn(91);
		await attack(email, 3);
		expect((await signIn(email, password, home)).status).toBe(429);
		await signedIn(89);
		expect((await signIn(email, password, home)).status).toBe(200);
	});
});

describe('a stolen session', () => {
	test.each([
		['reveal', { password: 'a guess' }],
		['', { password: 'a guess' }],
	])('cannot guess the password at api-token/%s any faster than at the sign-in', async (route, body) => {
		const owner = await signUp();
		const path = `/api/v1/programs/${(await aProgram(owner)).id}/api-token${route && `/${route}`}`;
		const statuses = [await guess(owner, path, body), await guess(owner, path, body), await guess(owner, path, body)];
		expect([...statuses, await guess(owner, path, body)]).toEqual([403, 403, 403, 429]);
		expect(await attack(owner.email, 1)).toEqual([429]);
	});

	test('nor at the password change', async () => {
		const owner = await signUp();
		const body = { old_password: 'a guess', new_password: 'another password' };
		const path = '/api/v1/auth/password';
		const statuses = [await guess(owner, path, body), await guess(owner, path, body), await guess(owner, path, body)];
		expect([...statuses, await guess(owner, path, body)]).toEqual([403, 403, 403, 429]);
	});

	test('cannot rotate a key without the password: the old key remains the only one', async () => {
		const owner = await signUp();
		const { id } = await aProgram(owner);
		expect(await guess(owner, `/api/v1/programs/${id}/api-token`, { overlap_hours: 0 })).toBe(400);
		expect(await guess(owner, `/api/v1/programs/${id}/api-token`, { password: 'a guess', overlap_hours: 0 })).toBe(403);
		expect(await rows('SELECT expires_at FROM program_keys WHERE program_id = ?', id)).toEqual([{ expires_at: null }]);
	});
});

describe('refusals', () => {
	test('of a sign-in are in the audit log of a known account', async () => {
		const { email, userId } = await signUp();
		await signIn(email, 'not the password', from('192.0.2.9'));
		const refused = { action: 'session.refuse', workspace_id: null, program_id: null, detail: '{}', address: '192.0.2.9' };
		expect(await entriesOf(userId)).toEqual([refused]);
	});

	test("of a password for a key are in the workspace's audit log", async () => {
		const owner = await signUp();
		const { id } = await aProgram(owner);
		for (const route of ['', '/reveal']) {
			const { status } = await callWith({}, `/api/v1/programs/${id}/api-token${route}`, { token: owner.token, body: { password: 'no' } });
			expect(status).toBe(403);
		}
		const entry = { action: 'password.refuse', workspace_id: owner.workspaceId, program_id: id, address: null };
		expect(await entriesOf(owner.userId)).toEqual([
			{ ...entry, detail: '{"for":"program_key.rotate"}' },
			{ ...entry, detail: '{"for":"program_key.reveal"}' },
		]);
	});

	test('are logged with pseudonyms only: known and unknown accounts, 403 and 429', async () => {
		const warn = vi.spyOn(console, 'warn').mockReturnValue();
		const owner = await signUp();
		const { id } = await aProgram(await signUp());
		const nobody = `${unique('nobody')}@people.example`;
		await signIn(owner.email, 'not the password', from('192.0.2.77'));
		await signIn(nobody, 'not the password', from('192.0.2.77'));
		await callWith({}, `/api/v1/programs/${id}`, { token: owner.token, headers: from('192.0.2.77') });
		const full = { limit: () => Promise.resolve({ success: false }) };
		await callWith({ SESSION_LIMIT: full }, '/api/v1/me', { token: owner.token, headers: from('192.0.2.77') });
		const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)));
		warn.mockRestore();
		const client = expect.stringMatching(/^[0-9a-f]{16}$/);
		const requestId = expect.any(String);
		expect(lines).toEqual([
			{ level: 'warn', event: 'sign_in_refused', account: client, client, requestId },
			{ level: 'warn', event: 'sign_in_refused', account: client, client, requestId },
			{
				level: 'warn',
				event: 'refused',
				status: 403,
				code: 'not_a_member',
				method: 'GET',
				route: '/api/v1/programs/:id',
				client,
				requestId,
			},
			{ level: 'warn', event: 'refused', status: 429, code: 'too_many_requests', method: 'GET', route: '/api/v1/me', client, requestId },
		]);
		expect(new Set(lines.map((line) => line.client)).size).toBe(1);
		expect(lines[0].account).not.toBe(lines[1].account);
		expect(JSON.stringify(lines)).not.toMatch(/192\.0\.2\.77|people\.example/);
	});
});

async function guess(owner: Owner, path: string, body: object): Promise<number> {
	return (await callWith(limited, path, { token: owner.token, headers: elsewhere(), body })).status;
}

function entriesOf(userId: number) {
	return rows(
		'SELECT action, workspace_id, program_id, detail, address FROM audit_entries WHERE user_id = ? AND action LIKE ?',
		userId,
		'%.refuse',
	);
}
