import type { DatabaseSync } from 'node:sqlite';
import { type Call, openD1, Statements } from '../../../testing/d1/look-alike.ts';
import { nodeBindings } from '../../../testing/service/node-bindings.ts';
import { openService, type Service } from '../../../testing/service/service.ts';

const BASE = 'http://127.0.0.1:8787';
/** The batch size of the clicks queue in wrangler.toml. */
const MESSAGES_PER_BATCH = 100;
const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:146.0) Gecko/20100101 Firefox/146.0';

export type Fields = Readonly<Record<string, unknown>>;

export interface CallOptions {
	readonly method?: string;
	/** A session token or a program key. */
	readonly token?: string | undefined;
	/** Sent as JSON. A string is sent unchanged. */
	readonly body?: Fields | string;
	readonly headers?: Readonly<Record<string, string>>;
	/** The last part of the caller's IP address, from a range reserved for documentation. */
	readonly network?: number | undefined;
	/** The expected status if the call should be refused. */
	readonly status?: number;
}

/** Runs the service in this process on this database and calls it with HTTP requests. Its queues deliver only on `settle`. */
export class ServiceClient {
	readonly #service: Service;
	#hasOutage = false;
	#isBackendCall = false;

	constructor(sqlite: DatabaseSync, secrets: string) {
		const db = openD1(new Statements(sqlite), async <Answer>(call: Call<Answer>) => this.#pass(call));
		this.#service = openService({ ...nodeBindings(db), SECRETS: secrets }, { isHolding: true, messagesPerBatch: MESSAGES_PER_BATCH });
	}

	/** Returns the response, which may be the expected error. */
	async call(path: string, { method, token, body, headers, network, status }: CallOptions = {}): Promise<Fields> {
		const request = new Request(`${BASE}${path}`, {
			method: method ?? (body === undefined ? 'GET' : 'POST'),
			headers: {
				'Content-Type': 'application/json',
				'User-Agent': BROWSER,
				...(token !== undefined && { Authorization: `Bearer ${token}` }),
				...(network !== undefined && { 'CF-Connecting-IP': `203.0.113.${network}` }),
				...headers,
			},
			...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		this.#isBackendCall = path.startsWith('/api/v1/track/');
		const response = await this.#service.fetch(request).finally(() => (this.#isBackendCall = false));
		const text = await response.text();
		const isExpected = status === undefined ? response.ok : response.status === status;
		if (!isExpected) throw new Error(`${request.method} ${path} ${JSON.stringify(body)} responded with ${response.status}: ${text}`);
		const answer: Fields = JSON.parse(text);
		return answer;
	}

	/** Returns the response's `data`. */
	async dataOf(path: string, options: CallOptions = {}): Promise<Fields> {
		const { data } = await this.call(path, options);
		return isFields(data) ? data : {};
	}

	/** Returns the response's `data` as a list. */
	async listOf(path: string, options: CallOptions = {}): Promise<readonly Fields[]> {
		const { data } = await this.call(path, options);
		return fieldsIn(data);
	}

	/** Delivers the queued messages, and any that result from them. */
	settle(): Promise<void> {
		return this.#service.deliverHeld();
	}

	/** Runs the crons and delivers their messages. */
	async tick(): Promise<void> {
		await this.#service.tick();
		await this.settle();
	}

	/** Sends a message to the dead-letter queue. */
	giveUp(body: unknown): Promise<void> {
		return this.#service.deliver('affiliate-dead-letters', body);
	}

	/** Starts or ends an outage in which the database refuses sales from the processor. Sales from the backend still succeed. */
	setOutage(isOn: boolean): void {
		this.#hasOutage = isOn;
	}

	#pass<Answer>({ statements, run }: Call<Answer>): Answer {
		if (this.#hasOutage && !this.#isBackendCall && statements.some((text) => /insert into "?affiliate_sale_events/i.test(text)))
			throw new Error('D1_ERROR: D1 DB exceeded its CPU time limit and was reset.');
		return run();
	}
}

export function fieldsIn(value: unknown): readonly Fields[] {
	return Array.isArray(value) ? value.filter(isFields) : [];
}

export function fieldOf(value: unknown, name: string): unknown {
	return isFields(value) ? value[name] : undefined;
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
