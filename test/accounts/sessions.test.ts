import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/secrets.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { api, type Owner, signUp } from '../support/world.ts';

interface Session {
	readonly id: number;
	readonly created_at: string;
	readonly last_used_at: string;
	readonly network: string | null;
	readonly user_agent: string | null;
	readonly is_current: boolean;
}

const HOUR_MS = 3_600_000;

const list = async (token: string, query = '') => (await api<Session[]>(`/api/v1/auth/sessions${query}`, { token })).body;
const idsOf = async (token: string) => (await list(token)).data.map(({ id }) => id);
const statusOf = async (token: string) => (await api('/api/v1/me', { token })).status;
const end = (token: string, id: number | string) => api(`/api/v1/auth/sessions/${id}`, { method: 'DELETE', token });

async function signIn({ email, password }: Owner, headers: Record<string, string> = {}): Promise<string> {
	return (await api<{ token: string }>('/api/v1/auth/sign-in', { body: { email, password }, headers })).body.data.token;
}

describe('the list of sessions', () => {
	test("has the person's sessions, newest first, without their tokens", async () => {
		const person = await signUp();
		await signUp();
		const token = await signIn(person, { 'CF-Connecting-IP': '2001:db8:1:2:3:4:5:6', 'User-Agent': `Firefox ${'x'.repeat(1_000)}` });
		const { data, meta } = await list(token);
		expect(data).toMatchObject([
			{ network: '2001:db8:1:2::/64', user_agent: `Firefox ${'x'.repeat(292)}`, is_current: true },
			{ network: null, user_agent: null, is_current: false },
		]);
		expect(meta).toEqual({ next_cursor: null, previous_cursor: null });
		expect(JSON.stringify(data)).not.toContain(await sha256Hex(token));
		expect((await list(person.token)).data.map(({ is_current }) => is_current)).toEqual([false, true]);
	});

	test('is paged, and leaves out expired ones', async () => {
		const person = await signUp();
		const tokens = [await signIn(person), await signIn(person)];
		await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE token_hash = ?')
			.bind(Date.now(), await sha256Hex(tokens[0] ?? ''))
			.run();
		const first = await list(person.token, '?limit=1');
		const second = await list(person.token, `?limit=1&cursor=${first.meta.next_cursor}`);
		expect([...first.data, ...second.data].map(({ is_current }) => is_current)).toEqual([false, true]);
		expect(second.meta.next_cursor).toBeNull();
	});

	test('shows the last use of each, which is recorded once an hour', async () => {
		const person = await signUp();
		const usedAt = async (at: number) => {
			await env.DB.prepare('UPDATE sessions SET created_at = ?, last_used_at = NULL WHERE user_id = ?').bind(at, person.userId).run();
			const writes = await tripsOf(person.token, 'GET', '/api/v1/me');
			const [session] = await rows<{ last_used_at: number | null }>('SELECT last_used_at FROM sessions WHERE user_id = ?', person.userId);
			return { writes: writes - 2, noted: session?.last_used_at ?? null };
		};
		expect(await usedAt(Date.now() - HOUR_MS + 60_000)).toEqual({ writes: 0, noted: null });
		const before = Date.now();
		const used = await usedAt(before - HOUR_MS);
		expect(used.writes).toBe(1);
		expect(used.noted).toBeGreaterThanOrEqual(before);
		expect(await tripsOf(person.token, 'GET', '/api/v1/me')).toBe(2);
		expect((await list(person.token)).data[0]?.last_used_at).toBe(new Date(Number(used.noted)).toISOString());
	});
});

describe('a session is ended', () => {
	test('by its id, and no other with it', async () => {
		const person = await signUp();
		const [stolen, kept] = [await signIn(person), await signIn(person)];
		const [, id = 0] = await idsOf(kept);
		const { status, body } = await end(kept, id);
		expect([status, body]).toEqual([200, { success: true, data: null }]);
		expect([await statusOf(stolen), await statusOf(kept), await statusOf(person.token)]).toEqual([401, 200, 200]);
		expect((await end(kept, id)).status).toBe(404);
		expect(await rows("SELECT action, subject_id FROM audit_entries WHERE user_id = ? AND action = 'session.end'", person.userId)).toEqual([
			{ action: 'session.end', subject_id: id },
		]);
	});

	test("even if it is the caller's own", async () => {
		const person = await signUp();
		const [id = 0] = await idsOf(person.token);
		expect((await end(person.token, id)).status).toBe(200);
		expect((await api('/api/v1/me', { token: person.token })).status).toBe(401);
	});

	test('only by its owner', async () => {
		const [person, other] = [await signUp(), await signUp()];
		const [id = 0] = await idsOf(person.token);
		const { status, body } = await end(other.token, id);
		expect([status, body]).toEqual([404, { error: 'Session not found' }]);
		expect((await api('/api/v1/me', { token: person.token })).status).toBe(200);
		expect((await end(other.token, 999_999_999)).status).toBe(404);
		expect((await end(other.token, await sha256Hex(person.token))).status).toBe(400);
	});

	test('together with all others', async () => {
		const [person, other] = [await signUp(), await signUp()];
		await Promise.all([signIn(person), signIn(person)]);
		const { status, body } = await api('/api/v1/auth/sessions', { method: 'DELETE', token: person.token });
		expect([status, body]).toEqual([200, { success: true, data: { ended: 2 } }]);
		expect(await idsOf(person.token)).toHaveLength(1);
		expect(await idsOf(other.token)).toHaveLength(1);
	});

	test('in at most three trips', async () => {
		const person = await signUp();
		const [, id = 0] = await idsOf(await signIn(person));
		expect(await tripsOf(person.token, 'GET', '/api/v1/auth/sessions')).toBe(2);
		expect(await tripsOf(person.token, 'DELETE', '/api/v1/auth/sessions')).toBe(2);
		expect(await tripsOf(person.token, 'DELETE', `/api/v1/auth/sessions/${id}`)).toBe(3);
	});
});

/** Includes work after the response. */
async function tripsOf(token: string, method: string, path: string): Promise<number> {
	const DB = countingTrips(env.DB);
	await callWith({ DB }, path, { token, method });
	return DB.trips();
}
