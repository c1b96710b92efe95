import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { migrationFiles } from '../migrations.ts';

// A look-alike of D1 over node:sqlite, in memory. What of D1 matters to money: a batch is one transaction, an error rolls all of
// it back and reads like D1's, numbers bind as REAL, at most 100 parameters, foreign keys are on.

/** One trip to the database: a statement, or a batch. It runs when the gate lets it. */
export interface Call<Answer = unknown> {
	readonly statements: readonly string[];
	readonly isWrite: boolean;
	readonly run: () => Answer;
}

/** Decides when and whether a call runs, and what its caller is told of it. */
export type Gate = <Answer>(call: Call<Answer>) => Promise<Answer>;

/** D1's settings of SQLite, as compare/ found them; the last two as D1 documents them, as the local one allows more. */
const SETTINGS = {
	enableForeignKeyConstraints: true,
	enableDoubleQuotedStringLiterals: true,
	limits: { variableNumber: 100, likePatternLength: 50, functionArg: 32, length: 2_000_000 },
};

/** An empty database with the service's tables and triggers. `rewrite` may change a migration before it is applied. */
export function openSqlite(rewrite?: (file: string, sql: string) => string): DatabaseSync {
	const sqlite = openEmptySqlite();
	for (const statement of migrationFiles(rewrite).flatMap(({ statements }) => statements)) sqlite.exec(statement);
	return sqlite;
}

/** Without tables. `limits` take the place of D1's own. */
export function openEmptySqlite(limits: Partial<typeof SETTINGS.limits> = {}): DatabaseSync {
	return new DatabaseSync(':memory:', { ...SETTINGS, limits: { ...SETTINGS.limits, ...limits } });
}

/** What the local D1 of wrangler keeps in a file, while nobody else has it open. */
export function openSqliteFile(file: string): DatabaseSync {
	return new DatabaseSync(file, SETTINGS);
}

/** Statements of one database by their text: SQLite compiles each once. */
export class Statements {
	readonly #sqlite: DatabaseSync;
	readonly #compiled = new Map<string, Compiled>();

	constructor(sqlite: DatabaseSync) {
		this.#sqlite = sqlite;
	}

	exec(sql: string): void {
		this.#sqlite.exec(sql);
	}

	of(sql: string, asArrays: boolean): Compiled {
		const key = asArrays ? `[]${sql}` : sql;
		let compiled = this.#compiled.get(key);
		if (!compiled) {
			const statement = this.#sqlite.prepare(sql);
			statement.setReturnArrays(asArrays);
			compiled = { statement, columns: statement.columns().map((column) => column.name), parameters: parametersIn(sql) };
			this.#compiled.set(key, compiled);
		}
		return compiled;
	}
}

interface Compiled {
	readonly statement: StatementSync;
	readonly columns: readonly string[];
	readonly parameters: number;
}

const QUOTED_OR_PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?(\d*)/g;

/** How many values a statement takes. node:sqlite takes fewer for nulls; D1 refuses them. */
function parametersIn(sql: string): number {
	let count = 0;
	for (const [text, number] of sql.matchAll(QUOTED_OR_PARAMETER)) {
		if (text.startsWith('?')) count = Math.max(count, number ? Number(number) : count + 1);
	}
	return count;
}

/** The binding that a Worker would have. Without a gate every call runs at once. */
export function openD1(statements: Statements, gate: Gate = async (call) => call.run()): D1Database {
	const database: unknown = {
		prepare: (sql: string) => new Prepared(statements, gate, sql, []),
		batch: (prepared: readonly Prepared[]) =>
			gate({
				statements: prepared.map(({ sql }) => sql),
				isWrite: prepared.some(({ isWrite }) => isWrite),
				run: () => {
					if (prepared.length === 0) throw new Error('D1_ERROR: No SQL statements detected.');
					return inTransaction(statements, () => prepared.map((statement) => statement.runNow()));
				},
			}),
		exec: () => Promise.reject(new Error('The look-alike has no exec()')),
		dump: () => Promise.reject(new Error('The look-alike has no dump()')),
		withSession: () => {
			throw new Error('The look-alike has no sessions');
		},
	};
	return database as D1Database;
}

const TRANSACTION = /^\s*(begin|savepoint|commit|end|release|rollback)\b/i;
const NO_TRANSACTION =
	'D1_ERROR: To execute a transaction, please use the state.storage.transaction() or state.storage.transactionSync() APIs instead of the SQL BEGIN TRANSACTION or SAVEPOINT statements.';

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
			const rows = speaking(() => statement.all(...this.#params));
			return options?.columnNames ? [columns, ...rows] : rows;
		});
	}

	async first(column?: string): Promise<unknown> {
		const { results } = await this.#call(() => this.runNow());
		const row = results[0];
		return row === undefined ? null : column === undefined ? row : row[column];
	}

	runNow(): RowsAnswer {
		const { statement, columns } = this.#compile(false);
		return speaking(() => {
			if (columns.length > 0) return answerOf(statement.all(...this.#params), 0, 0);
			const { changes, lastInsertRowid } = statement.run(...this.#params);
			return answerOf([], Number(changes), Number(lastInsertRowid));
		});
	}

	/** Compiled, where its parameters are all there. */
	#compile(asArrays: boolean): Compiled {
		if (TRANSACTION.test(this.sql)) throw new Error(NO_TRANSACTION);
		const compiled = speaking(() => this.#statements.of(this.sql, asArrays));
		if (this.#params.length !== compiled.parameters) throw new Error('D1_ERROR: Wrong number of parameter bindings for SQL query.');
		return compiled;
	}

	#call<Result>(run: () => Result): Promise<Result> {
		return this.#gate({ statements: [this.sql], isWrite: this.isWrite, run });
	}
}

/** A value as D1 takes it. Values travel to it as JSON. */
function asBound(value: unknown): SQLInputValue {
	if (typeof value === 'boolean') return value ? 1 : 0;
	if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
	if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value;
	throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported`);
}

interface RowsAnswer {
	readonly success: true;
	readonly results: readonly Record<string, unknown>[];
	readonly meta: Record<string, unknown>;
}

function answerOf(results: Record<string, unknown>[], changes: number, lastRowId: number): RowsAnswer {
	return {
		success: true,
		results,
		meta: { changes, last_row_id: lastRowId, changed_db: changes > 0, duration: 0, served_by: 'look-alike' },
	};
}

/** A savepoint, so that it nests in the transaction that a history is undone with. */
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

/** SQLite's errors in D1's words. */
function speaking<Result>(work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof Error) || !('errcode' in error)) throw error;
		throw new Error(`D1_ERROR: ${error.message}: ${nameOf(Number(error.errcode))}`, { cause: error });
	}
}

const CONSTRAINTS: Readonly<Record<number, string>> = {
	275: 'CHECK',
	787: 'FOREIGNKEY',
	1299: 'NOTNULL',
	1555: 'PRIMARYKEY',
	1811: 'TRIGGER',
	2067: 'UNIQUE',
	2579: 'ROWID',
	3091: 'DATATYPE',
};

function nameOf(code: number): string {
	if ((code & 0xff) !== 19) return 'SQLITE_ERROR';
	const extended = CONSTRAINTS[code];
	return extended === undefined ? 'SQLITE_CONSTRAINT' : `SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${extended})`;
}
