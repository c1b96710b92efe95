// Two databases behind one binding. Both get every call, and their results must be equal.

export interface Difference {
	readonly query: string;
	readonly d1: string;
	readonly lookAlike: string;
}

export class Twin {
	readonly differences: Difference[] = [];
	readonly d1: D1Database;
	readonly lookAlike: D1Database;
	/** The number of calls so far, and how many failed. */
	calls = 0;
	failures = 0;
	#turn: Promise<unknown> = Promise.resolve();

	constructor(d1: D1Database, lookAlike: D1Database) {
		this.d1 = d1;
		this.lookAlike = lookAlike;
	}

	/** A binding like the Worker's. */
	get binding(): D1Database {
		const methods = {
			prepare: (sql: string) => new TwinStatement(this, sql, []),
			batch: (statements: readonly TwinStatement[]) =>
				this.ask(
					() => statements.map((statement) => statement.text).join(';\n'),
					(db) => db.batch(statements.map((statement) => statement.on(db))),
				),
		};
		// Sessions send the same calls. Bookmarks are not compared, because each database counts its own.
		const binding: unknown = { ...methods, withSession: () => ({ ...methods, getBookmark: () => null }) };
		return binding as D1Database;
	}

	/** Compares only whether both can run it, because results such as those of random() differ. */
	compareWhetherItRuns(sql: string): Promise<boolean> {
		const runs = (db: D1Database) =>
			db
				.prepare(sql)
				.all()
				.then(
					() => true,
					() => false,
				);
		return this.ask(() => sql, runs);
	}

	/** Sends calls one at a time to both, so that both see the same order. The caller gets D1's result. */
	ask<Result>(query: () => string, run: (db: D1Database) => Promise<Result>): Promise<Result> {
		const call = this.#turn.then(async () => {
			const [d1, lookAlike] = await Promise.all([outcomeOf(() => run(this.d1)), outcomeOf(() => run(this.lookAlike))]);
			this.calls += 1;
			if (d1.isError) this.failures += 1;
			if (d1.text !== lookAlike.text) this.differences.push({ query: query(), d1: d1.text, lookAlike: lookAlike.text });
			return d1.deliver();
		});
		this.#turn = call.catch(() => undefined);
		return call;
	}
}

class TwinStatement {
	readonly #twin: Twin;
	readonly #sql: string;
	readonly #params: readonly unknown[];

	constructor(twin: Twin, sql: string, params: readonly unknown[]) {
		this.#twin = twin;
		this.#sql = sql;
		this.#params = params;
	}

	get text(): string {
		return `${this.#sql} <- ${canonical(this.#params)}`;
	}

	bind(...params: unknown[]): TwinStatement {
		return new TwinStatement(this.#twin, this.#sql, params);
	}

	/** bind() itself refuses some types. It runs here so that its error counts as part of the result. */
	on(db: D1Database): D1PreparedStatement {
		return db.prepare(this.#sql).bind(...this.#params);
	}

	all(): Promise<unknown> {
		return this.#ask((db) => this.on(db).all());
	}

	run(): Promise<unknown> {
		return this.#ask((db) => this.on(db).run());
	}

	first(column?: string): Promise<unknown> {
		return this.#ask((db) => (column === undefined ? this.on(db).first() : this.on(db).first(column)));
	}

	raw(options?: { columnNames?: boolean }): Promise<unknown> {
		return this.#ask((db) => (options?.columnNames ? this.on(db).raw({ columnNames: true }) : this.on(db).raw()));
	}

	#ask(run: (db: D1Database) => Promise<unknown>): Promise<unknown> {
		return this.#twin.ask(() => this.text, run);
	}
}

interface Outcome<Result> {
	readonly isError: boolean;
	readonly text: string;
	readonly deliver: () => Result;
}

async function outcomeOf<Result>(run: () => Promise<Result>): Promise<Outcome<Result>> {
	try {
		const result = await run();
		return { isError: false, text: canonical(result), deliver: () => result };
	} catch (error) {
		return {
			isError: true,
			text: plainMessage(String(error)),
			deliver: () => {
				throw error;
			},
		};
	}
}

/** Removes what only D1 adds to an error message: the offset, the value, and its advice on transactions. */
function plainMessage(message: string): string {
	return message
		.replace(/ at offset \d+/, '')
		.replace(/( not supported) for value .*/s, '$1')
		.replace(/( SAVEPOINT statements\.).*/s, '$1');
}

/** JSON that distinguishes types and keeps the column order. `meta` keeps only the fields that the look-alike has. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (key, part: unknown) => {
		if (key === 'meta' && typeof part === 'object' && part !== null && 'changes' in part && 'last_row_id' in part) {
			return { changes: part.changes, last_row_id: part.last_row_id };
		}
		if (typeof part === 'bigint') return `bigint ${part}`;
		if (part === undefined) return 'undefined';
		if (typeof part === 'number' && !Number.isFinite(part)) return `number ${part}`;
		if (part instanceof Uint8Array) return { bytes: [...part] };
		return part;
	});
}
