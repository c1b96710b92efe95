import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { aFunnel, aSale, type Funnel, track } from '../support/funnel.ts';
import { limitingValues } from '../../testing/d1/failing.ts';

const CURRENCIES = 'USD EUR GBP CHF SEK NOK DKK PLN CZK HUF JPY CAD AUD NZD BRL MXN INR SGD'.split(' ');

async function ask({ owner }: Funnel, path: string, accept: string) {
	const execution = createExecutionContext();
	const headers = { Authorization: `Bearer ${owner.token}`, Accept: accept };
	const answer = await app.fetch(new Request(`http://service.test${path}`, { headers }), { ...env, DB: limitingValues(env.DB) }, execution);
	const text = await answer.text();
	await waitOnExecutionContext(execution);
	return { status: answer.status, lines: text.split('\n').length };
}

test('a breakdown as CSV holds 9,000 products in two currencies', async () => {
	const place = await aFunnel();
	await env.DB.prepare(`INSERT INTO daily_performance (program_id, day, currency) VALUES (?, date('now'), 'USD') ON CONFLICT DO NOTHING`)
		.bind(place.id)
		.run();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, sales, revenue_cents, commission_cents)
		SELECT ?, 'product', date('now'), 'prod_' || printf('%014d', i), value, 3, 30000, 6000 FROM n, json_each('["USD","EUR"]')`,
	)
		.bind(place.id)
		.run();
	const { status, lines } = await ask(place, `/api/tracking/performance/${place.id}?by=product&period=30d`, 'text/csv');
	expect(status).toBe(200);
	expect(lines).toBeGreaterThan(9_000);
});

test('events as CSV hold 1,001 refunds with reasons of 1,000 Japanese characters', async () => {
	const place = await aFunnel();
	const { saleId, transactionId } = await aSale(place);
	const refund = { transaction_id: transactionId, refund_amount_cents: 1, refund_id: 'r', refund_reason: '理'.repeat(1_000) };
	expect((await track('refund', refund, place.apiToken)).status).toBe(200);
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO refund_events (program_id, sale_id, source, refund_id, is_test, amount_cents, deduction_cents, outcome, reason, refund_day, created_at, op_id)
		SELECT r.program_id, r.sale_id, r.source, 'r' || i, 0, 0, 0, 'skipped', r.reason, r.refund_day, r.created_at, r.op_id || i FROM refund_events r, n WHERE r.sale_id = ?`,
	)
		.bind(saleId)
		.run();
	const { status, lines } = await ask(place, `/api/tracking/events/${place.id}`, 'text/csv');
	expect(status).toBe(200);
	expect(lines).toBeGreaterThan(1_001);
});

test('a report reads ten years in eighteen currencies', async () => {
	const place = await aFunnel();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3650)
		INSERT INTO daily_performance (program_id, day, currency, sales, revenue_cents, commission_cents)
		SELECT ?, date('now', '-' || i || ' days'), value, 3, 30000, 6000 FROM n, json_each(?) WHERE true ON CONFLICT DO NOTHING`,
	)
		.bind(place.id, JSON.stringify(CURRENCIES))
		.run();
	const { status } = await ask(place, `/api/tracking/performance/${place.id}?period=all`, 'application/json');
	expect(status).toBe(200);
});
