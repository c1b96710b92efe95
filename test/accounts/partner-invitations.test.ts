import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { invitePartner } from '../../src/partners/invite-partner.ts';
import { losingAnswers } from '../../testing/d1/failing.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, aShop, type Shop, statusesOf, type TestPartner } from '../support/ledger.ts';
import { managedBy } from '../support/managed.ts';
import { accept, actionsIn, look, memberIdOf } from '../support/members.ts';
import { aMailbox } from '../support/mail.ts';
import { aSignedInPartner, detach, invite, tokenOf } from '../support/portal.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const USED = { error: 'This invitation has already been used. A link works once' };
const WITHDRAWN = { error: 'This invitation was withdrawn or replaced by a newer one' };
const ACCEPTED = { error: 'The invitation has already been accepted' };
const PERSON = { name: 'Pat', password: 'a long enough password' };

interface Me {
	readonly workspaces: readonly unknown[];
	readonly partner_accounts: readonly { partner_id: number; partner_programs: readonly { id: number; status: string }[] }[];
}

async function meOf({ token }: { readonly token: string }): Promise<Me> {
	return (await api<Me>('/api/v1/me', { token })).body.data;
}

async function readPartner({ id }: TestPartner): Promise<TestPartner> {
	return (await api<TestPartner>(`${shop.path}/partners/${id}`, { token: owner.token })).body.data;
}

function usersOf({ id }: TestPartner) {
	return rows<{ user_id: number | null }>('SELECT user_id FROM partners WHERE id = ?', id);
}

describe('a link for a partner', () => {
	test('shows workspace, partner and programs to anyone who has it', async () => {
		const partner = await aPartner(shop, { name: 'Pat' });
		const second = await aShop(owner);
		const { invitation_url: url } = await aPartner(second, { email: partner.email });
		const { body } = await look({ token: tokenOf({ invitation_url: url }) });
		expect(body.data).toEqual({
			workspace_name: "Ada Owner's workspace",
			invited_by: 'Ada Owner',
			email: partner.email,
			role: null,
			partner: { name: 'Pat', programs: [expect.objectContaining({ domain: null }), expect.objectContaining({ domain: null })] },
			expires_at: expect.any(String),
		});
		// The previous open invitation was replaced.
		expect(await look({ token: tokenOf(partner) })).toMatchObject({ status: 410, body: WITHDRAWN });
	});

	test('makes the signed-in person the partner, under any address, and nobody else', async () => {
		const [own, person] = [await signUp(), await signUp()];
		const place = await aShop(own);
		const partner = await aPartner(place);
		const answer = await accept({ token: tokenOf(partner) }, person);
		const program = { id: place.id, name: expect.any(String), domain: null, currency: 'USD' };
		const account = {
			partner_id: partner.id,
			name: 'Pat Partner',
			workspace_id: own.workspaceId,
			workspace_name: "Ada Owner's workspace",
			partner_programs: [{ id: partner.partner_program_id, status: 'active', program }],
		};
		const user = { id: person.userId, email: person.email, name: 'Ada Owner' };
		expect([answer.status, answer.body.data]).toEqual([201, { user, workspace: null, partner_account: account }]);
		expect((await meOf(person)).partner_accounts).toEqual([account]);
		expect((await meOf(person)).workspaces).toHaveLength(1);
		expect(await look({ token: tokenOf(partner) })).toMatchObject({ status: 410, body: USED });
		expect((await actionsIn(own)).at(-1)).toEqual(['partner.join', person.userId, { invitation_id: expect.any(Number) }]);
		expect((await api(`/api/v1/workspaces/${own.workspaceId}/members`, { token: person.token })).status).toBe(403);
	});

	test('creates a person under the invited address, without a workspace', async () => {
		const partner = await aPartner(shop);
		const { status, body } = await api<{ token: string; user: { email: string } }>(`/api/v1/invitations/${tokenOf(partner)}/accept`, {
			body: PERSON,
		});
		expect([status, body.data.user.email]).toEqual([201, partner.email]);
		const me = await meOf(body.data);
		expect([me.workspaces, me.partner_accounts.map((account) => account.partner_id)]).toEqual([[], [partner.id]]);
		expect((await readPartner(partner)).accepted).toBe(true);
		expect((await api('/api/v1/auth/sign-in', { body: { email: partner.email, password: PERSON.password } })).status).toBe(200);
	});

	test('gives no access to a person who only has the address', async () => {
		const person = await signUp();
		const partner = await aPartner(shop, { email: person.email });
		expect((await meOf(person)).partner_accounts).toEqual([]);
		expect(await api(`/api/v1/invitations/${tokenOf(partner)}/accept`, { body: PERSON })).toMatchObject({ status: 409 });
		expect(await usersOf(partner)).toEqual([{ user_id: null }]);
	});

	test('makes one person the partner, even if several accept at once', async () => {
		const partner = await aPartner(shop);
		const people = await Promise.all([1, 2, 3, 4].map(() => signUp()));
		const token = tokenOf(partner);
		const newOne = () => api(`/api/v1/invitations/${token}/accept`, { body: PERSON });
		const answers = await Promise.all([...people.map((person) => accept({ token }, person)), newOne()]);
		expect(statusesOf(answers)).toEqual([201, 410, 410, 410, 410]);
		const [holder] = await usersOf(partner);
		const [used] = await rows<{ accepted_by: number }>('SELECT accepted_by FROM invitations WHERE partner_id = ?', partner.id);
		expect(holder).toEqual({ user_id: used?.accepted_by });
		const accounts = await Promise.all(people.map(async (person) => (await meOf(person)).partner_accounts.length));
		expect(accounts.reduce((sum, count) => sum + count, 0)).toBe(answers[4]?.status === 201 ? 0 : 1);
	});

	test('can be one of many: a person is a partner of several workspaces', async () => {
		const person = await signUp();
		const accounts = [];
		for (const place of [shop, await aShop(await signUp()), await aShop(await signUp())]) {
			accounts.push((await aSignedInPartner(place, {}, person)).id);
		}
		expect((await meOf(person)).partner_accounts.map((account) => account.partner_id)).toEqual(accounts);
	});

	test('is not created if a partner with an account joins another program', async () => {
		const partner = await aSignedInPartner(shop);
		const joined = await aPartner(await aShop(owner), { email: partner.email });
		expect(joined).toMatchObject({ id: partner.id, accepted: true, invitation_url: null });
		const [account] = (await meOf(partner)).partner_accounts;
		expect(account?.partner_programs.map(({ id }) => id)).toEqual([partner.partner_program_id, joined.partner_program_id]);
	});
});

describe('another link', () => {
	test('replaces the open one, for owners and admins', async () => {
		const partner = await aPartner(shop);
		const { status, body } = await invite(shop, partner, await aMember(owner, 'admin'));
		expect([status, body.data]).toEqual([
			201,
			{ partner_id: partner.id, email: partner.email, expires_at: expect.any(String), invitation_url: expect.any(String), mailed: false },
		]);
		expect(await look({ token: tokenOf(partner) })).toMatchObject({ status: 410, body: WITHDRAWN });
		expect(await accept({ token: tokenOf(body.data) }, await signUp())).toMatchObject({ status: 201 });
		expect((await invite(shop, partner, await aMember(owner, 'member'))).status).toBe(403);
	});

	test('created several times at once leaves one open', async () => {
		const partner = await aPartner(shop);
		const made = await Promise.all([1, 2, 3, 4].map(() => invite(shop, partner)));
		expect(statusesOf(made)).toEqual([201, 201, 201, 201]);
		const seen = await Promise.all(made.map(({ body }) => look({ token: tokenOf(body.data) })));
		expect(statusesOf(seen)).toEqual([200, 410, 410, 410]);
	});

	test('is refused once somebody has accepted, even at the same time', async () => {
		const partner = await aSignedInPartner(shop);
		expect(await invite(shop, partner)).toMatchObject({ status: 409, body: ACCEPTED });
		const open = await aPartner(shop);
		const [accepted, invited] = await Promise.all([accept({ token: tokenOf(open) }, await signUp()), invite(shop, open)]);
		expect([
			[201, 409],
			[410, 201],
		]).toContainEqual([accepted.status, invited.status]);
	});

	test('is created once if the answer is lost, and works', async () => {
		const partner = await aPartner(shop);
		const ctx = openContext({ ...env, DB: losingAnswers(env.DB) }, { waitUntil: () => undefined });
		const { token } = await invitePartner(ctx, await managedBy(owner, shop), partner.id);
		expect((await look({ token })).status).toBe(200);
	});

	test('ends when its creator loses the right to invite', async () => {
		const admin = { ...(await aMember(owner, 'admin')), workspaceId: owner.workspaceId };
		const partner = await aPartner({ ...shop, owner: admin });
		const path = `/api/v1/workspaces/${owner.workspaceId}/members/${await memberIdOf(owner, admin)}`;
		await api(path, { method: 'PATCH', token: owner.token, body: { role: 'member' } });
		expect(await look({ token: tokenOf(partner) })).toMatchObject({ status: 410, body: WITHDRAWN });
		expect((await invite(shop, partner)).status).toBe(201);
	});
});

describe('while an invitation is open', () => {
	test('a suspended partner may still accept', async () => {
		const partner = await aPartner(shop);
		await api(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
		expect((await accept({ token: tokenOf(partner) }, await signUp())).status).toBe(201);
	});

	test('the link ends with the last membership, and a new one can be created', async () => {
		const partner = await aPartner(shop);
		const second = await aShop(owner);
		const end = (place: Shop) => api(`${place.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
		const { invitation_url: url } = await aPartner(second, { email: partner.email });
		const token = tokenOf({ invitation_url: url });
		await end(second);
		expect((await look({ token })).status).toBe(200);
		await end(shop);
		expect(await look({ token })).toMatchObject({ status: 410, body: WITHDRAWN });
		const again = await invite(shop, partner);
		expect((await accept({ token: tokenOf(again.body.data) }, await signUp())).status).toBe(201);
	});
});

describe('a person is detached from a partner', () => {
	test('by an owner: they lose access, and somebody else may accept', async () => {
		const own = await signUp();
		const place = await aShop(own);
		const wrong = await aSignedInPartner(place);
		expect((await detach(place, wrong, await aMember(own, 'admin'))).status).toBe(403);
		expect(await detach(place, wrong)).toMatchObject({ status: 200, body: { data: { accepted: false } } });
		expect(await detach(place, wrong)).toMatchObject({ status: 200, body: { data: { accepted: false } } });
		expect((await meOf(wrong)).partner_accounts).toEqual([]);
		expect((await actionsIn(own)).filter(([action]) => action === 'partner.detach')).toEqual([
			['partner.detach', own.userId, { user_id: wrong.person.userId }],
		]);
		const right = await signUp();
		expect((await accept({ token: tokenOf((await invite(place, wrong)).body.data) }, right)).status).toBe(201);
		expect((await meOf(right)).partner_accounts).toHaveLength(1);
	});

	test('after the password was entered, and is notified by email', async () => {
		const own = await signUp();
		const place = await aShop(own);
		const wrong = await aSignedInPartner(place);
		const refused = await detach(place, wrong, { ...own, password: 'not the password' });
		expect([refused.status, refused.body]).toEqual([403, { error: 'password is wrong' }]);
		const { bindings, emails } = aMailbox();
		const path = `${place.path}/partners/${wrong.id}/person`;
		const call = { method: 'DELETE', token: own.token };
		expect((await callWith(bindings, path, { ...call, body: {} })).body).toEqual({ error: 'password must be a string' });
		expect([(await meOf(wrong)).partner_accounts.length, emails]).toEqual([1, []]);
		for (const _again of [1, 2]) expect((await callWith(bindings, path, { ...call, body: { password: own.password } })).status).toBe(200);
		expect(emails).toEqual([
			expect.objectContaining({
				to: wrong.person.email,
				subject: expect.stringMatching(/^You are no longer signed in as a partner of /),
				text: expect.stringContaining('your payout details were removed'),
			}),
		]);
	});

	test('and is not replaced while they are the partner', async () => {
		const partner = await aSignedInPartner(shop);
		const other = await signUp();
		await expect(env.DB.prepare('UPDATE partners SET user_id = ? WHERE id = ?').bind(other.userId, partner.id).run()).rejects.toThrow(
			'partners: taken',
		);
	});
});
