import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { asD1 } from './errors.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { openSession } from './session.ts';
import { isEmpty, needsTransaction, QUOTED_OR_PARAMETER, refuseAsD1, SQL_BYTES } from './refused-sql.ts';

// A look-alike of D1 over node:sqlite, in memory. A batch is a transaction, errors roll it back and have D1's texts, numbers bind as REAL,
// D1's limits apply, and foreign keys are on. Anything unsupported fails with a hint to use workerd.

/** A statement or a batch. It runs when the gate allows it. */
export interface Call<Answer = unknown> {
	readonly statements: readonly string[];
	readonly isWrite: boolean;
	readonly run: () => Answer;
}

/** Decides when and whether a call runs, and what its caller receives. */
export type Gate = <Answer>(call: Call<Answer>) => Promise<Answer>;

/** workerd's limits, as measured by compare/. The last two are D1's documented ones, because the local D1 allows more. */
const SETTINGS = {
	enableForeignKeyConstraints: true,
	enableDoubleQuotedStringLiterals: true,
	limits: {
		sqlLength: SQL_BYTES,
		column: 100,
		exprDepth: 100,
		compoundSelect: 5,
		vdbeOp: 25_000,
		attach: 0,
		likePatternLength: 50,
		variableNumber: 100,
		triggerDepth: 10,
		functionArg: 32,
		length: 2_000_000,
	},
};

/** An empty database with the service's tables and triggers. `rewrite` may change a migration before it is applied. */
export function openSqlite(rewrite?: (file: string, sql: string) => string): DatabaseSync {
	const sqlite = openEmptySqlite();
	migrateSqlite(sqlite, rewrite);
	return sqlite;
}

/** An empty database without tables. `limits` override D1's. */
export function openEmptySqlite(limits: Partial<typeof SETTINGS.limits> = {}): DatabaseSync {
	return new DatabaseSync(':memory:', { ...SETTINGS, limits: { ...SETTINGS.limits, ...limits } });
}

/** Opens the file of wrangler's local D1. No other process may have it open. */
export function openSqliteFile(file: string): DatabaseSync {
	return new DatabaseSync(file, SETTINGS);
}

/** Caches the compiled statements of a database by their text. */
export class Statements {
	readonly #sqlite: DatabaseSync;
	readonly #compiled = new Map<string, Compiled>();
	readonly #counters: StatementSync;
	readonly #pages: StatementSync;

	constructor(sqlite: DatabaseSync) {
		this.#sqlite = sqlite;
		this.#counters = sqlite.prepare('SELECT total_changes() AS changes, CAST(last_insert_rowid() AS REAL) AS lastRowId');
		this.#pages = sqlite.prepare(
			'SELECT (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM pragma_freelist_count) AS used, page_size FROM pragma_page_size',
		);
	}

	exec(sql: string): void {
		this.#sqlite.exec(sql);
	}

	of(sql: string, asArrays: boolean): Compiled {
		const key = asArrays ? `[]${sql}` : sql;
		let compiled = this.#compiled.get(key);
		if (!compiled) {
			refuseAsD1(sql);
			const statement = this.#sqlite.prepare(sql);
			if (sql.slice(statement.sourceSQL.length).trim() !== '') throw new Error(ONE_STATEMENT);
			statement.setReturnArrays(asArrays);
			compiled = { statement, columns: statement.columns().map((column) => column.name), parameters: parametersIn(sql) };
			// SQLite runs some pragmas when it compiles them, so they cannot be cached.
			if (!needsTransaction(sql)) this.#compiled.set(key, compiled);
		}
		return compiled;
	}

	/** The rows that have changed since the database was opened, including changes by triggers, and the last inserted id. */
	counters(): Counters {
		const { changes, lastRowId } = this.#counters.get() ?? {};
		return { changes: Number(changes), lastRowId: Number(lastRowId) };
	}

	/** The database's current state as a bookmark in D1's format. */
	bookmark(): string {
		return `00000000-${this.counters().changes.toString(16).padStart(8, '0')}-00000000-${'0'.repeat(32)}`;
	}

	bytes(): number {
		const { used, page_size: pageSize } = this.#pages.get() ?? {};
		return Number(used) * Number(pageSize);
	}
}

interface Counters {
	readonly changes: number;
	readonly lastRowId: number;
}

interface Compiled {
	readonly statement: StatementSync;
	readonly columns: readonly string[];
	readonly parameters: number;
}

const IN_WORKERD = 'Run this test in workerd: npm run test:workerd -- <file>';
const ONE_STATEMENT = `The look-alike runs one statement at a time, where D1 runs all of a text. Send them as a batch. ${IN_WORKERD}`;

/** node:sqlite treats missing values as null; D1 refuses them. */
function parametersIn(sql: string): number {
	let count = 0;
	for (const [text, number] of sql.matchAll(QUOTED_OR_PARAMETER)) {
		if (text.startsWith('?')) count = Math.max(count, number ? Number(number) : count + 1);
	}
	return count;
}

/** Without a gate, every call runs at once. */
export function openD1(statements: Statements, gate: Gate = async (call) => call.run()): D1Database {
	const trips = (through: Gate) => ({
		prepare: (sql: string) => new Prepared(statements, through, sql, []),
		batch: (prepared: readonly Prepared[]) =>
			through({
				statements: prepared.map(({ sql }) => sql),
				isWrite: prepared.some(({ isWrite }) => isWrite),
				run: () => {
					const full = prepared.filter(({ sql }) => !isEmpty(sql));
					if (full.length === 0) throw new Error('D1_ERROR: No SQL statements detected.');
					return inTransaction(statements, () => full.map((statement) => statement.runNow()));
				},
			}),
	});
	const database: unknown = {
		...trips(gate),
		exec: () => Promise.reject(lacking('exec()')),
		dump: () => Promise.reject(lacking('dump()')),
		withSession: (constraint?: string) => {
			const { through, getBookmark } = openSession(() => statements.bookmark(), gate, constraint);
			return { ...trips(through), getBookmark };
		},
	};
	return database as D1Database;
}

function lacking(what: string): Error {
	return new Error(`The look-alike of D1 has no ${what}. ${IN_WORKERD}`);
}

class Prepared {
	readonly sql: string;
	readonly isWrite: boolean;
	readonly #statements: Statements;
	readonly #gate: Gate;
	readonly #params: readonly SQLInputValue[];

	constructor(statements: Statements, gate: Gate, sql: string, params: readonly SQLInputValue[]) {
		this.sql = sql;
		this.isWrite = /^\s*(insert|update|delete|replace)\b/i.test(sql);
		this.#statements = statements;
		this.#gate = gate;
		this.#params = params;
	}

	bind(...params: unknown[]): Prepared {
		return new Prepared(this.#statements, this.#gate, this.sql, params.map(asBound));
	}

	all(): Promise<unknown> {
		return this.#call(() => this.runNow());
	}

	run(): Promise<unknown> {
		return this.all();
	}

	raw(options?: { columnNames?: boolean }): Promise<unknown> {
		return this.#call(() => {
			const { statement, columns } = this.#compile(true);
			const rows: unknown[] = asD1(() => statement.all(...this.#params));
			const read = rows.map((row) => (Array.isArray(row) ? row.map(asRead) : row));
			return options?.columnNames ? [columns, ...read] : read;
		});
	}

	async first(column?: string): Promise<unknown> {
		const { results } = await this.#call(() => this.runNow());
		const row = results[0];
		if (row === undefined) return null;
		if (column === undefined) return row;
		if (!(column in row)) throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`);
		return row[column];
	}

	runNow(): RowsAnswer {
		const before = this.#statements.counters();
		const { statement } = this.#compile(false);
		const results = asD1(() => statement.all(...this.#params)).map(plainRow);
		return { success: true, meta: new Meta(this.#statements, before), results };
	}

	/** Fails if parameters are missing. */
	#compile(asArrays: boolean): Compiled {
		const compiled = asD1(() => this.#statements.of(this.sql, asArrays));
		if (this.#params.length !== compiled.parameters) throw new Error('D1_ERROR: Wrong number of parameter bindings for SQL query.');
		return compiled;
	}

	#call<Result>(runAlone: () => Result): Promise<Result> {
		const run = needsTransaction(this.sql) ? () => inTransaction(this.#statements, runAlone) : runAlone;
		return this.#gate({ statements: [this.sql], isWrite: this.isWrite, run });
	}
}

/** A value as D1 binds it after its transport as JSON. */
function asBound(value: unknown): SQLInputValue {
	if (typeof value === 'boolean') return value ? 1 : 0;
	if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
	// D1 stores half a surrogate pair as three bytes, which node:sqlite cannot bind.
	if (typeof value === 'string' && !value.isWellFormed()) throw lacking('text with half a surrogate pair');
	if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value;
	throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported`);
}

/** A value as D1 returns it, as JSON: a blob is a list of bytes, and an infinite number is null. */
function asRead(value: unknown): unknown {
	if (typeof value === 'number' && !Number.isFinite(value)) return null;
	return value instanceof Uint8Array ? [...value] : value;
}

function plainRow(row: Record<string, unknown>): Record<string, unknown> {
	const plain: Record<string, unknown> = {};
	for (const column in row) plain[column] = asRead(row[column]);
	return plain;
}

interface RowsAnswer {
	readonly success: true;
	readonly results: readonly Record<string, unknown>[];
	readonly meta: Meta;
}

/** Reading a count that SQLite does not provide throws, because `undefined` could pass for 0. */
class Meta {
	readonly served_by = 'look-alike';
	readonly duration = 0;
	readonly changes: number;
	readonly last_row_id: number;
	readonly #statements: Statements;

	constructor(statements: Statements, before: Counters) {
		const { changes, lastRowId } = statements.counters();
		this.changes = changes - before.changes;
		this.last_row_id = lastRowId;
		this.#statements = statements;
	}

	get size_after(): number {
		return this.#statements.bytes();
	}

	get changed_db(): boolean {
		throw lacking('meta.changed_db');
	}

	get rows_read(): number {
		throw lacking('meta.rows_read');
	}

	get rows_written(): number {
		throw lacking('meta.rows_written');
	}
}

/** A savepoint, because the simulation can undo a history by an enclosing transaction. */
function inTransaction<Result>(statements: Statements, work: () => Result): Result {
	statements.exec('SAVEPOINT batch');
	try {
		const result = work();
		statements.exec('RELEASE batch');
		return result;
	} catch (error) {
		statements.exec('ROLLBACK TO batch; RELEASE batch');
		throw error;
	}
}
