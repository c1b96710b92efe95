import { expect, test } from 'vitest';
import { type Context, openContext } from '../../src/context.ts';
import { newApp } from '../../src/http/new-app.ts';
import { tracking } from '../../src/http/tracking.ts';
import { webhooks } from '../../src/http/webhooks.ts';
import { consume } from '../../src/jobs/consume.ts';
import { tick } from '../../src/jobs/tick.ts';
import { openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService } from '../../testing/service/service.ts';
import { signed } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';

// `ctx.in(programId)` from docs/guides/scale.md, with a program whose events are in another database.

const BASE = 'http://service.test';
const SIGNING_SECRET = 'whsec_0123456789abcdef0123456789abcdef';

type Fields = Readonly<Record<string, unknown>>;

const deferred: Promise<unknown>[] = [];
const execution = { waitUntil: (work: Promise<unknown>) => void deferred.push(work), passThroughOnException() {}, props: {} };

/** A database with two programs, its two queues, and their consumers. The ids are the same in each such database. */
async function openPlace() {
	const sqlite = openSqlite();
	const [CLICKS, EFFECTS] = [holdingQueue(), holdingQueue()];
	const env = { ...nodeBindings(openD1(new Statements(sqlite))), CLICKS, EFFECTS };
	const service = openService(env);
	const call = async (path: string, { token, body, method }: { token?: string; body?: Fields; method?: string } = {}) => {
		const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
		const sent = body === undefined ? {} : { method: method ?? 'POST', body: JSON.stringify(body) };
		const answer: Fields & { readonly data?: Fields } = await (await service.fetch(new Request(BASE + path, { headers, ...sent }))).json();
		expect(answer).not.toHaveProperty('error');
		return answer;
	};
	const owner = { email: 'ada@shop.example', password: 'correct horse battery', name: 'Ada' };
	const token = String((await call('/api/v1/auth/sign-up', { body: owner })).data?.['token']);
	for (const name of ['near', 'far']) {
		const body = { name, commission: { type: 'percent', percent: 20 } };
		const id = String((await call('/api/v1/programs', { token, body })).data?.['id']);
		await call(`/api/v1/programs/${id}/partners`, { token, body: { name: 'Pat', email: 'pat@partner.example', short_link: name } });
		await call(`/api/v1/programs/${id}/stripe`, { token, method: 'PUT', body: { webhook_secret: SIGNING_SECRET } });
	}
	const context = () => openContext(env, execution);
	const work = async () => {
		for (let left = 1; left > 0; left = CLICKS.held.length + EFFECTS.held.length) {
			await Promise.all(deferred.splice(0));
			for (const queue of [CLICKS, EFFECTS]) for (const body of queue.held.splice(0)) await consume(context(), batchOf(body));
			await tick(context());
		}
	};
	const totals = async (programId: number) => {
		const { metrics } = await call(`/api/tracking/performance/${programId}?period=7d`, { token });
		return metrics;
	};
	const count = (table: string, programId: number) =>
		sqlite.prepare(`SELECT count(*) AS rows FROM ${table} WHERE program_id = ?`).get(programId)?.['rows'];
	return { env, context, work, totals, count, queues: { CLICKS, EFFECTS } };
}

function retry(): never {
	expect.fail('A message could not be handled');
}

function batchOf(body: unknown): MessageBatch {
	const message = { id: 'message', timestamp: new Date(0), body, attempts: 1, metadata: {}, ack() {}, retry };
	return {
		queue: 'affiliate-any',
		messages: [message],
		metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
		ackAll() {},
		retryAll: retry,
	};
}

test("events from visitors and processors are stored and counted in the program's database", async () => {
	const [first, second] = [await openPlace(), await openPlace()];
	const [NEAR, FAR] = [1, 2];
	const door = newApp()
		.use(async (c, next) => {
			const context: Context = { ...first.context(), in: (programId) => (programId === FAR ? second.context() : context) };
			c.set('ctx', context);
			await next();
		})
		.route('/api/v1/track', tracking)
		.route('/webhooks', webhooks);
	const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
		const request = new Request(BASE + path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
		const response = await door.fetch(request, first.env, execution);
		expect(response.status).toBe(200);
		const answer: Fields = await response.json();
		return answer;
	};
	const deliver = (programId: number, event: unknown) => {
		const { body, header } = signed(event, SIGNING_SECRET, Date.now());
		return send(`/webhooks/stripe/${programId}`, body, { 'Stripe-Signature': header });
	};
	const sell = async (programId: number, link: string, amount: number) => {
		const { click_id } = await send('/api/v1/track/click', JSON.stringify({ affiliate_url: `https://shop.example/?aff=${link}` }));
		const { first: payment } = stripeStory({ clientReferenceId: String(click_id), amount, at: Date.now() });
		for (const event of payment.events()) await deliver(programId, event);
		return payment;
	};

	const payment = await sell(FAR, 'far', 10_000);
	expect([first.queues.CLICKS.held.length, second.queues.CLICKS.held.length]).toEqual([0, 1]);
	await Promise.all([first.work(), second.work()]);
	const refund = payment.refund(2_500);
	for (const event of [refund.created(), refund.chargeRefunded()]) await deliver(FAR, event);
	await sell(NEAR, 'near', 3_000);
	await Promise.all([first.work(), second.work()]);

	expect(await second.totals(FAR)).toMatchObject({ totalClicks: 1, totalRevenue: 100, netRevenue: 75, netCommission: 15 });
	expect(await first.totals(NEAR)).toMatchObject({ totalClicks: 1, totalRevenue: 30, netRevenue: 30, netCommission: 6 });
	const tables = ['affiliate_click_events', 'affiliate_sale_events', 'commissions', 'customers', 'processor_events', 'outbox'];
	for (const [place, absent] of [
		[first, FAR],
		[second, NEAR],
	] as const)
		expect(tables.map((table) => [table, place.count(table, absent)])).toEqual(tables.map((table) => [table, 0]));
});
