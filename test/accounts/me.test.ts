import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { aMember, api, signUp } from '../support/world.ts';

test('GET /me tells where a person has a part', async () => {
	const owner = await signUp();
	const person = await aMember(owner, 'member');
	const partnerId = await aPartner(owner.workspaceId, person.userId, 'accepted@people.example');
	// An equal e-mail address alone opens nothing.
	await aPartner(owner.workspaceId, null, person.email);

	const { status, body, headers } = await api('/api/v1/me', { token: person.token });
	expect(status).toBe(200);
	expect(headers.get('Cache-Control')).toBe('no-store');
	expect(body).toEqual({
		success: true,
		data: {
			user: { id: person.userId, email: person.email, name: 'Ada Owner' },
			workspaces: expect.arrayContaining([
				{ id: owner.workspaceId, name: "Ada Owner's workspace", role: 'member' },
				{ id: person.workspaceId, name: "Ada Owner's workspace", role: 'owner' },
			]),
			partner_accounts: [
				{
					partner_id: partnerId,
					name: 'Pat',
					workspace_id: owner.workspaceId,
					workspace_name: "Ada Owner's workspace",
					partner_programs: [],
				},
			],
		},
	});
});

test('a workspace that a person has left is not theirs any more', async () => {
	const owner = await signUp();
	const person = await aMember(owner, 'admin');
	await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
		.bind(person.userId, owner.workspaceId)
		.run();
	const { body } = await api<{ workspaces: { id: number }[] }>('/api/v1/me', { token: person.token });
	expect(body.data.workspaces.map(({ id }) => id)).toEqual([person.workspaceId]);
});

async function aPartner(workspaceId: number, userId: number | null, email: string): Promise<number | null> {
	return env.DB.prepare('INSERT INTO partners (workspace_id, name, email, user_id, created_at) VALUES (?, ?, ?, ?, 1) RETURNING id')
		.bind(workspaceId, 'Pat', email, userId)
		.first<number>('id');
}
