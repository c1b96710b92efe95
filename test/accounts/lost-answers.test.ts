import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { changePassword } from '../../src/accounts/change-password.ts';
import { managedBy } from '../support/managed.ts';
import type { Actor } from '../../src/accounts/session.ts';
import { findAccount } from '../../src/accounts/known-network.ts';
import { signIn } from '../../src/accounts/sign-in.ts';
import { signUp as signUpVerb } from '../../src/accounts/sign-up.ts';
import { openContext } from '../../src/context.ts';
import { createProgram } from '../../src/programs/create-program.ts';
import { rotateProgramKey } from '../../src/programs/rotate-program-key.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { losingAnswers } from '../../testing/d1/failing.ts';
import { aProgram, api, type Owner, signUp, unique } from '../support/world.ts';

// If the response of a commit is lost, the commit is retried. The retry must recognize that it has already succeeded.

const nowhere = { address: null, userAgent: null };
const context = () => openContext({ ...env, DB: losingAnswers(env.DB) }, { waitUntil: () => undefined });

let owner: Owner;
let actor: Actor;
beforeAll(async () => {
	owner = await signUp();
	actor = { userId: owner.userId, email: owner.email, name: 'Ada Owner', address: null };
});

test('a sign-up happens once, and is answered', async () => {
	const email = `${unique('retry')}@people.example`;
	const person = { email, password: 'a long password', name: 'R', workspaceName: 'W', setupToken: undefined, ...nowhere };
	const { token, user } = await signUpVerb(context(), person);
	expect((await api('/api/v1/me', { token })).body.data).toMatchObject({
		user: { id: user.id, email },
		workspaces: [{ name: 'W', role: 'owner' }],
	});
});

async function signInAs(email: string, password: string) {
	return signIn(context(), await findAccount(context(), email), { password, lane: 'stranger', client: nowhere });
}

test('a sign-in opens its session', async () => {
	const { token } = await signInAs(owner.email, owner.password);
	expect((await api('/api/v1/me', { token })).status).toBe(200);
});

test('a password is changed once', async () => {
	const person = await signUp();
	const self = { ...actor, userId: person.userId };
	await changePassword(context(), self, await sha256Hex(person.token), { old: person.password, new: 'a newer password' });
	expect((await signInAs(person.email, 'a newer password')).user.id).toBe(person.userId);
});

test('a program is created once', async () => {
	const person = await signUp();
	const program = await createProgram(
		context(),
		{ ...actor, userId: person.userId },
		{
			workspaceId: undefined,
			name: 'Once',
			domain: null,
			currency: 'USD',
			cookieWindowDays: 60,
			clickRetentionDays: null,
			allowedOrigins: [],
			timeZone: 'UTC',
			serverLeadsOnly: false,
			keepEmails: false,
			payoutMinimumCents: 0,
			renewalsFollowCheckout: false,
			couponWins: false,
			rulesByLine: true,
			partnerPostbacks: true,
			commission: { type: 'percent', basisPoints: 2000 },
		},
	);
	const all = await api<{ id: number }[]>('/api/v1/programs', { token: person.token });
	expect(all.body.data.map(({ id }) => id)).toEqual([program.id]);
});

test('a key is rotated once', async () => {
	const program = await aProgram(owner);
	const managed = await managedBy(owner, program);
	const { apiToken } = await rotateProgramKey(context(), managed, { password: owner.password, overlapHours: 24 });
	const { results } = await env.DB.prepare('SELECT token_hash FROM program_keys WHERE program_id = ? AND expires_at IS NULL')
		.bind(program.id)
		.all();
	expect(results).toEqual([{ token_hash: await sha256Hex(apiToken) }]);
	const keys = await env.DB.prepare('SELECT count(*) AS n FROM program_keys WHERE program_id = ?').bind(program.id).first('n');
	expect(keys).toBe(2);
});
