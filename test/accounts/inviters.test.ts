import { describe, expect, test } from 'vitest';
import { anInvitation, look, memberIdOf } from '../support/members.ts';
import { aMember, api, signUp } from '../support/world.ts';

const WITHDRAWN = { error: 'This invitation was withdrawn or replaced by a newer one' };

describe('the right to invite', () => {
	test("admins may invite anyone but owners, and cannot withdraw an owner's invitation", async () => {
		const own = await signUp();
		const admin = { ...(await aMember(own, 'admin')), workspaceId: own.workspaceId };
		const only = 'Only an owner of the workspace may do this';
		await expect(anInvitation(admin, 'owner')).rejects.toThrow(`403: {"error":"${only}"}`);
		const ofOwner = await anInvitation(own, 'owner');
		await expect(anInvitation(admin, 'member', ofOwner.email)).rejects.toThrow(`403: {"error":"${only}"}`);
		const path = `/api/v1/workspaces/${own.workspaceId}/invitations/${ofOwner.id}`;
		expect(await api(path, { method: 'DELETE', token: admin.token })).toMatchObject({ status: 403, body: { error: only } });
		expect(await look(ofOwner)).toMatchObject({ status: 200 });
		expect(await look(await anInvitation(admin, 'admin'))).toMatchObject({ status: 200 });
	});

	test.each([
		['an admin who becomes a member', { role: 'member' }, [410, 410, 410]],
		['an owner who becomes an admin', { role: 'admin' }, [410, 200, 200]],
		['who is deactivated', { active: false }, [410, 410, 410]],
		['who stays an owner', { role: 'owner', active: true }, [200, 200, 200]],
	] as const)('is lost with the role, and so are the invitations of %s', async (_who, change, statuses) => {
		const own = await signUp();
		const inviter = { ...(await aMember(own, 'owner')), workspaceId: own.workspaceId };
		const made = [await anInvitation(inviter, 'owner'), await anInvitation(inviter, 'admin'), await anInvitation(inviter, 'member')];
		const others = await anInvitation(own, 'owner');
		const path = `/api/v1/workspaces/${own.workspaceId}/members/${await memberIdOf(own, inviter)}`;
		expect(await api(path, { method: 'PATCH', token: own.token, body: change })).toMatchObject({ status: 200 });
		expect((await Promise.all(made.map(look))).map(({ status }) => status)).toEqual(statuses);
		expect(await look(others)).toMatchObject({ status: 200 });
	});

	test('is lost with the membership too', async () => {
		const own = await signUp();
		const inviter = { ...(await aMember(own, 'admin')), workspaceId: own.workspaceId };
		const made = await anInvitation(inviter);
		const path = `/api/v1/workspaces/${own.workspaceId}/members/${await memberIdOf(own, inviter)}`;
		expect(await api(path, { method: 'DELETE', token: inviter.token })).toMatchObject({ status: 200 });
		expect(await look(made)).toMatchObject({ status: 410, body: WITHDRAWN });
	});
});
