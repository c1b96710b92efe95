import type { DatabaseSync } from 'node:sqlite';
import { openD1, openSqlite, Statements } from '../../testing/d1/look-alike.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { openService, type Service } from '../../testing/service/service.ts';
import { BASE } from '../../testing/openapi/world.ts';

/** The first id of each table, chosen so that ids of different tables differ. */
const FIRST_IDS = { users: 60, workspaces: 70, partners: 100, partner_programs: 200, referral_links: 300, programs: 700, customers: 1_000 };
const CLOCK = '2026-03-';

export type Fields = Readonly<Record<string, unknown>>;

export interface CallOptions {
	readonly method?: string;
	readonly token?: string | undefined;
	/** Sent as JSON. A string is sent unchanged. */
	readonly body?: Fields | string;
	readonly headers?: Readonly<Record<string, string>>;
	/** The expected status; by default any success. */
	readonly status?: number | undefined;
}

/** The service on an empty or filled database, with manual message delivery and a manual clock. */
export class HeldService {
	readonly sqlite: DatabaseSync;
	readonly worker: Service;
	readonly #goOnAt: (instant: string) => void;

	constructor(goOnAt: (instant: string) => void, filled?: DatabaseSync) {
		this.#goOnAt = goOnAt;
		this.sqlite = filled ?? openSqlite();
		if (!filled) beginIds(this.sqlite);
		const bindings = nodeBindings(openD1(new Statements(this.sqlite)));
		// Stripe's payloads are deleted at the next cron run. The tests' Worker has the same secret.
		const vars = { PROCESSOR_PAYLOAD_DAYS: '0', SECRETS: 'test-secret-newest-0001' };
		this.worker = openService({ ...bindings, ...vars }, { isHolding: true });
	}

	/** Sets the clock to a day in March at a UTC time. */
	goOnAt(day: string, time = '12:00'): void {
		this.#goOnAt(`${CLOCK}${day}T${time}:00Z`);
	}

	/** Runs the crons for one hour in the evening, in which every program is processed, and delivers their messages. */
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

	async text(path: string, { method, token, body, headers, status }: CallOptions = {}): Promise<string> {
		const request = new Request(`${BASE}${path}`, {
			method: method ?? (body === undefined ? 'GET' : 'POST'),
			headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...headers },
			...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		});
		const response = await this.worker.fetch(request);
		const text = await response.text();
		if (status === undefined ? !response.ok : response.status !== status)
			throw new Error(`${request.method} ${path} responded with ${response.status}: ${text}`);
		return text;
	}

	/** The `data` of a response, or the whole response. */
	async call(path: string, options: CallOptions = {}): Promise<Fields> {
		const answer: { readonly data?: Fields } = JSON.parse(await this.text(path, options));
		return answer.data ?? { ...answer };
	}
}

/** Sets the first ids of an empty database. */
export function beginIds(sqlite: DatabaseSync): void {
	const first = sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
	for (const [table, id] of Object.entries(FIRST_IDS)) first.run(table, id);
}
