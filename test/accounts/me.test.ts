import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { aMember, api, signUp } from '../support/world.ts';

test("GET /me lists a person's workspaces and partner accounts", async () => {
	const owner = await signUp();
	const person = await aMember(owner, 'member');
	const partnerId = await aPartner(owner.workspaceId, person.userId, 'accepted@people.example');
	// A matching email address alone gives no access.
	await aPartner(owner.workspaceId, null, person.email);

	const { status, body, headers } = await api('/api/v1/me', { token: person.token });
	expect(status).toBe(200);
	expect(headers.get('Cache-Control')).toBe('no-store');
	expect(body).toEqual({
		success: true,
		data: {
			user: { id: person.userId, email: person.email, name: 'Ada Owner' },
			is_operator: false,
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

test('a person changes their name, and the log has neither name', async () => {
	const person = await signUp();
	const { status, body } = await api('/api/v1/me', { method: 'PATCH', token: person.token, body: { name: '  Ada King  ' } });
	expect([status, body.data]).toEqual([200, { id: person.userId, email: person.email, name: 'Ada King' }]);
	const { body: after } = await api<{ user: object }>('/api/v1/me', { token: person.token });
	expect(after.data.user).toEqual({ id: person.userId, email: person.email, name: 'Ada King' });
	const [entry] = await ownEntries(person.token);
	expect(entry).toMatchObject({ action: 'account.rename', user: { name: 'Ada King' } });
	expect(JSON.stringify(entry)).not.toContain('Ada Owner');
});

test('a person who deletes their account during the change keeps no name', async () => {
	const person = await signUp();
	const asked = await Promise.all([
		api('/api/v1/me', { method: 'DELETE', token: person.token, body: { password: person.password } }),
		api('/api/v1/me', { method: 'PATCH', token: person.token, body: { name: 'Still Here' } }),
		api('/api/v1/me', { method: 'PATCH', token: person.token, body: { name: 'Still Here' } }),
	]);
	expect(asked[0].status).toBe(200);
	for (const { status } of asked.slice(1)) expect([200, 401]).toContain(status);
	const stored = await env.DB.prepare('SELECT name FROM users WHERE id = ?').bind(person.userId).first();
	expect(stored?.['name']).not.toBe('Still Here');
	const late = await api('/api/v1/me', { method: 'PATCH', token: person.token, body: { name: 'Still Here' } });
	expect(late.status).toBe(401);
});

test('a workspace that a person has left is not listed', async () => {
	const owner = await signUp();
	const person = await aMember(owner, 'admin');
	await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
		.bind(person.userId, owner.workspaceId)
		.run();
	const { body } = await api<{ workspaces: { id: number }[] }>('/api/v1/me', { token: person.token });
	expect(body.data.workspaces.map(({ id }) => id)).toEqual([person.workspaceId]);
});

test('only the person can read what happened to their account', async () => {
	const [person, other] = [await signUp(), await signUp()];
	await api('/api/v1/auth/password-reset', { body: { email: person.email }, headers: { 'CF-Connecting-IP': '192.0.2.9' } });
	// The entry is written after the response.
	await expect.poll(() => ownEntries(person.token)).toHaveLength(1);
	await api('/api/v1/auth/sign-in', { body: { email: person.email, password: person.password } });
	expect(await ownEntries(person.token)).toEqual([
		expect.objectContaining({ action: 'session.start', user: { id: person.userId, email: person.email, name: 'Ada Owner' } }),
		expect.objectContaining({ action: 'password_reset.ask', user: null, subject_id: person.userId, address: '192.0.2.9' }),
	]);
	expect(await ownEntries(other.token)).toEqual([]);

	const first = await api<{ id: number }[]>('/api/v1/me/audit-log?limit=1', { token: person.token });
	const rest = await ownEntries(person.token, `?cursor=${first.body.meta.next_cursor}`);
	expect(rest.map(({ action }) => action)).toEqual(['password_reset.ask']);
	expect(await api('/api/v1/me/audit-log?action=session.start', { token: person.token })).toMatchObject({ status: 400 });
	expect(await api('/api/v1/me/audit-log')).toMatchObject({ status: 401 });
});

test('an index finds these entries', async () => {
	const { results } = await env.DB.prepare(
		`EXPLAIN QUERY PLAN SELECT id FROM audit_entries WHERE workspace_id IS NULL AND coalesce("user_id", "subject_id") = 1 ORDER BY id DESC`,
	).all();
	expect(results).toEqual([expect.objectContaining({ detail: expect.stringContaining('audit_entries_of_accounts') })]);
});

async function ownEntries(token: string, query = '') {
	return (await api<{ action: string }[]>(`/api/v1/me/audit-log${query}`, { token })).body.data;
}

async function aPartner(workspaceId: number, userId: number | null, email: string): Promise<number | null> {
	return env.DB.prepare('INSERT INTO partners (workspace_id, name, email, user_id, created_at) VALUES (?, ?, ?, ?, 1) RETURNING id')
		.bind(workspaceId, 'Pat', email, userId)
		.first<number>('id');
}
