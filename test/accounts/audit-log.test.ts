import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../support/funnel.ts';
import { aMember, aProgram, api, type Owner, signUp, type TestProgram } from '../support/world.ts';

interface Entry {
	readonly id: number;
	readonly action: string;
	readonly at: string;
}

let owner: Owner;
let admin: Owner;
let program: TestProgram;
const from = { 'CF-Connecting-IP': '192.0.2.7' };

beforeAll(async () => {
	owner = await signUp();
	admin = await aMember(owner, 'admin');
	program = await aProgram(owner, { name: '=Formula()', workspace_id: owner.workspaceId });
	const path = `/api/v1/programs/${program.id}`;
	await api(path, { method: 'PATCH', token: admin.token, headers: from, body: { cookie_window_days: 7 } });
	await api(`${path}/api-token/reveal`, { token: owner.token, headers: from, body: { password: 'a wrong guess' } });
	await insert(Date.parse('2026-01-31T23:59:59.999Z'), 'test.january');
	await insert(Date.parse('2026-02-01T00:00:00Z'), 'test.february');
	await insert(Date.parse('2026-02-28T23:59:59.999Z'), 'test.february');
	await insert(Date.parse('2026-03-01T00:00:00Z'), 'test.march');
});

async function insert(at: number, action: string): Promise<void> {
	await env.DB.prepare("INSERT INTO audit_entries (at, workspace_id, action, detail) VALUES (?, ?, ?, '{}')")
		.bind(at, owner.workspaceId, action)
		.run();
}

function read(query = '', by: Pick<Owner, 'token'> = owner) {
	return api<Entry[]>(`/api/v1/workspaces/${owner.workspaceId}/audit-log${query}`, { token: by.token });
}

async function actions(query: string): Promise<string[]> {
	return (await read(query)).body.data.map(({ action }) => action);
}

describe('the audit log', () => {
	test('shows who did what, when and from where, newest first', async () => {
		const { status, body } = await read(`?program_id=${program.id}`);
		expect(status).toBe(200);
		expect(body).toEqual({
			success: true,
			data: [
				expect.objectContaining({ action: 'password.refuse', user: { id: owner.userId, name: 'Ada Owner', email: owner.email } }),
				{
					id: expect.any(Number),
					at: expect.stringMatching(/^20\d\d-.*Z$/),
					user: { id: admin.userId, name: 'Ada Owner', email: admin.email },
					action: 'program.update',
					program_id: program.id,
					subject_id: program.id,
					address: '192.0.2.7',
					detail: { cookieWindowDays: 7 },
				},
				expect.objectContaining({ action: 'program.create', address: null }),
			],
			meta: { next_cursor: null, previous_cursor: null },
		});
	});

	test('is paged', async () => {
		const all = (await read()).body.data;
		expect(all).toHaveLength(7);
		const seen: Entry[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const { body }: Awaited<ReturnType<typeof read>> = await read(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
			seen.push(...body.data);
			cursor = body.meta.next_cursor;
		}
		expect(seen).toEqual(all);
	});

	test('is filtered', async () => {
		expect(await actions('?action=program.update')).toEqual(['program.update']);
		expect(await actions(`?user_id=${admin.userId}`)).toEqual(['program.update']);
		expect(await actions(`?user_id=${admin.userId}&action=program.create`)).toEqual([]);
		expect(await actions('?from=2026-02-01&to=2026-02-28')).toEqual(['test.february', 'test.february']);
		expect(await actions('?to=2026-01-31T23:59:59.999')).toEqual(['test.january']);
		expect(await actions('?from=2026-02-28T23:59:59.999Z&to=2026-03-01T01:00:00%2B01:00')).toEqual(['test.march', 'test.february']);
	});

	test.each([
		['?from=2026-03-01&to=2026-02-28', 'from must not be after to'],
		['?from=yesterday', 'from must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
		['?action=program.made', 'action must be a known action. All actions are listed at /docs/reference/workspaces#readAuditLog'],
		['?user_id=0', 'user_id must be a positive integer'],
		['?who=1', 'Unknown query parameter: who'],
	])('refuses %s', async (query, error) => {
		expect(await read(query)).toMatchObject({ status: 400, body: { error } });
	});

	test('is available as CSV, without formulas', async () => {
		const { status, headers, text } = await api(`/api/v1/workspaces/${owner.workspaceId}/audit-log?program_id=${program.id}&limit=2`, {
			token: owner.token,
			headers: { Accept: 'text/csv' },
		});
		expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
		const lines = text.split('\r\n');
		expect(lines[0]).toBe('id,at,user_id,user_name,user_email,action,program_id,subject_id,address,detail');
		expect(lines[2]).toContain(
			`,${admin.userId},Ada Owner,${admin.email},program.update,${program.id},${program.id},192.0.2.7,"{""cookieWindowDays"":7}"`,
		);
		expect(headers.get('X-Next-Cursor')).toBe(lines[2]?.split(',')[0]);
	});

	test('is one complete file without a limit', async () => {
		const by = await signUp();
		await rows(
			`INSERT INTO audit_entries (at, workspace_id, user_id, action, detail)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) SELECT i, ?, ?, 'program.update', '{}' FROM n`,
			by.workspaceId,
			by.userId,
		);
		const asked = { token: by.token, headers: { Accept: 'text/csv' } };
		const { text, headers } = await api(`/api/v1/workspaces/${by.workspaceId}/audit-log?action=program.update`, asked);
		expect([text.trim().split('\r\n').length, headers.get('X-Next-Cursor')]).toEqual([1101, null]);
	});

	test('is only for owners of this workspace', async () => {
		expect(await read('', admin)).toMatchObject({ status: 403, body: { error: 'Only an owner of the workspace may do this' } });
		expect(await read('', await signUp())).toMatchObject({ status: 403 });
	});
});
