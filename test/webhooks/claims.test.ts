import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { claimDue } from '../../src/webhooks/claim-due.ts';
import { webhookChannel } from '../../src/webhooks/webhook-channel.ts';
import { metered } from '../../testing/d1/metered.ts';
import { aProgram, api, signUp } from '../support/world.ts';

/** How many rows a claim reads after it has claimed what it can. */
async function rowsOfClaim(): Promise<number> {
	await claim();
	const DB = metered(env.DB);
	await claim(DB);
	return DB.spent().rowsRead;
}

function claim(DB: D1Database = env.DB) {
	return claimDue(openContext({ ...env, DB }, createExecutionContext()), webhookChannel);
}

test("a receiver's backlog behind its due deliveries does not cost a claim any rows", async () => {
	const owner = await signUp();
	const { id } = await aProgram(owner);
	const { body } = await api<{ id: number }>(`/api/v1/programs/${id}/webhooks`, {
		token: owner.token,
		body: { url: 'https://hooks.shop.example/busy' },
	});
	const wait = async (from: number, to: number) => {
		const backlog = `
			WITH RECURSIVE n(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
			INSERT INTO webhook_deliveries (endpoint_id, operation, type, subject_id, is_test, payload, state, next_attempt_at, created_at)
			SELECT ?3, 'backlog', 'sale.created', n, 0, '{}', 'pending', n, n FROM n`;
		await env.DB.prepare(backlog).bind(from, to, body.data.id).run();
	};
	await wait(1, 100);
	const few = await rowsOfClaim();
	await wait(101, 3_000);
	expect(await rowsOfClaim()).toBe(few);
	await env.DB.prepare('UPDATE webhook_endpoints SET failures = 1, failing_since = 1, rests_until = ?1 WHERE id = ?2')
		.bind(Date.now() + 60_000, body.data.id)
		.run();
	expect(await rowsOfClaim()).toBeLessThan(few);
	await env.DB.prepare('DELETE FROM webhook_deliveries WHERE endpoint_id = ?').bind(body.data.id).run();
});
