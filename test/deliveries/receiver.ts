import { afterEach, beforeEach } from 'vitest';
import { type Context, openContext } from '../../src/context.ts';
import { sendDue } from '../../src/webhooks/send-due.ts';
import { webhookChannel } from '../../src/webhooks/webhook-channel.ts';
import { openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { BASE, type PreparedWorld, prepareWorld } from '../../testing/openapi/world.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService } from '../../testing/service/service.ts';

// A service in this process. The test controls how receivers respond, and the clock.

export interface Received {
	readonly url: string;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly redirect: string | undefined;
}

export type Answer = (received: Received) => Response | Promise<Response>;

interface Data {
	readonly id: number;
	readonly [field: string]: unknown;
}

export async function aService() {
	const sqlite = openSqlite();
	const bindings = nodeBindings(openD1(new Statements(sqlite)));
	const world = await prepareWorld(openService(bindings));
	return new TestService({ ...bindings, WEBHOOKS: holdingQueue() }, world, sqlite);
}

/** One service without a webhook for all tests of a file, each of which is undone. */
export async function aServiceOfTests(): Promise<TestService> {
	const service = await aService();
	await service.call('/api/v1/programs/1/webhooks/1', undefined, 'DELETE');
	await service.settle();
	await service.sendAll();
	beforeEach(() => service.begin());
	afterEach(() => service.undo());
	return service;
}

export const webhook = (id: number, path = '') => `/api/v1/programs/1/webhooks/${id}${path}`;

export class TestService {
	readonly received: Received[] = [];
	readonly service: ReturnType<typeof openService>;
	answer: Answer = () => new Response('ok');
	/** Milliseconds after the real time. */
	later = 0;
	/** The delays in seconds with which the sender was started. */
	readonly woken: (number | undefined)[] = [];

	readonly bindings: Env;
	readonly world: PreparedWorld;
	readonly #sqlite: ReturnType<typeof openSqlite>;

	constructor(bindings: Env, world: PreparedWorld, sqlite: ReturnType<typeof openSqlite>) {
		this.bindings = bindings;
		this.#sqlite = sqlite;
		this.world = world;
		this.service = openService(bindings, { isHolding: true });
	}

	/** A transaction that is rolled back, because the world is created only once. */
	begin(): void {
		this.received.splice(0);
		this.woken.splice(0);
		this.later = 0;
		this.answer = () => new Response('ok');
		this.#sqlite.exec('BEGIN');
	}

	undo(): void {
		this.#sqlite.exec('ROLLBACK');
		this.service.held.splice(0);
	}

	now(): number {
		return Date.now() + this.later;
	}

	context(overrides: Partial<Context> = {}): Context {
		const execution = { waitUntil: (work: Promise<unknown>) => void work };
		return {
			...openContext(this.bindings, execution, this.now()),
			webhooks: { send: async (_job, options) => void this.woken.push(options?.delaySeconds) },
			fetch: async (url, { method = 'GET', headers, body, redirect, signal }) => {
				const received = {
					url,
					method,
					headers: Object.fromEntries(new Headers(headers)),
					body: typeof body === 'string' ? body : '',
					redirect,
				};
				this.received.push(received);
				return Promise.race([this.answer(received), aborted(signal)]);
			},
			...overrides,
		};
	}

	send(overrides: Partial<Context> = {}): Promise<void> {
		return sendDue(this.context(overrides), webhookChannel);
	}

	async sendAll(): Promise<void> {
		for (let before = -1; before < this.received.length;) {
			before = this.received.length;
			await this.send();
		}
	}

	/** Does not start the sender. */
	async settle(): Promise<void> {
		const messages = this.service.held.splice(0);
		for (const { queue, body } of messages) if (queue !== 'affiliate-webhooks') await this.service.deliver(queue, body);
		await this.service.tick();
		this.service.held.splice(0);
	}

	async call(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Data> {
		const token = path.startsWith('/api/v1/track/') ? this.world.tokens.key : this.world.tokens.owner;
		const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0', Authorization: `Bearer ${token}` };
		const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
		const response = await this.service.fetch(new Request(`${BASE}${path}`, init));
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
		const answer: { readonly data?: Data } & Data = JSON.parse(text);
		return answer.data ?? answer;
	}

	async rows(sql: string, ...values: unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
		const { results } = await this.bindings.DB.prepare(sql)
			.bind(...values)
			.all();
		return results;
	}

	/** Adds a webhook to program 1. */
	async aWebhook(types?: readonly string[], url = 'https://hooks.shop.example/books'): Promise<{ id: number; secret: string }> {
		const { id, secret } = await this.call('/api/v1/programs/1/webhooks', { url, types });
		return { id, secret: String(secret) };
	}

	testEvent(id: number): Promise<Data> {
		return this.call(webhook(id, '/test'), {});
	}

	/** Old events that wait for delivery to the webhook. */
	async aBacklog(id: number, count: number): Promise<void> {
		await this.rows(
			`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
			INSERT INTO webhook_deliveries (endpoint_id, operation, type, subject_id, is_test, payload, state, next_attempt_at, created_at)
			SELECT ?, 'backlog-' || n, 'sale.created', n, 0, '{"type":"sale.created","data":{}}', 'pending', n, n FROM n`,
			count,
			id,
		);
	}

	payloads(): { type: string; data: Data; id: string }[] {
		return this.received.map(({ body, headers }) => {
			const { type, data }: { type: string; data: Data } = JSON.parse(body);
			return { type, data, id: String(headers['webhook-id']) };
		});
	}
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
	return new Promise((_, reject) => {
		signal?.addEventListener('abort', () => reject(new Error('aborted')));
	});
}
