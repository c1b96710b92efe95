import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { signUpByInvitation } from '../../src/accounts/accept-invitation.ts';
import { createWorkspace } from '../../src/accounts/create-workspace.ts';
import type { Actor } from '../../src/accounts/session.ts';
import { openContext } from '../../src/context.ts';
import { actionsIn, anInvitation } from '../support/members.ts';
import { aMember, aProgram, api, type Owner, signUp } from '../support/world.ts';

interface Workspace {
	readonly id: number;
	readonly name: string;
	readonly role: string;
}

function inviting() {
	const ctx = openContext(env, { waitUntil: () => undefined });
	return { ...ctx, settings: { ...ctx.settings, signUp: 'invite' } as const };
}

function actorOf({ userId, email }: Owner): Actor {
	return { userId, email, name: 'Ada Owner', address: null };
}

function create({ token }: Pick<Owner, 'token'>, name: unknown) {
	return api<Workspace>('/api/v1/workspaces', { token, body: { name } });
}

describe('a workspace', () => {
	test('is created, and belongs to its creator', async () => {
		const owner = await signUp();
		const { status, body } = await create(owner, ' Second business ');
		expect([status, body.data]).toEqual([201, { id: expect.any(Number), name: 'Second business', role: 'owner' }]);
		const me = await api<{ workspaces: unknown[] }>('/api/v1/me', { token: owner.token });
		expect(me.body.data.workspaces).toContainEqual(body.data);
		await aProgram(owner, { workspace_id: body.data.id });
		const [created, program] = await actionsIn({ workspaceId: body.data.id });
		expect(created).toEqual(['workspace.create', owner.userId, { name: 'Second business' }]);
		expect(program?.[0]).toBe('program.create');
	});

	test('may have the name of another one, but not if both are created at the same time', async () => {
		const owner = await signUp();
		const first = await create(owner, 'Twin');
		await new Promise((resolve) => setTimeout(resolve, 2));
		const second = await create(owner, 'Twin');
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(second.body.data.id).not.toBe(first.body.data.id);
	});

	test('is renamed', async () => {
		const owner = await signUp();
		const admin = await aMember(owner, 'admin');
		const path = `/api/v1/workspaces/${owner.workspaceId}`;
		const renamed = await api(path, { method: 'PATCH', token: admin.token, body: { name: 'Renamed' } });
		expect([renamed.status, renamed.body.data]).toEqual([200, { id: owner.workspaceId, name: 'Renamed', role: 'admin' }]);
		expect(await actionsIn(owner)).toEqual([['workspace.update', admin.userId, { name: 'Renamed' }]]);
	});

	test.each([
		[undefined, 'name must be a string'],
		[' ', 'name must not be blank'],
		['x'.repeat(121), 'name must be at most 120 characters'],
	])('cannot be called %j', async (name, error) => {
		const owner = await signUp();
		expect(await create(owner, name)).toMatchObject({ status: 400, body: { error } });
		const renamed = await api(`/api/v1/workspaces/${owner.workspaceId}`, { method: 'PATCH', token: owner.token, body: { name } });
		expect([renamed.status, renamed.body]).toEqual([400, { error }]);
	});

	test('is refused for a member of a hundred', async () => {
		const owner = await signUp();
		await env.DB.batch([
			env.DB.prepare(
				'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 98) INSERT INTO workspaces (name, created_at) SELECT ?, 0 FROM n',
			).bind(owner.email),
			env.DB.prepare(
				"INSERT INTO members (workspace_id, user_id, role, created_at) SELECT id, ?, 'member', 0 FROM workspaces WHERE name = ?",
			).bind(owner.userId, owner.email),
		]);
		expect(await create(owner, 'The hundredth')).toMatchObject({ status: 201 });
		const error = 'You are a member of 100 workspaces: leave one first';
		expect(await create(owner, 'One more')).toMatchObject({ status: 409, body: { error } });
	});
});

describe('with sign-up by invitation', () => {
	test('an owner can create another workspace', async () => {
		expect(await createWorkspace(inviting(), actorOf(await signUp()), 'Second')).toMatchObject({ name: 'Second', role: 'owner' });
	});

	test('an invited person can sign up', async () => {
		const { token, email } = await anInvitation(await signUp());
		const person = { name: 'Gus', password: 'a long enough password', address: null, userAgent: null };
		expect(await signUpByInvitation(inviting(), token, person)).toMatchObject({ user: { email } });
	});

	test('a person who owns none cannot', async () => {
		const owner = await signUp();
		const person = await aMember(owner, 'admin');
		await env.DB.prepare("UPDATE members SET role = 'owner', user_id = ? WHERE workspace_id = ?")
			.bind(owner.userId, person.workspaceId)
			.run();
		const refusal = { status: 403, message: 'Only an owner of a workspace may create another one' };
		await expect(createWorkspace(inviting(), actorOf(person), 'Second')).rejects.toMatchObject(refusal);
		// Owning a workspace in which one has been deactivated does not count.
		await env.DB.prepare("UPDATE members SET role = 'owner', deactivated_at = 1 WHERE workspace_id = ? AND user_id = ?")
			.bind(owner.workspaceId, person.userId)
			.run();
		await expect(createWorkspace(inviting(), actorOf(person), 'Second')).rejects.toMatchObject(refusal);
	});
});
