import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aMember, aProgram, api, type Owner, signUp, unique } from '../support/world.ts';

interface Rotated {
	readonly api_token: string;
	readonly previous_expires_at: string;
}

const HOUR_MS = 3_600_000;

let owner: Owner;
let stranger: Owner;
let member: Owner;
beforeAll(async () => {
	[owner, stranger] = await Promise.all([signUp(), signUp()]);
	member = await aMember(owner, 'member');
});

const rotate = (programId: number, body: object = {}, { token, password }: Owner = owner) =>
	api<Rotated>(`/api/v1/programs/${programId}/api-token`, { token, body: { password, ...body } });

const reveal = (programId: number, password: string = owner.password, token = owner.token) =>
	api<{ api_token: string }>(`/api/v1/programs/${programId}/api-token/reveal`, { token, body: { password } });

interface Key {
	readonly id: number;
	readonly prefix: string;
	readonly current: boolean;
	readonly created_at: string;
	readonly last_used_at: string | null;
	readonly expires_at: string | null;
}

const keysOf = async (programId: number, query = '', { token }: Owner = owner) =>
	(await api<Key[]>(`/api/v1/programs/${programId}/api-token${query}`, { token })).body;

const revoke = (programId: number, keyId: number, { token, password }: Owner = owner) =>
	api(`/api/v1/programs/${programId}/api-token/${keyId}`, { method: 'DELETE', token, body: { password } });

async function statusOf(apiToken: string): Promise<number> {
	return (await api('/api/v1/track/lead', { token: apiToken, body: { customer_key: unique('key') } })).status;
}

describe('a reveal', () => {
	test('shows the current key after the password', async () => {
		const program = await aProgram(owner);
		const { status, body } = await reveal(program.id);
		expect([status, body]).toEqual([200, { success: true, data: { api_token: program.apiToken } }]);
		const renewed = await rotate(program.id);
		expect((await reveal(program.id)).body.data).toEqual({ api_token: renewed.body.data.api_token });
	});

	test('is audited without the key', async () => {
		const program = await aProgram(owner);
		await reveal(program.id);
		const { results } = await env.DB.prepare(
			"SELECT user_id, detail FROM audit_entries WHERE program_id = ? AND action = 'program_key.reveal'",
		)
			.bind(program.id)
			.all();
		expect(results).toEqual([{ user_id: owner.userId, detail: '{}' }]);
	});

	test('is refused with a wrong or missing password, and to others', async () => {
		const program = await aProgram(owner);
		const wrong = await reveal(program.id, 'not the password');
		expect([wrong.status, wrong.body]).toEqual([403, { error: 'password is wrong' }]);
		const without = await api(`/api/v1/programs/${program.id}/api-token/reveal`, { token: owner.token, body: {} });
		expect([without.status, without.body]).toEqual([400, { error: 'password must be a string' }]);
		expect((await reveal(program.id, member.password, member.token)).body).toEqual({
			error: 'Only an owner or admin of the workspace may do this',
		});
		expect((await reveal(program.id, stranger.password, stranger.token)).status).toBe(403);
		expect((await reveal(program.id, owner.password, 'ses_nobody')).status).toBe(401);
		expect((await reveal(999_999_999)).status).toBe(404);
	});
});

describe('a rotation', () => {
	test('creates a new key, and the old one works until the overlap ends', async () => {
		const program = await aProgram(owner);
		const { status, body } = await rotate(program.id);
		expect(status).toBe(201);
		expect(body.data.api_token).toMatch(/^prg_[0-9a-f]{40}$/);
		expect(Math.abs(Date.parse(body.data.previous_expires_at) - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
		expect([await statusOf(program.apiToken), await statusOf(body.data.api_token)]).toEqual([200, 200]);
		await env.DB.prepare('UPDATE program_keys SET expires_at = ? WHERE program_id = ? AND expires_at IS NOT NULL')
			.bind(Date.now() - 1, program.id)
			.run();
		expect([await statusOf(program.apiToken), await statusOf(body.data.api_token)]).toEqual([401, 200]);
		expect((await api(`/api/v1/programs/${program.id}`, { token: owner.token })).body.data).toMatchObject({
			api_token_prefix: body.data.api_token.slice(0, 12),
			api_token_last_used_at: expect.stringMatching(/Z$/),
		});
	});

	test('without overlap ends every earlier key at once', async () => {
		const program = await aProgram(owner);
		const second = (await rotate(program.id, { overlap_hours: 720 })).body.data.api_token;
		const third = (await rotate(program.id, { overlap_hours: 0 })).body.data.api_token;
		expect([await statusOf(program.apiToken), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
	});

	test('never extends a key that ends earlier', async () => {
		const program = await aProgram(owner);
		await rotate(program.id, { overlap_hours: 1 });
		await rotate(program.id, { overlap_hours: 720 });
		const { results } = await env.DB.prepare('SELECT expires_at FROM program_keys WHERE program_id = ? ORDER BY id').bind(program.id).all<{
			expires_at: number | null;
		}>();
		const hours = results.map(({ expires_at }) => (expires_at === null ? null : Math.round((expires_at - Date.now()) / HOUR_MS)));
		expect(hours).toEqual([1, 720, null]);
	});

	test('in a race leaves one current key, and every created key works', async () => {
		const program = await aProgram(owner);
		const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(program.id)));
		for (const { status, body } of answers) {
			if (status === 201) expect(await statusOf(body.data.api_token)).toBe(200);
			else expect([status, body]).toEqual([409, { error: 'The key has already been rotated: reveal the new one, or rotate again' }]);
		}
		expect(answers.some(({ status }) => status === 201)).toBe(true);
		const current = await env.DB.prepare('SELECT count(*) AS n FROM program_keys WHERE program_id = ? AND expires_at IS NULL')
			.bind(program.id)
			.first('n');
		expect(current).toBe(1);
	});

	test.each([
		[{ overlap_hours: -1 }, 'overlap_hours must be an integer from 0 to 720'],
		[{ overlap_hours: 721 }, 'overlap_hours must be an integer from 0 to 720'],
		[{ overlap_hours: '24' }, 'overlap_hours must be an integer from 0 to 720'],
		[{ overlap: 24 }, 'Unknown field: overlap'],
	])('is refused: %j', async (sent, error) => {
		const program = await aProgram(owner);
		const { status, body } = await rotate(program.id, sent);
		expect([status, body]).toEqual([400, { error }]);
	});

	test('is for owners and admins', async () => {
		const program = await aProgram(owner);
		const admin = await aMember(owner, 'admin');
		expect((await rotate(program.id, {}, admin)).status).toBe(201);
		expect((await rotate(program.id, {}, member)).status).toBe(403);
		expect((await rotate(program.id, {}, stranger)).status).toBe(403);
		expect((await rotate(999_999_999)).status).toBe(404);
	});
});

describe('the list of keys', () => {
	test('shows working keys, newest first, with what identifies them and no secret', async () => {
		const program = await aProgram(owner);
		const second = (await rotate(program.id, { overlap_hours: 48 })).body.data;
		await statusOf(program.apiToken);
		const { data } = await keysOf(program.id, '', member);
		expect(data).toEqual([
			{
				id: expect.any(Number),
				prefix: second.api_token.slice(0, 12),
				current: true,
				created_at: expect.stringMatching(/Z$/),
				last_used_at: null,
				expires_at: null,
			},
			{
				id: expect.any(Number),
				prefix: program.apiToken.slice(0, 12),
				current: false,
				created_at: expect.stringMatching(/Z$/),
				last_used_at: expect.stringMatching(/Z$/),
				expires_at: second.previous_expires_at,
			},
		]);
		await rotate(program.id, { overlap_hours: 0 });
		expect((await keysOf(program.id)).data.map(({ current }) => current)).toEqual([true]);
	});

	test('is paged', async () => {
		const program = await aProgram(owner);
		await rotate(program.id);
		await rotate(program.id);
		const first = await keysOf(program.id, '?limit=2');
		expect(first.data).toHaveLength(2);
		const last = await keysOf(program.id, `?limit=2&cursor=${first.meta.next_cursor}`);
		expect([last.data.map(({ prefix }) => prefix), last.meta.next_cursor]).toEqual([[program.apiToken.slice(0, 12)], null]);
	});
});

/** A program in the middle of a key rotation: the old key's id, and both keys. */
async function inOverlap() {
	const program = await aProgram(owner);
	const current = (await rotate(program.id)).body.data.api_token;
	const old = (await keysOf(program.id)).data.find((key) => !key.current);
	return { id: program.id, old: program.apiToken, oldId: old?.id ?? 0, current };
}

describe('a revocation', () => {
	test('ends the old key at once and keeps the current one, even if repeated or in a race', async () => {
		const { id, old, oldId, current } = await inOverlap();
		expect([await statusOf(old), await statusOf(current)]).toEqual([200, 200]);
		const answers = await Promise.all([1, 2, 3].map(() => revoke(id, oldId)));
		expect(answers.map(({ status, body }) => [status, body])).toEqual([1, 2, 3].map(() => [200, { success: true, data: null }]));
		expect([await statusOf(old), await statusOf(current)]).toEqual([401, 200]);
		expect((await revoke(id, oldId)).status).toBe(200);
		expect((await keysOf(id)).data.map((key) => key.current)).toEqual([true]);
		const { results } = await env.DB.prepare(
			"SELECT DISTINCT user_id, subject_id, detail FROM audit_entries WHERE program_id = ? AND action = 'program_key.revoke'",
		)
			.bind(id)
			.all();
		expect(results).toEqual([{ user_id: owner.userId, subject_id: oldId, detail: '{}' }]);
	});

	test('does not end the current key', async () => {
		const { id, current } = await inOverlap();
		const own = (await keysOf(id)).data.find((key) => key.current)?.id ?? 0;
		const { status, body } = await revoke(id, own);
		expect([status, body]).toEqual([409, { error: 'This is the current key: to revoke it immediately, rotate it with overlap_hours 0' }]);
		expect(await statusOf(current)).toBe(200);
	});

	test("is refused with a wrong password, to others and for another program's key", async () => {
		const { id, old, oldId } = await inOverlap();
		const wrong = await revoke(id, oldId, { ...owner, password: 'not the password' });
		expect([wrong.status, wrong.body]).toEqual([403, { error: 'password is wrong' }]);
		expect((await revoke(id, oldId, member)).status).toBe(403);
		expect((await revoke(id, oldId, stranger)).status).toBe(403);
		const elsewhere = await aProgram(owner);
		const unknown = await revoke(elsewhere.id, oldId);
		expect([unknown.status, unknown.body]).toEqual([404, { error: 'Program key not found' }]);
		const without = await api(`/api/v1/programs/${id}/api-token/${oldId}`, { method: 'DELETE', token: owner.token });
		expect([without.status, without.body]).toEqual([400, { error: 'Request body must be valid JSON' }]);
		expect(await statusOf(old)).toBe(200);
	});
});
