import { startMiniflare } from '../testing/miniflare.ts';

// Sends whole calls to workerd's D1, because Miniflare's binding for Node would also contact workerd for each prepare() and bind().

const WORKER = `
	const decode = (value) => {
		switch (value?.kind) {
			case undefined: return value;
			case 'undefined': return undefined;
			case 'number': return Number(value.text);
			case 'bigint': return BigInt(value.text);
			case 'bytes': return new Uint8Array(value.bytes);
			case 'date': return new Date(0);
			default: return {};
		}
	};
	export default {
		async fetch(request, { DB }) {
			const { by, statements, argument } = await request.json();
			try {
				const bound = statements.map(({ sql, params }) => DB.prepare(sql).bind(...params.map(decode)));
				const answer = by === 'batch' ? DB.batch(bound) : argument === undefined ? bound[0][by]() : bound[0][by](argument);
				return Response.json({ answer: await answer });
			} catch (error) {
				return Response.json({ error: String(error.message) });
			}
		},
	};`;

export interface RealD1 {
	readonly db: D1Database;
	readonly stop: () => Promise<void>;
}

export async function openRealD1(): Promise<RealD1> {
	const miniflare = startMiniflare({
		name: 'd1',
		modules: true,
		script: WORKER,
		compatibilityDate: '2026-10-23',
		d1Databases: { DB: 'd1' },
	});
	const url = await miniflare.ready;
	const ask = async (trip: object): Promise<unknown> => {
		const response = await fetch(url, { method: 'POST', body: JSON.stringify(trip) });
		const reply: unknown = await response.json();
		if (typeof reply === 'object' && reply !== null && 'error' in reply) throw new Error(String(reply.error));
		return typeof reply === 'object' && reply !== null && 'answer' in reply ? reply.answer : undefined;
	};
	const db: unknown = {
		prepare: (sql: string) => new RemoteStatement(ask, sql, []),
		batch: (statements: readonly RemoteStatement[]) => ask({ by: 'batch', statements }),
	};
	return { db: db as D1Database, stop: () => miniflare.dispose() };
}

class RemoteStatement {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly #ask: (trip: object) => Promise<unknown>;

	constructor(ask: (trip: object) => Promise<unknown>, sql: string, params: readonly unknown[]) {
		this.#ask = ask;
		this.sql = sql;
		this.params = params;
	}

	bind(...params: unknown[]): RemoteStatement {
		return new RemoteStatement(this.#ask, this.sql, params.map(encode));
	}

	all(): Promise<unknown> {
		return this.#ask({ by: 'all', statements: [this] });
	}

	run(): Promise<unknown> {
		return this.#ask({ by: 'run', statements: [this] });
	}

	first(column?: string): Promise<unknown> {
		return this.#ask({ by: 'first', statements: [this], argument: column });
	}

	raw(options?: object): Promise<unknown> {
		return this.#ask({ by: 'raw', statements: [this], argument: options });
	}
}

/** Marks values that JSON cannot express. */
function encode(value: unknown): unknown {
	if (value === undefined) return { kind: 'undefined' };
	if (typeof value === 'bigint') return { kind: 'bigint', text: String(value) };
	if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
		return { kind: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
	}
	if (value instanceof Uint8Array) return { kind: 'bytes', bytes: [...value] };
	if (value instanceof Date) return { kind: 'date' };
	return typeof value === 'object' && value !== null ? { kind: 'object' } : value;
}
