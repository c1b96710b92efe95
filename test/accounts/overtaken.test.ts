import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { acceptInvitation, signUpByInvitation } from '../../src/accounts/accept-invitation.ts';
import { changeMember } from '../../src/accounts/change-member.ts';
import { inviteMember } from '../../src/accounts/invite-member.ts';
import { removeMember } from '../../src/accounts/remove-member.ts';
import type { Actor } from '../../src/accounts/session.ts';
import { withdrawInvitation } from '../../src/accounts/withdraw-invitation.ts';
import { openContext } from '../../src/context.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { workspaceOf } from '../support/managed.ts';
import { accept, actionsIn, anInvitation, memberIdOf, membersOf, type Role } from '../support/members.ts';
import { run } from '../support/refused.ts';
import { aMember, type Owner, signUp, unique } from '../support/world.ts';

// If the rows change between a function's read and its write, the function changes nothing and reports a conflict.

const overtakenBy = (work: () => Promise<unknown>) =>
	openContext({ ...env, DB: interrupted(env.DB, work) }, { waitUntil: () => undefined });
const actorOf = ({ userId, email }: Owner): Actor => ({ userId, email, name: 'Ada Owner', address: null });
const become = ({ workspaceId }: Owner, { userId }: Owner, role: Role) =>
	run('UPDATE members SET role = ? WHERE workspace_id = ? AND user_id = ?', role, workspaceId, userId);
const leave = ({ workspaceId }: Owner, { userId }: Owner) =>
	run('UPDATE members SET deactivated_at = 1, removed_at = 1 WHERE workspace_id = ? AND user_id = ?', workspaceId, userId);
const withdraw = (id: number) => run('UPDATE invitations SET withdrawn_at = 1 WHERE id = ?', id);

const CHANGED = { status: 409, message: 'The member has changed: reload and try again' };
const WITHDRAWN = { status: 410, message: 'This invitation was withdrawn or replaced by a newer one' };
const MEMBER_ALREADY = { status: 409, message: 'You are already an active member of this workspace' };

test('an admin does not deactivate a member who has just become an owner', async () => {
	const owner = await signUp();
	const [admin, member] = [await aMember(owner, 'admin'), await aMember(owner, 'member')];
	const workspace = await workspaceOf(admin, owner);
	const ctx = overtakenBy(() => become(owner, member, 'owner'));
	await expect(changeMember(ctx, workspace, await memberIdOf(owner, member), { active: false })).rejects.toMatchObject(CHANGED);
	const again = overtakenBy(() => become(owner, member, 'admin'));
	await become(owner, member, 'member');
	await expect(removeMember(again, workspace, await memberIdOf(owner, member))).rejects.toMatchObject(CHANGED);
	expect((await membersOf(owner)).members).toMatchObject([{}, {}, { role: 'admin', active: true }]);
	expect(await actionsIn(owner)).toEqual([]);
});

test('a person who has just lost their role can neither promote nor invite', async () => {
	const owner = await signUp();
	const [admin, member] = [await aMember(owner, 'admin'), await aMember(owner, 'member')];
	const workspace = await workspaceOf(admin, owner);
	const lose = () => become(owner, admin, 'member');
	await expect(changeMember(overtakenBy(lose), workspace, await memberIdOf(owner, member), { role: 'admin' })).rejects.toMatchObject(
		CHANGED,
	);
	await become(owner, admin, 'admin');
	await expect(removeMember(overtakenBy(lose), workspace, await memberIdOf(owner, member))).rejects.toMatchObject(CHANGED);
	await become(owner, admin, 'admin');
	const invited = { email: `${unique('guest')}@people.example`, role: 'admin' } as const;
	const refusal = { status: 409, message: 'Your role has changed: reload and try again' };
	await expect(inviteMember(overtakenBy(lose), workspace, invited)).rejects.toMatchObject(refusal);
	expect(await membersOf(owner)).toMatchObject({ members: [{}, {}, { role: 'member', active: true }], invitations: [] });
});

test('a member who has just been removed is not reactivated, and a second removal succeeds', async () => {
	const owner = await signUp();
	const member = await aMember(owner, 'member');
	const [workspace, id] = [await workspaceOf(owner, owner), await memberIdOf(owner, member)];
	await expect(
		changeMember(
			overtakenBy(() => leave(owner, member)),
			workspace,
			id,
			{ active: true },
		),
	).rejects.toMatchObject(CHANGED);
	expect((await membersOf(owner)).members).toHaveLength(1);
	const second = await aMember(owner, 'member');
	await removeMember(
		overtakenBy(() => leave(owner, second)),
		workspace,
		await memberIdOf(owner, second),
	);
	expect((await membersOf(owner)).members).toHaveLength(1);
});

test('nobody joins by an invitation that was just withdrawn, and no account is left behind', async () => {
	const owner = await signUp();
	const guest = await signUp();
	const [first, second] = [await anInvitation(owner), await anInvitation(owner)];
	const late = acceptInvitation(
		overtakenBy(() => withdraw(first.id)),
		actorOf(guest),
		first.token,
	);
	await expect(late).rejects.toMatchObject(WITHDRAWN);
	const person = { name: 'Gus', password: 'a long enough password', address: null, userAgent: null };
	const lateToo = signUpByInvitation(
		overtakenBy(() => withdraw(second.id)),
		second.token,
		person,
	);
	await expect(lateToo).rejects.toMatchObject(WITHDRAWN);
	expect((await membersOf(owner)).members).toHaveLength(1);
	expect(await env.DB.prepare('SELECT count(*) AS n FROM users WHERE email = ?').bind(second.email).first('n')).toBe(0);
});

test('a person who has just joined otherwise joins once, and the second link remains valid', async () => {
	const owner = await signUp();
	const guest = await signUp();
	const [first, second] = [await anInvitation(owner, 'admin'), await anInvitation(owner, 'member')];
	const late = acceptInvitation(
		overtakenBy(() => accept(first, guest)),
		actorOf(guest),
		second.token,
	);
	await expect(late).rejects.toMatchObject(MEMBER_ALREADY);
	expect(await membersOf(owner)).toMatchObject({ members: [{}, { role: 'admin' }], invitations: [{ id: second.id }] });
});

test('if the address has just got an account, the error says so, and the link remains valid', async () => {
	const owner = await signUp();
	const { id, email, token } = await anInvitation(owner);
	const take = () => run("INSERT INTO users (email, name, password_hash, created_at) VALUES (?, 'Gus', 'none', 1)", email);
	const person = { name: 'Gus', password: 'a long enough password', address: null, userAgent: null };
	const refusal = { status: 409, message: 'The invited address already has an account. Sign in, then accept the invitation' };
	await expect(signUpByInvitation(overtakenBy(take), token, person)).rejects.toMatchObject(refusal);
	expect((await membersOf(owner)).invitations).toMatchObject([{ id }]);
});

test('an invitation that was just used cannot be withdrawn', async () => {
	const owner = await signUp();
	const guest = await signUp();
	const invited = await anInvitation(owner);
	const late = withdrawInvitation(
		overtakenBy(() => accept(invited, guest)),
		await workspaceOf(owner, owner),
		invited.id,
	);
	await expect(late).rejects.toMatchObject({ status: 409, message: 'The invitation has already been accepted' });
	expect((await actionsIn(owner)).map(([action]) => action)).toEqual(['invitation.create', 'member.join']);
});

test('if two people accept an invitation at once, the slower one gets an error', async () => {
	const owner = await signUp();
	const [guest, other] = [await signUp(), await signUp()];
	const invited = await anInvitation(owner);
	const late = acceptInvitation(
		overtakenBy(() => accept(invited, other)),
		actorOf(guest),
		invited.token,
	);
	await expect(late).rejects.toMatchObject({ status: 410, message: 'This invitation has already been used. A link works once' });
});
