// Two databases behind one binding: whatever is asked of it is asked of both, and has to be answered alike.

export interface Difference {
	readonly asked: string;
	readonly d1: string;
	readonly lookAlike: string;
}

export class Twin {
	readonly differences: Difference[] = [];
	readonly d1: D1Database;
	readonly lookAlike: D1Database;
	/** Trips so far, and how many of them failed, on both alike. */
	trips = 0;
	failures = 0;
	#turn: Promise<unknown> = Promise.resolve();

	constructor(d1: D1Database, lookAlike: D1Database) {
		this.d1 = d1;
		this.lookAlike = lookAlike;
	}

	/** The binding that a Worker would have. */
	get binding(): D1Database {
		const trips = {
			prepare: (sql: string) => new TwinStatement(this, sql, []),
			batch: (statements: readonly TwinStatement[]) =>
				this.ask(
					() => statements.map((statement) => statement.text).join(';\n'),
					(db) => db.batch(statements.map((statement) => statement.on(db))),
				),
		};
		// Sessions send the same trips. Their bookmarks differ, as each database counts in its own way.
		const binding: unknown = { ...trips, withSession: () => ({ ...trips, getBookmark: () => null }) };
		return binding as D1Database;
	}

	/** Whether the one runs it if the other does. What it answers may differ, as that of random() does. */
	askWhetherItRuns(sql: string): Promise<boolean> {
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

	/** Asks both, one trip at a time so that both see one order. The caller gets D1's answer. */
	ask<Result>(asked: () => string, run: (db: D1Database) => Promise<Result>): Promise<Result> {
		const asking = this.#turn.then(async () => {
			const [d1, lookAlike] = await Promise.all([outcomeOf(() => run(this.d1)), outcomeOf(() => run(this.lookAlike))]);
			this.trips += 1;
			if (d1.isError) this.failures += 1;
			if (d1.told !== lookAlike.told) this.differences.push({ asked: asked(), d1: d1.told, lookAlike: lookAlike.told });
			return d1.deliver();
		});
		this.#turn = asking.catch(() => undefined);
		return asking;
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

	/** Types are refused by bind() itself: so it is called where its error is part of the answer. */
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
	readonly told: string;
	readonly deliver: () => Result;
}

async function outcomeOf<Result>(run: () => Promise<Result>): Promise<Outcome<Result>> {
	try {
		const result = await run();
		return { isError: false, told: canonical(result), deliver: () => result };
	} catch (error) {
		return {
			isError: true,
			told: plainMessage(String(error)),
			deliver: () => {
				throw error;
			},
		};
	}
}

/** D1 says where in the statement, and for which value; and its advice on transactions is long. */
function plainMessage(message: string): string {
	return message
		.replace(/ at offset \d+/, '')
		.replace(/( not supported) for value .*/s, '$1')
		.replace(/( SAVEPOINT statements\.).*/s, '$1');
}

/** As JSON that tells types and the order of columns apart. Of `meta` what the look-alike answers; the size of a file is another. */
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
