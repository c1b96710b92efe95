import type { DatabaseSync } from 'node:sqlite';
import { type Call, openD1, Statements } from '../../../testing/d1/look-alike.ts';
import { nodeBindings } from '../../../testing/service/node-bindings.ts';
import { openService, type Service } from '../../../testing/service/service.ts';

const BASE = 'http://127.0.0.1:8787';
/** As wrangler.toml has it for clicks. */
const MESSAGES_PER_BATCH = 100;
const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:146.0) Gecko/20100101 Firefox/146.0';

export type Fields = Readonly<Record<string, unknown>>;

export interface Asked {
	readonly method?: string;
	/** A session token or a program key. */
	readonly token?: string | undefined;
	/** Sent as JSON; a string as it is. */
	readonly body?: Fields | string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Where the call comes from: one of the addresses for documentation. */
	readonly network?: number | undefined;
	/** Of the answer, where it is to be an error. */
	readonly status?: number;
}

/** The service on this database, in this process, as its callers reach it; its queues deliver when they are told to. */
export class FrontDoor {
	readonly #service: Service;
	#isOut = false;
	#isOfBackend = false;

	constructor(sqlite: DatabaseSync, secrets: string) {
		const db = openD1(new Statements(sqlite), async <Answer>(call: Call<Answer>) => this.#pass(call));
		this.#service = openService({ ...nodeBindings(db), SECRETS: secrets }, { isHolding: true, messagesPerBatch: MESSAGES_PER_BATCH });
	}

	/** What the answer holds, be it an error that was expected. */
	async ask(path: string, { method, token, body, headers, network, status }: Asked = {}): Promise<Fields> {
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
		this.#isOfBackend = path.startsWith('/api/v1/track/');
		const response = await this.#service.fetch(request).finally(() => (this.#isOfBackend = false));
		const text = await response.text();
		const isExpected = status === undefined ? response.ok : response.status === status;
		if (!isExpected) throw new Error(`${request.method} ${path} ${JSON.stringify(body)} answered ${response.status}: ${text}`);
		const answer: Fields = JSON.parse(text);
		return answer;
	}

	/** The `data` of the answer. */
	async dataOf(path: string, asked: Asked = {}): Promise<Fields> {
		const { data } = await this.ask(path, asked);
		return isFields(data) ? data : {};
	}

	/** The `data` of an answer that is a list. */
	async listOf(path: string, asked: Asked = {}): Promise<readonly Fields[]> {
		const { data } = await this.ask(path, asked);
		return fieldsIn(data);
	}

	/** Delivers what the queues hold, and what follows from it. */
	settle(): Promise<void> {
		return this.#service.deliverHeld();
	}

	/** The work of every minute. */
	async tick(): Promise<void> {
		await this.#service.tick();
		await this.settle();
	}

	/** A message that a queue has tried for the last time. */
	giveUp(body: unknown): Promise<void> {
		return this.#service.deliver('affiliate-dead-letters', body);
	}

	/** Has the database refuse sales of the processor's events from now on, or take them again. A shop's backend would send its own again. */
	setOut(isOut: boolean): void {
		this.#isOut = isOut;
	}

	#pass<Answer>({ statements, run }: Call<Answer>): Answer {
		if (this.#isOut && !this.#isOfBackend && statements.some((text) => /insert into "?affiliate_sale_events/i.test(text)))
			throw new Error('D1_ERROR: D1 DB exceeded its CPU time limit and was reset.');
		return run();
	}
}

/** The objects of a list. */
export function fieldsIn(value: unknown): readonly Fields[] {
	return Array.isArray(value) ? value.filter(isFields) : [];
}

export function fieldOf(value: unknown, name: string): unknown {
	return isFields(value) ? value[name] : undefined;
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
