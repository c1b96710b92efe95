import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { acceptInvitation, signUpByInvitation } from '../../src/accounts/accept-invitation.ts';
import { changeMember } from '../../src/accounts/change-member.ts';
import { createWorkspace } from '../../src/accounts/create-workspace.ts';
import { inviteMember } from '../../src/accounts/invite-member.ts';
import { removeMember } from '../../src/accounts/remove-member.ts';
import type { Actor } from '../../src/accounts/session.ts';
import { withdrawInvitation } from '../../src/accounts/withdraw-invitation.ts';
import { openContext } from '../../src/context.ts';
import { losingAnswers } from '../../testing/d1/failing.ts';
import { workspaceOf } from '../support/managed.ts';
import { actionsIn, anInvitation, look, memberIdOf, membersOf } from '../support/members.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

// Like lost-answers.test.ts, for members.

const context = () => openContext({ ...env, DB: losingAnswers(env.DB) }, { waitUntil: () => undefined });
const actorOf = ({ userId, email }: Owner): Actor => ({ userId, email, name: 'Ada Owner', address: null });

test('a workspace is created once', async () => {
	const owner = await signUp();
	const made = await createWorkspace(context(), actorOf(owner), 'Once');
	const me = await api<{ workspaces: { name: string }[] }>('/api/v1/me', { token: owner.token });
	expect(me.body.data.workspaces.filter(({ name }) => name === 'Once')).toEqual([made]);
	expect(await actionsIn({ workspaceId: made.id })).toHaveLength(1);
});

test('an invitation is created once, and its link works', async () => {
	const owner = await signUp();
	const email = `${unique('guest')}@people.example`;
	const { id, token } = await inviteMember(context(), await workspaceOf(owner, owner), { email, role: 'admin' });
	expect((await membersOf(owner)).invitations).toMatchObject([{ id, email, role: 'admin' }]);
	expect(await look({ token })).toMatchObject({ status: 200 });
	expect(await actionsIn(owner)).toHaveLength(1);
});

test('a person joins once', async () => {
	const owner = await signUp();
	const guest = await signUp();
	const { token } = await anInvitation(owner, 'admin');
	expect(await acceptInvitation(context(), actorOf(guest), token)).toMatchObject({ workspace: { id: owner.workspaceId, role: 'admin' } });
	expect((await actionsIn(owner)).map(([action]) => action)).toEqual(['invitation.create', 'member.join']);
});

test('a person signs up by an invitation once', async () => {
	const owner = await signUp();
	const { token, email } = await anInvitation(owner);
	const person = { name: 'Gus', password: 'a long enough password', address: null, userAgent: null };
	const joined = await signUpByInvitation(context(), token, person);
	expect(joined.user.email).toBe(email);
	expect((await api('/api/v1/me', { token: joined.token })).status).toBe(200);
	expect((await membersOf(owner)).members).toHaveLength(2);
});

test('a member is changed, even if the answer is lost or the member is the caller', async () => {
	const owner = await signUp();
	const other = await aMember(owner, 'owner');
	const workspace = await workspaceOf(owner, owner);
	expect(await changeMember(context(), workspace, await memberIdOf(owner, other), { role: 'admin' })).toMatchObject({ role: 'admin' });
	expect(await changeMember(context(), workspace, await memberIdOf(owner, other), { role: 'owner' })).toMatchObject({ role: 'owner' });
	expect(await changeMember(context(), workspace, workspace.memberId, { role: 'member' })).toMatchObject({ role: 'member' });
});

test('a member is removed, and so is the caller', async () => {
	const owner = await signUp();
	const [other, leaver] = [await aMember(owner, 'owner'), await aMember(owner, 'admin')];
	await removeMember(context(), await workspaceOf(owner, owner), await memberIdOf(owner, other));
	const own = await workspaceOf(leaver, owner);
	await removeMember(context(), own, own.memberId);
	expect((await membersOf(owner)).members).toHaveLength(1);
	expect((await actionsIn(owner)).map(([action]) => action)).toEqual(['member.remove', 'member.leave']);
});

test('an invitation is withdrawn', async () => {
	const owner = await signUp();
	const invited = await anInvitation(owner);
	await withdrawInvitation(context(), await workspaceOf(owner, owner), invited.id);
	expect(await look(invited)).toMatchObject({ status: 410 });
});
