import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { SERVICE_CHECKS } from '../../src/domain/monitoring/service-check.ts';
import { callWith } from '../support/bindings.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// The operator's view, which only the owners of the oldest workspace may see.

interface Seen {
	readonly state: string;
	readonly checks: readonly { readonly name: string; readonly state: string; readonly next_action: string | null }[];
	readonly database: { readonly bytes: number | null; readonly limit_bytes: number };
	readonly dead_letters: { readonly count: number };
}

let operator: Owner;
let stranger: Owner;
beforeAll(async () => {
	[stranger, operator] = [await signUp(), await signUp()];
	await env.DB.prepare("INSERT INTO members (workspace_id, user_id, role, created_at) SELECT min(id), ?, 'owner', 0 FROM workspaces")
		.bind(operator.userId)
		.run();
});

test('an owner of the first workspace sees each part, and what to do', async () => {
	const { status, body } = await api<Seen>('/api/v1/service', { token: operator.token });
	expect(status).toBe(200);
	expect(body.data.checks.map(({ name }) => name)).toEqual(SERVICE_CHECKS);
	expect(body.data.database).toMatchObject({ bytes: expect.any(Number), limit_bytes: 10e9 });
	expect(body.data.checks.at(-1)).toMatchObject({ state: 'attention', next_action: expect.stringContaining('ALERT_WEBHOOK_URL') });
	for (const { state, next_action: nextAction } of body.data.checks) expect(nextAction === null).toBe(state === 'good');
});

test('a database that is filling up is shown as such', async () => {
	const { body } = await callWith({ DATABASE_LIMIT_GB: '0.001' }, '/api/v1/service', { token: operator.token });
	const data: Seen = Object(body['data']);
	expect(data.checks.find(({ name }) => name === 'database')).toMatchObject({
		state: expect.stringMatching(/^(attention|bad)$/),
		next_action: expect.stringMatching(/\(\d+\.\d MB of 1\.0 MB\)/),
	});
	expect(data.state).not.toBe('good');
});

test('an owner of another workspace sees nothing of it', async () => {
	const { status, body } = await api('/api/v1/service', { token: stranger.token });
	expect([status, body]).toEqual([403, { error: 'Only an owner of the workspace that operates this service may do this' }]);
});

async function isOperator({ token }: Owner): Promise<boolean> {
	return (await api<{ is_operator: boolean }>('/api/v1/me', { token })).body.data.is_operator;
}

test('a signed-in person learns whether they may see it', async () => {
	expect([await isOperator(operator), await isOperator(stranger)]).toEqual([true, false]);
});
