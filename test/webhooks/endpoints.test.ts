import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { WEBHOOK_TYPES } from '../../src/domain/webhooks/webhook-type.ts';
import { callWith } from '../support/bindings.ts';
import { aMember, aProgram, api, type Owner, signUp, type TestProgram } from '../support/world.ts';
import { aWebhook, type TestDelivery, type TestWebhook } from '../support/webhooks.ts';
import { rows } from '../support/funnel.ts';

let owner: Owner;
let program: TestProgram;
beforeAll(async () => {
	owner = await signUp();
	program = await aProgram(owner, { currency: 'EUR' });
});

const at = (path: string, of: TestProgram = program) => `/api/v1/programs/${of.id}/webhooks${path}`;
const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}, of = program) =>
	api<TestWebhook & readonly TestWebhook[]>(at(path, of), { token: owner.token, ...options });

describe('a webhook', () => {
	test('is created, listed, read, changed and deleted, and its secret is shown once', async () => {
		const own = await aProgram(owner);
		const sent = { url: 'https://Hooks.Shop.Example', types: ['payout.sent', 'sale.created', 'sale.created'], description: ' The books ' };
		const { status, body } = await call('', { body: sent }, own);
		expect(status).toBe(201);
		const { secret, ...webhook } = body.data;
		expect(webhook).toEqual({
			id: expect.any(Number),
			url: 'https://hooks.shop.example/',
			description: 'The books',
			types: ['sale.created', 'payout.sent'],
			enabled: true,
			disabled_at: null,
			disabled_for: null,
			failures: 0,
			failing_since: null,
			previous_secret_until: null,
			created_at: expect.stringMatching(/Z$/),
		});
		expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
		const { id } = webhook;
		expect((await call(`/${id}`, {}, own)).body.data).toEqual(webhook);
		expect((await call('', {}, own)).body).toMatchObject({ data: [webhook], meta: { next_cursor: null } });

		const changed = await call(`/${id}`, { method: 'PATCH', body: { types: ['lead.created'], description: null } }, own);
		expect(changed.body.data).toEqual(Object.assign({}, webhook, { types: ['lead.created'], description: null }));
		const disabled = await call(`/${id}`, { method: 'PATCH', body: { enabled: false } }, own);
		expect(disabled.body.data).toMatchObject({ enabled: false, disabled_for: 'asked', disabled_at: expect.stringMatching(/Z$/) });
		const again = await call(`/${id}`, { method: 'PATCH', body: { enabled: false } }, own);
		expect(again.body.data.disabled_at).toBe(disabled.body.data.disabled_at);
		expect((await call(`/${id}`, { method: 'PATCH', body: { enabled: true } }, own)).body.data).toMatchObject({
			enabled: true,
			disabled_for: null,
		});

		expect((await call(`/${id}`, { method: 'DELETE' }, own)).body.data).toBeNull();
		expect((await call('', {}, own)).body.data).toEqual([]);
		for (const [path, method] of [
			['', 'GET'],
			['', 'DELETE'],
			['/secret', 'POST'],
			['/test', 'POST'],
			['/deliveries', 'GET'],
		]) {
			expect((await call(`/${id}${path}`, { ...(method && { method }) }, own)).status).toBe(404);
		}
		expect((await call(`/${id}`, { method: 'PATCH', body: { enabled: true } }, own)).status).toBe(404);
		expect(await rows('SELECT sealed_secrets FROM webhook_endpoints WHERE id = ?', id)).toEqual([{ sealed_secrets: '[]' }]);
		const actions = await rows(
			"SELECT action, detail FROM audit_entries WHERE program_id = ? AND action GLOB 'webhook.*' ORDER BY id",
			own.id,
		);
		expect(actions.map(({ action }) => action)).toEqual([
			'webhook.create',
			...Array.from({ length: 4 }, () => 'webhook.change'),
			'webhook.delete',
		]);
		expect(JSON.stringify(actions)).not.toContain('shop.example');
		expect(JSON.stringify(actions)).not.toContain(secret.slice(6));
	});

	test('without types gets all types', async () => {
		const own = await aProgram(owner);
		expect((await aWebhook(owner, own, { types: undefined })).types).toEqual(WEBHOOK_TYPES);
		const types = (await api<{ type: string; description: string }[]>(at('/types'), { token: owner.token })).body.data;
		expect(types.map(({ type }) => type)).toEqual(WEBHOOK_TYPES);
	});

	test('is limited to ten per program, even in a race; deleting one makes room', async () => {
		const own = await aProgram(owner);
		const create = () => call('', { body: { url: 'https://hooks.shop.example/' } }, own);
		const answers = await Promise.all(Array.from({ length: 14 }, create));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
		const refused = answers.filter(({ status }) => status === 409);
		expect(refused).toHaveLength(4);
		expect(refused[0]?.body).toEqual({ error: 'A program has at most 10 webhooks: delete one first' });
		const first = (await call('?limit=3', {}, own)).body;
		expect(first.data).toHaveLength(3);
		const rest = (await call(`?cursor=${first.meta.next_cursor}`, {}, own)).body;
		expect(rest.data).toHaveLength(7);
		await call(`/${rest.data[0]?.id}`, { method: 'DELETE' }, own);
		expect((await create()).status).toBe(201);
	});

	test.each([
		[{}, 'url must be a string'],
		[{ url: 'nonsense' }, 'url must be an https address of at most 2000 characters'],
		[{ url: 'https://hooks.shop.example/', types: [] }, 'types must name at least one type'],
		[{ url: 'https://hooks.shop.example/', types: ['sale'] }, 'must be a known event type'],
		[{ url: 'https://hooks.shop.example/', secret: 'whsec_mine' }, 'Unknown field: secret'],
	])('%j is refused', async (body, message) => {
		const answer = await call('', { body });
		expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
	});

	test("in a deployment must be on the public web; on a developer's machine it can be anywhere", async () => {
		const own = await aProgram(owner);
		const { id } = await aWebhook(owner, own, { url: 'http://127.0.0.1:4010/' });
		const create = (url: string, WEBHOOK_ADDRESSES: string) =>
			callWith({ WEBHOOK_ADDRESSES }, at('', own), { token: owner.token, body: { url } });
		for (const setting of ['public', '', 'ANY']) {
			for (const url of ['http://127.0.0.1:4010/', 'https://127.0.0.1/', 'https://10.0.0.1/', 'https://localhost/', 'https://[::1]/']) {
				expect((await create(url, setting)).status).toBe(400);
			}
		}
		const moved = await callWith({ WEBHOOK_ADDRESSES: 'public' }, at(`/${id}`, own), {
			method: 'PATCH',
			token: owner.token,
			body: { url: 'https://0x7f.1/' },
		});
		expect(moved).toMatchObject({ status: 400, body: { error: 'url must be on a public host name' } });
		expect((await create('https://hooks.shop.example/', 'public')).status).toBe(201);
	});

	test('is for owners and admins of its own program', async () => {
		const { id } = await aWebhook(owner, program);
		const [member, admin, stranger] = [await aMember(owner, 'member'), await aMember(owner, 'admin'), await signUp()];
		expect((await call('', { token: member.token })).status).toBe(403);
		expect((await call(`/${id}/deliveries`, { token: member.token })).status).toBe(403);
		expect((await call(`/${id}`, { token: admin.token })).status).toBe(200);
		expect((await call(`/${id}`, { token: stranger.token })).status).toBe(403);
		expect((await call(`/${id}`, {}, await aProgram(owner))).status).toBe(404);
		expect((await call('', {}, { ...program, id: 999_999 })).status).toBe(404);
	});
});

describe('rolling the secret', () => {
	test('keeps the previous one for the overlap, and never a third', async () => {
		const { id, secret } = await aWebhook(owner, program);
		const roll = async (body?: object) => (await call(`/${id}/secret`, { method: 'POST', ...(body && { body }) })).body.data;
		const first = await roll();
		expect(first.secret).toMatch(/^whsec_/);
		expect(first.secret).not.toBe(secret);
		const inHours = (Date.parse(first.previous_secret_until ?? '') - Date.now()) / 3_600_000;
		expect(inHours).toBeGreaterThan(23.9);
		expect(inHours).toBeLessThan(24.1);
		await Promise.all([roll({ overlap_hours: 2 }), roll({ overlap_hours: 2 }), roll({ overlap_hours: 2 })]);
		const [stored] = await rows('SELECT sealed_secrets FROM webhook_endpoints WHERE id = ?', id);
		expect(JSON.parse(String(stored?.['sealed_secrets']))).toHaveLength(2);
		expect(await roll({ overlap_hours: 0 })).toMatchObject({ previous_secret_until: null });
		expect((await call(`/${id}/secret`, { body: { overlap_hours: 169 } })).text).toContain(
			'overlap_hours must be an integer from 0 to 168',
		);
	});
});

const deliveries = (id: number, search = '') => api<TestDelivery[]>(at(`/${id}/deliveries${search}`), { token: owner.token });

describe('a test event', () => {
	test('is in the log with its payload, and can be sent again', async () => {
		const { id } = await aWebhook(owner, program, { types: ['payout.sent', 'lead.created'] });
		const { status, body } = await api<TestDelivery>(at(`/${id}/test`), { token: owner.token, method: 'POST' });
		expect(status).toBe(201);
		expect(body.data).toMatchObject({ type: 'lead.created', test: true, attempts: 0, last_error: null });
		const { data: payout } = (await api<TestDelivery>(at(`/${id}/test`), { token: owner.token, body: { type: 'payout.sent' } })).body;
		const read = (await api<TestDelivery>(at(`/${id}/deliveries/${payout.id}`), { token: owner.token })).body.data;
		expect(read).toMatchObject({ webhook_id: expect.stringMatching(/^msg_payout_sent_0_/), payload: { type: 'payout.sent', test: true } });
		expect(read.payload?.data).toMatchObject({ currency: 'EUR' });
		expect((await deliveries(id)).body.data.map(({ type }) => type)).toEqual(['payout.sent', 'lead.created']);
		expect((await deliveries(id, '?type=lead.created')).body.data).toHaveLength(1);
		expect((await deliveries(id, '?status=failed')).body.data).toEqual([]);
		const page = (await deliveries(id, '?limit=1')).body;
		expect((await deliveries(id, `?limit=1&cursor=${page.meta.next_cursor}`)).body.data).toMatchObject([{ type: 'lead.created' }]);

		await env.DB.prepare(
			"UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, settled_at = 1, attempts = 10, tries = 10 WHERE id = ?",
		)
			.bind(payout.id)
			.run();
		const again = await api<TestDelivery>(at(`/${id}/deliveries/${payout.id}/redeliver`), { token: owner.token, method: 'POST' });
		expect(again.body.data).toMatchObject({ status: 'pending', webhook_id: read.webhook_id, settled_at: null });
	});

	test('is not sent to a disabled webhook or one of another program, and deliveries are not sent again', async () => {
		const { id } = await aWebhook(owner, program);
		const { data } = (await api<TestDelivery>(at(`/${id}/test`), { token: owner.token, method: 'POST' })).body;
		await call(`/${id}`, { method: 'PATCH', body: { enabled: false } });
		const refused = { error: 'This webhook is disabled: enable it first' };
		const post = (path: string, of = program) => api(at(path, of), { token: owner.token, method: 'POST' });
		expect((await post(`/${id}/test`)).body).toEqual(refused);
		expect((await post(`/${id}/deliveries/${data.id}/redeliver`)).body).toEqual(refused);
		const [foreign, other] = [await aProgram(owner), await aWebhook(owner, program)];
		expect((await post(`/${id}/test`, foreign)).status).toBe(404);
		expect((await post(`/${id}/deliveries/${data.id}/redeliver`, foreign)).status).toBe(404);
		expect((await post(`/${other.id}/deliveries/${data.id}/redeliver`)).status).toBe(404);
		expect((await api(at(`/${other.id}/deliveries/${data.id}`), { token: owner.token })).status).toBe(404);
	});
});

const run = (sql: string, ...values: unknown[]) =>
	env.DB.prepare(sql)
		.bind(...values)
		.run();

describe('a delivery', () => {
	test('never changes except by an erasure, and is unique per endpoint', async () => {
		const { id } = await aWebhook(owner, program);
		const { data } = (await api<TestDelivery>(at(`/${id}/test`), { token: owner.token, method: 'POST' })).body;
		const change = (set: string) => run(`UPDATE webhook_deliveries SET ${set} WHERE id = ?`, data.id);
		for (const set of ["payload = '{}'", "type = 'x'", 'subject_id = 5', "operation = 'x'", 'is_test = 0', 'created_at = 1']) {
			await expect(change(set)).rejects.toThrow('webhook_deliveries: what is told stays');
		}
		await change("payload = '{}', erased_at = 1");
		await change("state = 'delivered', next_attempt_at = NULL, settled_at = 1, attempts = 3");
		await expect(change('attempts = 2')).rejects.toThrow('what is told stays');
		await expect(change("state = 'failed'")).rejects.toThrow('webhook_deliveries: not that state');
		await expect(change("state = 'pending', settled_at = NULL")).rejects.toThrow('webhook_deliveries_pending_due');
		const columns = 'endpoint_id, operation, type, subject_id, is_test, payload, state, next_attempt_at, created_at';
		await expect(
			run(
				`INSERT INTO webhook_deliveries (${columns}) SELECT endpoint_id, operation, type, subject_id, 0, '{}', 'pending', 1, 1 FROM webhook_deliveries WHERE id = ?`,
				data.id,
			),
		).rejects.toThrow('UNIQUE');
	});

	test('an endpoint stays in its program, and a deleted one stays deleted', async () => {
		const { id } = await aWebhook(owner, program);
		const other = await aProgram(owner);
		await expect(run('UPDATE webhook_endpoints SET program_id = ? WHERE id = ?', other.id, id)).rejects.toThrow("stays its program's");
		await call(`/${id}`, { method: 'DELETE' });
		await expect(run('UPDATE webhook_endpoints SET deleted_at = NULL WHERE id = ?', id)).rejects.toThrow('and deleted');
	});
});
