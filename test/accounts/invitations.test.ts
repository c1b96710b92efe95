import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/secrets.ts';
import { accept, actionsIn, anInvitation, expire, type Invited, type Joined, look, membersOf } from '../support/members.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

const USED = { error: 'This invitation has already been used. A link works once' };
const WITHDRAWN = { error: 'This invitation was withdrawn or replaced by a newer one' };
const EXPIRED = { error: 'This invitation has expired. Ask for a new one' };
const NOBODY = 'Sign in first: send Authorization: Bearer <session token>. Or send name and password to sign up with the invited address';
const PERSON = { name: 'Gus', password: 'a long enough password' };

function signUpBy({ token }: Pick<Invited, 'token'>, body: object = PERSON) {
	return api<Joined>(`/api/v1/invitations/${token}/accept`, { body });
}

describe('an invitation', () => {
	test('returns a link, of which only the hash is stored', async () => {
		const email = `${unique('Guest')}@People.Example`;
		const before = Date.now();
		const { status, body } = await api<{ invitation_url: string; expires_at: string }>(`/api/v1/workspaces/${owner.workspaceId}/members`, {
			token: owner.token,
			body: { email: ` ${email} `, role: 'admin' },
		});
		expect(status).toBe(201);
		expect(body.data).toMatchObject({ email: email.toLowerCase(), role: 'admin', invited_by: { id: owner.userId, name: 'Ada Owner' } });
		expect(body.data.invitation_url).toMatch(/^http:\/\/service\.test\/api\/v1\/invitations\/inv_[0-9a-f]{40}$/);
		expect(Date.parse(body.data.expires_at) - before).toBeGreaterThanOrEqual(7 * 86_400_000);
		const token = body.data.invitation_url.split('/').at(-1) ?? '';
		const stored = await env.DB.prepare('SELECT * FROM invitations WHERE email = ?').bind(email.toLowerCase()).first();
		expect(stored?.['token_hash']).toBe(await sha256Hex(token));
		expect(JSON.stringify(stored)).not.toContain(token);
	});

	test('shows what it is for to anyone with the link, and nothing else', async () => {
		const email = `${unique('grace')}@people.example`;
		const { status, body, headers } = await look(await anInvitation(owner, 'member', email));
		expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store']);
		expect(body.data).toEqual({
			workspace_name: "Ada Owner's workspace",
			invited_by: 'Ada Owner',
			email,
			role: 'member',
			partner: null,
			expires_at: expect.any(String),
		});
	});

	test('opens as a page in a browser', async () => {
		const { token } = await anInvitation(owner);
		const address = `http://service.test/api/v1/invitations/${token}`;
		const answer = await exports.default.fetch(address, { redirect: 'manual', headers: { Accept: 'text/html,application/xhtml+xml' } });
		expect([answer.status, answer.headers.get('Location'), answer.headers.get('Referrer-Policy')]).toEqual([
			303,
			`/invitation#token=${token}`,
			'no-referrer',
		]);
		for (const path of ['/invitation', '/reset-password']) {
			const page = await exports.default.fetch(`http://service.test${path}`, { redirect: 'manual' });
			expect([page.status, page.headers.get('Location')]).toEqual([302, `/portal${path}`]);
		}
	});

	test('is not found by an unknown token', async () => {
		for (const token of ['inv_', `inv_${'0'.repeat(40)}`, "'", '%00']) {
			expect(await look({ token })).toMatchObject({ status: 404, body: { error: 'Invitation not found' } });
			expect(await accept({ token }, owner)).toMatchObject({ status: 404 });
			expect(await signUpBy({ token })).toMatchObject({ status: 404 });
		}
	});

	test('replaces the earlier one for the address', async () => {
		const own = await signUp();
		const first = await anInvitation(own);
		const second = await anInvitation(own, 'admin', first.email);
		expect(await look(first)).toMatchObject({ status: 410, body: WITHDRAWN });
		expect(await signUpBy(first)).toMatchObject({ status: 410, body: WITHDRAWN });
		expect((await membersOf(own)).invitations).toMatchObject([{ id: second.id, email: first.email, role: 'admin' }]);
		expect(await look(second)).toMatchObject({ status: 200 });
	});

	test('created several times at once leaves one open', async () => {
		const own = await signUp();
		const email = `${unique('guest')}@people.example`;
		const made = await Promise.all([1, 2, 3, 4].map(() => anInvitation(own, 'member', email)));
		const seen = await Promise.all(made.map(look));
		expect(seen.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410, 410]);
		expect((await membersOf(own)).invitations).toHaveLength(1);
	});

	test('is refused for an active member, in any letter case', async () => {
		const member = await aMember(owner, 'member');
		const answer = await api(`/api/v1/workspaces/${owner.workspaceId}/members`, {
			token: owner.token,
			body: { email: member.email.toUpperCase(), role: 'admin' },
		});
		expect([answer.status, answer.body]).toEqual([409, { error: 'email belongs to an active member' }]);
	});

	test('is refused if a hundred are open', async () => {
		const own = await signUp();
		await env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
			INSERT INTO invitations (token_hash, workspace_id, email, role, invited_by, created_at, expires_at)
			SELECT ?1 || i, ?1, 'guest' || i, 'member', ?2, 0, ?3 FROM n`,
		)
			.bind(own.workspaceId, own.userId, Date.now() + 86_400_000)
			.run();
		const hundredth = await anInvitation(own);
		await expect(anInvitation(own)).rejects.toThrow('409: {"error":"100 invitations are open: withdraw one first"}');
		await anInvitation(own, 'admin', hundredth.email);
		await expire(await anInvitation(own, 'member', hundredth.email));
		await anInvitation(own);
		expect((await membersOf(own)).invitations).toHaveLength(100);
	});

	test('can be withdrawn once, unless it was used', async () => {
		const [invited, used] = [await anInvitation(owner), await anInvitation(owner)];
		const withdraw = ({ id }: Invited) =>
			api(`/api/v1/workspaces/${owner.workspaceId}/invitations/${id}`, { method: 'DELETE', token: owner.token });
		expect(await withdraw(invited)).toMatchObject({ status: 200, body: { success: true, data: null } });
		expect(await withdraw(invited)).toMatchObject({ status: 404, body: { error: 'Invitation not found' } });
		expect(await look(invited)).toMatchObject({ status: 410, body: WITHDRAWN });
		const guest = await signUp();
		expect(await accept(invited, guest)).toMatchObject({ status: 410, body: WITHDRAWN });
		expect(await accept(used, guest)).toMatchObject({ status: 201 });
		expect(await withdraw(used)).toMatchObject({ status: 404 });
	});

	test.each([
		[{}, 'email must be a string'],
		[{ email: 'nobody', role: 'member' }, 'email must be an email address'],
		[{ email: 'a@b.example' }, 'role must be one of owner, admin, member'],
		[{ email: 'a@b.example', role: 'king' }, 'role must be one of owner, admin, member'],
		[{ email: 'a@b.example', role: 'member', name: 'A' }, 'Unknown field: name'],
	])('with %j is refused', async (body, error) => {
		const answer = await api(`/api/v1/workspaces/${owner.workspaceId}/members`, { token: owner.token, body });
		expect([answer.status, answer.body]).toEqual([400, { error }]);
	});
});

describe('accepting', () => {
	test('works with any address', async () => {
		const own = await signUp();
		const guest = await signUp();
		const invited = await anInvitation(own, 'admin');
		const { status, body } = await accept(invited, guest);
		const workspace = { id: own.workspaceId, name: "Ada Owner's workspace", role: 'admin' };
		expect([status, body.data]).toEqual([
			201,
			{ user: { id: guest.userId, email: guest.email, name: 'Ada Owner' }, workspace, partner_account: null },
		]);
		const me = await api<{ workspaces: unknown[] }>('/api/v1/me', { token: guest.token });
		expect(me.body.data.workspaces).toContainEqual(workspace);
		expect(await look(invited)).toMatchObject({ status: 410, body: USED });
		expect(await accept(invited, guest)).toMatchObject({ status: 410, body: USED });
		expect(await accept(invited, await signUp())).toMatchObject({ status: 410, body: USED });
		expect((await membersOf(own)).invitations).toEqual([]);
		expect(await actionsIn(own)).toEqual([
			['invitation.create', own.userId, { role: 'admin' }],
			['member.join', guest.userId, { invitation_id: invited.id, role: 'admin' }],
		]);
	});

	test('creates a new person under the invited address', async () => {
		const invited = await anInvitation(owner);
		const { status, body } = await signUpBy(invited);
		expect([status, body.data]).toMatchObject([
			201,
			{ user: { email: invited.email, name: 'Gus' }, workspace: { id: owner.workspaceId, role: 'member' } },
		]);
		const me = await api('/api/v1/me', { token: body.data.token ?? '' });
		expect(me.body.data).toEqual({ user: body.data.user, is_operator: false, workspaces: [body.data.workspace], partner_accounts: [] });
		const again = await api('/api/v1/auth/sign-in', { body: { email: invited.email, password: PERSON.password } });
		expect(again.status).toBe(200);
		expect(await signUpBy(invited)).toMatchObject({ status: 410, body: USED });
	});

	test('sets the session as a cookie on a page of the service', async () => {
		const body = { ...PERSON, cookie: true };
		const invited = await anInvitation(owner);
		expect(await signUpBy(invited, body)).toMatchObject({ status: 403 });
		const path = `/api/v1/invitations/${invited.token}/accept`;
		const answer = await api<Joined>(path, { body, headers: { Origin: 'http://service.test' } });
		expect([answer.status, 'token' in answer.body.data]).toEqual([201, false]);
		const [cookie] = answer.headers.getSetCookie();
		expect(cookie).toMatch(/^__Host-tracker_session=ses_[0-9a-f]{40};/);

		// With this cookie, only a page of the service can accept an invitation to another workspace.
		const other = await anInvitation(await signUp());
		const accepted = (origin: string) =>
			api(`/api/v1/invitations/${other.token}/accept`, {
				method: 'POST',
				headers: { Cookie: cookie?.split(';')[0] ?? '', Origin: origin },
			});
		expect(await accepted('https://elsewhere.example')).toMatchObject({ status: 403 });
		expect(await accepted('http://service.test')).toMatchObject({ status: 201 });
	});

	test('needs a sign-in if the address has an account, and the link remains valid', async () => {
		const guest = await signUp();
		const invited = await anInvitation(owner, 'member', guest.email);
		expect(await signUpBy(invited)).toMatchObject({
			status: 409,
			body: { error: 'The invited address already has an account. Sign in, then accept the invitation' },
		});
		expect(await accept(invited, guest)).toMatchObject({ status: 201 });
	});

	test('is refused for a member, and the link remains valid', async () => {
		const invited = await anInvitation(owner);
		const error = 'You are already an active member of this workspace';
		expect(await accept(invited, owner)).toMatchObject({ status: 409, body: { error } });
		expect(await look(invited)).toMatchObject({ status: 200 });
	});

	test('fails after the invitation has expired', async () => {
		const invited = await anInvitation(owner);
		await expire(invited);
		expect(await look(invited)).toMatchObject({ status: 410, body: EXPIRED });
		expect(await accept(invited, await signUp())).toMatchObject({ status: 410, body: EXPIRED });
		expect(await signUpBy(invited)).toMatchObject({ status: 410, body: EXPIRED });
		expect((await membersOf(owner)).invitations.map(({ id }) => id)).not.toContain(invited.id);
	});

	test.each([
		[undefined, 401, NOBODY],
		[{}, 401, NOBODY],
		[{ cookie: false }, 401, NOBODY],
		[{ name: 'Gus' }, 400, 'name and password must be sent together. Leave both out if you are signed in'],
		[{ password: 'a long enough password' }, 400, 'name and password must be sent together. Leave both out if you are signed in'],
		[{ name: 'Gus', password: 'short' }, 400, 'password must be at least 10 characters'],
		[{ name: ' ', password: 'a long enough password' }, 400, 'name must not be blank'],
		[{ ...PERSON, email: 'another@people.example' }, 400, 'Unknown field: email'],
	])('without a session, sending %j, is refused', async (sent, expected, error) => {
		const invited = await anInvitation(owner);
		const call = sent === undefined ? { method: 'POST' } : { body: sent };
		const { status, body } = await api(`/api/v1/invitations/${invited.token}/accept`, call);
		expect([status, body]).toEqual([expected, { error }]);
		expect(await look(invited)).toMatchObject({ status: 200 });
	});
});

describe('concurrent requests', () => {
	test('by several people: one joins', async () => {
		const own = await signUp();
		const invited = await anInvitation(own);
		const guests = await Promise.all([signUp(), signUp(), signUp()]);
		const answers = await Promise.all([...guests.map((guest) => accept(invited, guest)), signUpBy(invited)]);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410, 410, 410]);
		expect((await membersOf(own)).members).toHaveLength(2);
		// The slower request must not leave an account for the invited address.
		const isSignedUp = answers[3]?.status === 201;
		const users = await env.DB.prepare('SELECT count(*) AS n FROM users WHERE email = ?').bind(invited.email).first('n');
		expect(users).toBe(isSignedUp ? 1 : 0);
	});

	test('two sign-ups create one person', async () => {
		const own = await signUp();
		const invited = await anInvitation(own);
		const answers = await Promise.all([signUpBy(invited), signUpBy(invited)]);
		const [won, lost] = answers.map(({ status }) => status).toSorted((a, b) => a - b);
		expect(won).toBe(201);
		expect([409, 410]).toContain(lost);
		expect((await membersOf(own)).members).toHaveLength(2);
	});

	test('one person with two invitations joins once', async () => {
		const own = await signUp();
		const guest = await signUp();
		const invited = [await anInvitation(own, 'admin'), await anInvitation(own, 'member')];
		const answers = await Promise.all(invited.map((one) => accept(one, guest)));
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
		expect((await membersOf(own)).invitations).toHaveLength(1);
	});

	test('accepting and withdrawing: one of them succeeds', async () => {
		const own = await signUp();
		const guest = await signUp();
		const invited = await anInvitation(own);
		const [joined, withdrawn] = await Promise.all([
			accept(invited, guest),
			api(`/api/v1/workspaces/${own.workspaceId}/invitations/${invited.id}`, { method: 'DELETE', token: own.token }),
		]);
		const { members, invitations } = await membersOf(own);
		expect(invitations).toEqual([]);
		if (joined.status === 201) {
			expect([404, 409]).toContain(withdrawn.status);
			expect(members).toHaveLength(2);
		} else {
			expect([joined.status, withdrawn.status]).toEqual([410, 200]);
			expect(members).toHaveLength(1);
		}
	});
});
