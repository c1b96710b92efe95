import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { accept, actionsIn, anInvitation, memberIdOf, membersOf } from '../support/members.ts';
import { aMember, aProgram, api, type Owner, signUp } from '../support/world.ts';

const LAST_OWNER = { error: 'A workspace needs an active owner: make another member an owner first' };

async function path(owner: Owner, person: Pick<Owner, 'userId'>): Promise<string> {
	return `/api/v1/workspaces/${owner.workspaceId}/members/${await memberIdOf(owner, person)}`;
}

async function change(owner: Owner, person: Pick<Owner, 'userId'>, body: unknown, by = owner) {
	return api(await path(owner, person), { method: 'PATCH', token: by.token, body });
}

async function remove(owner: Owner, person: Pick<Owner, 'userId'>, by = owner) {
	return api(await path(owner, person), { method: 'DELETE', token: by.token });
}

function row(id: number, { userId, email }: Owner, role: string) {
	return { id, user: { id: userId, name: 'Ada Owner', email }, role, active: true, since: expect.stringMatching(/^20\d\d-.*Z$/) };
}

describe('the members of a workspace', () => {
	test('are listed with role and date, and paged', async () => {
		const owner = await signUp();
		const [admin, member] = [await aMember(owner, 'admin'), await aMember(owner, 'member')];
		const invited = await anInvitation(owner, 'admin');
		const list = `/api/v1/workspaces/${owner.workspaceId}/members`;
		const first = await api(`${list}?limit=2`, { token: member.token });
		const [ownerId, adminId] = [await memberIdOf(owner, owner), await memberIdOf(owner, admin)];
		const invitations = [
			{
				id: invited.id,
				email: invited.email,
				role: 'admin',
				invited_by: { id: owner.userId, name: 'Ada Owner' },
				created_at: expect.any(String),
				expires_at: expect.any(String),
			},
		];
		expect(first.body).toEqual({
			success: true,
			data: { members: [row(ownerId, owner, 'owner'), row(adminId, admin, 'admin')], invitations },
			meta: { next_cursor: String(adminId), previous_cursor: null },
		});
		const second = await api(`${list}?limit=2&cursor=${adminId}`, { token: member.token });
		expect(second.body).toMatchObject({ data: { members: [{ user: { id: member.userId } }], invitations }, meta: { next_cursor: null } });
	});

	test('change their role', async () => {
		const owner = await signUp();
		const person = await aMember(owner, 'member');
		const answer = await change(owner, person, { role: 'admin' });
		expect(answer).toMatchObject({ status: 200, body: { data: { user: { id: person.userId }, role: 'admin', active: true } } });
		await aProgram(person, { workspace_id: owner.workspaceId });
		expect(await change(owner, person, { role: 'member' })).toMatchObject({ status: 200 });
		await expect(aProgram(person, { workspace_id: owner.workspaceId })).rejects.toThrow('403');
		expect((await actionsIn(owner)).filter(([action]) => action === 'member.change')).toEqual([
			['member.change', owner.userId, { user_id: person.userId, role: 'admin' }],
			['member.change', owner.userId, { user_id: person.userId, role: 'member' }],
		]);
	});

	test('are deactivated and reactivated; their sessions in other workspaces go on', async () => {
		const owner = await signUp();
		const person = await aMember(owner, 'admin');
		const program = await aProgram(owner);
		const doors = [
			`/api/v1/workspaces/${owner.workspaceId}/members`,
			`/api/v1/programs/${program.id}`,
			`/api/tracking/performance/${program.id}`,
		];
		const statuses = () => Promise.all(doors.map(async (door) => (await api(door, { token: person.token })).status));
		expect(await change(owner, person, { active: false })).toMatchObject({ status: 200, body: { data: { active: false, role: 'admin' } } });
		expect(await statuses()).toEqual([403, 403, 403]);
		const me = await api<{ workspaces: { id: number }[] }>('/api/v1/me', { token: person.token });
		expect(me.body.data.workspaces.map(({ id }) => id)).toEqual([person.workspaceId]);
		expect((await api(`/api/v1/workspaces/${person.workspaceId}/members`, { token: person.token })).status).toBe(200);
		expect((await membersOf(owner)).members).toMatchObject([{ active: true }, { user: { id: person.userId }, active: false }]);
		expect(await change(owner, person, { active: true })).toMatchObject({ status: 200, body: { data: { active: true, role: 'admin' } } });
		expect(await statuses()).toEqual([200, 200, 200]);
	});

	test('are removed, and may join again by another invitation', async () => {
		const owner = await signUp();
		const person = await aMember(owner, 'admin');
		const door = `/api/v1/workspaces/${owner.workspaceId}/members`;
		expect(await remove(owner, person)).toMatchObject({ status: 200, body: { success: true, data: null } });
		expect((await api(door, { token: person.token })).status).toBe(403);
		expect((await api('/api/v1/me', { token: person.token })).status).toBe(200);
		expect((await membersOf(owner)).members).toHaveLength(1);
		expect(await remove(owner, person)).toMatchObject({ status: 404, body: { error: 'Member not found' } });
		expect(await change(owner, person, { active: true })).toMatchObject({ status: 404 });

		expect(await accept(await anInvitation(owner, 'member', person.email), person)).toMatchObject({ status: 201 });
		expect((await api(door, { token: person.token })).status).toBe(200);
		expect((await membersOf(owner)).members).toMatchObject([
			{ role: 'owner' },
			{ user: { id: person.userId }, role: 'member', active: true },
		]);
		expect((await actionsIn(owner)).map(([action]) => action)).toEqual(['member.remove', 'invitation.create', 'member.join']);
	});

	test('who were deactivated become active again by an invitation', async () => {
		const owner = await signUp();
		const person = await aMember(owner, 'admin');
		await change(owner, person, { active: false });
		expect(await accept(await anInvitation(owner, 'member', person.email), person)).toMatchObject({ status: 201 });
		expect((await membersOf(owner)).members).toMatchObject([{}, { user: { id: person.userId }, role: 'member', active: true }]);
	});

	test('may leave, in any role', async () => {
		const owner = await signUp();
		for (const role of ['owner', 'admin', 'member'] as const) {
			const person = await aMember(owner, role);
			expect(await remove(owner, person, person)).toMatchObject({ status: 200 });
			expect(await remove(owner, person, person)).toMatchObject({ status: 403 });
		}
		expect((await membersOf(owner)).members).toHaveLength(1);
		expect((await actionsIn(owner)).map(([action]) => action)).toEqual(['member.leave', 'member.leave', 'member.leave']);
	});

	test.each([
		[{}, 'Send role or active'],
		[{ role: 'king' }, 'role must be one of owner, admin, member'],
		[{ active: 'no' }, 'active must be true or false'],
		[{ name: 'x' }, 'Unknown field: name'],
	])('are not changed by %j', async (body, error) => {
		const owner = await signUp();
		const answer = await change(owner, owner, body);
		expect([answer.status, answer.body]).toEqual([400, { error }]);
	});
});

describe('owners', () => {
	test('the last active one cannot leave, be demoted or be deactivated', async () => {
		const owner = await signUp();
		const other = await aMember(owner, 'owner');
		await change(owner, other, { active: false });
		await aMember(owner, 'admin');
		for (const answer of [
			await remove(owner, owner),
			await change(owner, owner, { role: 'admin' }),
			await change(owner, owner, { active: false }),
			await change(owner, owner, { role: 'member', active: false }),
		])
			expect([answer.status, answer.body]).toEqual([409, LAST_OWNER]);
		expect((await api('/api/v1/me', { token: owner.token })).body.data).toMatchObject({ workspaces: [{ role: 'owner' }] });
		await change(owner, other, { active: true });
		expect(await remove(owner, owner)).toMatchObject({ status: 200 });
	});

	test.each([
		['leave', (owner: Owner, _other: Owner) => remove(owner, owner)],
		['demote themselves', (owner: Owner, _other: Owner) => change(owner, owner, { role: 'member' })],
		['deactivate themselves', (owner: Owner, _other: Owner) => change(owner, owner, { active: false })],
		['remove each other', (owner: Owner, other: Owner) => remove(owner, other, owner)],
		['demote each other', (owner: Owner, other: Owner) => change(owner, other, { role: 'member' }, owner)],
	])('if they %s at once, one of them remains', async (_what, act) => {
		const first = await signUp();
		const second = { ...(await aMember(first, 'owner')), workspaceId: first.workspaceId };
		const answers = await Promise.all([act(first, second), act(second, first)]);
		const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
		expect(statuses[0]).toBe(200);
		// The slower request fails at the authorization, the read or the write.
		expect([403, 404, 409]).toContain(statuses[1]);
		const { results } = await env.DB.prepare(
			"SELECT 1 FROM members WHERE workspace_id = ? AND role = 'owner' AND deactivated_at IS NULL AND removed_at IS NULL",
		)
			.bind(first.workspaceId)
			.all();
		expect(results).toHaveLength(1);
	});

	test('cannot be changed by admins', async () => {
		const owner = await signUp();
		const admin = await aMember(owner, 'admin');
		const other = await aMember(owner, 'owner');
		const error = { error: 'Only an owner of the workspace may do this' };
		for (const answer of [
			await change(owner, other, { role: 'member' }, admin),
			await change(owner, other, { active: false }, admin),
			await change(owner, other, { active: true }, admin),
			await remove(owner, other, admin),
			await change(owner, admin, { role: 'owner' }, admin),
			await change(owner, await aMember(owner, 'member'), { role: 'owner' }, admin),
		])
			expect([answer.status, answer.body]).toEqual([403, error]);
		expect((await membersOf(owner)).members.map(({ role }) => role)).toEqual(['owner', 'admin', 'owner', 'member']);
		expect(await change(owner, admin, { role: 'member' }, admin)).toMatchObject({ status: 200 });
	});
});

test('a member who is removed and deactivated at once is not active', async () => {
	const owner = await signUp();
	const person = await aMember(owner, 'member');
	const [changed, removed] = await Promise.all([change(owner, person, { active: true, role: 'admin' }), remove(owner, person)]);
	expect([200, 404, 409]).toContain(changed.status);
	expect([200, 409]).toContain(removed.status);
	const isIn = (await api(`/api/v1/workspaces/${owner.workspaceId}/members`, { token: person.token })).status === 200;
	expect((await membersOf(owner)).members).toHaveLength(isIn ? 2 : 1);
	expect(isIn).toBe(removed.status === 409);
});
