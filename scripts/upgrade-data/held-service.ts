import type { DatabaseSync } from 'node:sqlite';
import { openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService, type Service } from '../../testing/service/service.ts';
import { BASE } from '../../testing/openapi/world.ts';

/** Where the ids of a table begin, so that no two of them are alike. */
const FIRST_IDS = { users: 60, workspaces: 70, partners: 100, partner_programs: 200, referral_links: 300, programs: 700, customers: 1_000 };
const CLOCK = '2026-03-';

export type Fields = Readonly<Record<string, unknown>>;

export interface Asked {
	readonly method?: string;
	readonly token?: string | undefined;
	/** Sent as JSON; a string as it is. */
	readonly body?: Fields | string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Of the answer; else one that is no error. */
	readonly status?: number | undefined;
}

/** The service with messages and the clock in our hands, on an empty database or one that was filled before. */
export class HeldService {
	readonly sqlite: DatabaseSync;
	readonly worker: Service;
	readonly #goOnAt: (instant: string) => void;

	constructor(goOnAt: (instant: string) => void, filled?: DatabaseSync) {
		this.#goOnAt = goOnAt;
		this.sqlite = filled ?? openSqlite();
		if (!filled) beginIds(this.sqlite);
		const bindings = nodeBindings(openD1(new Statements(this.sqlite)));
		// Stripe's events lose their long bodies at the next tick; and a secret that the tests' Worker has too.
		const vars = { PROCESSOR_PAYLOAD_DAYS: '0', SECRETS: 'test-secret-newest-0001' };
		this.worker = openService({ ...bindings, ...vars }, { isHolding: true });
	}

	/** A day of March, and a time of UTC. */
	goOnAt(day: string, time = '12:00'): void {
		this.#goOnAt(`${CLOCK}${day}T${time}:00Z`);
	}

	/** An hour of the evening, in which every program has its turn. What is sent meanwhile is delivered. */
	async tickOn(day: string): Promise<void> {
		for (let minute = 0; minute < 60; minute += 1) {
			this.goOnAt(day, `22:${String(minute).padStart(2, '0')}`);
			await this.worker.tick();
			await this.worker.deliverHeld();
		}
	}

	async whileCommissionsFail(work: () => Promise<unknown>): Promise<void> {
		this.sqlite.exec("CREATE TRIGGER fail BEFORE INSERT ON commissions BEGIN SELECT RAISE(ABORT, 'no commission today'); END");
		await work();
		this.sqlite.exec('DROP TRIGGER fail');
	}

	/** The text of an answer. */
	async text(path: string, { method, token, body, headers, status }: Asked = {}): Promise<string> {
		const request = new Request(`${BASE}${path}`, {
			method: method ?? (body === undefined ? 'GET' : 'POST'),
			headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...headers },
			...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		const response = await this.worker.fetch(request);
		const text = await response.text();
		if (status === undefined ? !response.ok : response.status !== status)
			throw new Error(`${request.method} ${path} answered ${response.status}: ${text}`);
		return text;
	}

	/** The `data` of an answer, or all of it. */
	async call(path: string, asked: Asked = {}): Promise<Fields> {
		const answer: { readonly data?: Fields } = JSON.parse(await this.text(path, asked));
		return answer.data ?? { ...answer };
	}
}

/** Of a database that is empty still. */
export function beginIds(sqlite: DatabaseSync): void {
	const first = sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
	for (const [table, id] of Object.entries(FIRST_IDS)) first.run(table, id);
}
