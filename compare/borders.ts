import type { DatabaseSync } from 'node:sqlite';
import { CHAIN } from './random-shapes.ts';
import type { Query } from './random-sql.ts';

// Statements that D1 refuses and SQLite would run. Every run tries each limit, function and pragma, regardless of the seed.

/** A construct that D1 limits. `around` is the largest count that D1 accepts. */
interface Border {
	readonly around: number;
	readonly sql: (count: number) => string;
	readonly params?: (count: number) => readonly unknown[];
}

const repeated = (count: number, text: string, between: string) => Array.from({ length: count }, () => text).join(between);

export const BORDERS: readonly Border[] = [
	{ around: 5, sql: (count) => repeated(count, 'SELECT 1', ' UNION ALL ') },
	{ around: 5, sql: (count) => `SELECT * FROM (${repeated(count, 'SELECT 1', ' UNION ')})` },
	{ around: 600, sql: (count) => `VALUES ${repeated(count, '(1)', ', ')}` },
	{ around: 100, sql: (count) => `SELECT ${repeated(count, '1', ' + ')} AS answer` },
	{ around: 99, sql: (count) => `SELECT 1 AS answer WHERE ${repeated(count, '1 = 1', ' AND ')}` },
	{ around: 99, sql: (count) => `SELECT ${'CASE WHEN 1 THEN '.repeat(count)}1${' END'.repeat(count)} AS answer` },
	{ around: 12, sql: (count) => `SELECT ${'(SELECT '.repeat(count)}1${')'.repeat(count)} AS answer` },
	{ around: 100, sql: (count) => `SELECT ${Array.from({ length: count }, (_, index) => `1 AS c${index}`).join(', ')}` },
	{ around: 127, sql: (count) => `SELECT max(${repeated(count, '1', ', ')}) AS most` },
	{ around: 50, sql: (count) => `SELECT 'a' LIKE '${'x'.repeat(count)}' AS answer` },
	{ around: 50, sql: (count) => `SELECT 'a' GLOB '${'x'.repeat(count)}' AS answer` },
	{
		around: 100,
		sql: (count) => `SELECT 1 AS answer WHERE 1 IN (${repeated(count, '?', ', ')})`,
		params: (count) => Array.from({ length: count }, (_, index) => index),
	},
	{ around: 100_000, sql: (count) => `SELECT length('${'x'.repeat(count - 28)}') AS long_` },
	{ around: 10, sql: (count) => `INSERT INTO scratch_chain_${CHAIN - 1 - count} VALUES (${count})` },
	{
		around: 64,
		sql: (count) => `SELECT 1 AS answer FROM ${Array.from({ length: count }, (_, index) => `(SELECT 1) a${index}`).join(', ')}`,
	},
	{ around: 5, sql: (count) => `INSERT INTO scratch_deep VALUES (${count}) RETURNING x` },
	// A compiled statement may have at most 25,000 steps.
	{ around: 7_000, sql: (count) => `SELECT 1 IN (${repeated(count, '1', ',')}) AS answer` },
	{ around: 9_000, sql: (count) => `SELECT 1 IN (${repeated(count, '1', ',')}) AS answer` },
];

/** Outside a transaction these would take effect, and later statements would no longer be refused. */
const WITHOUT_TRANSACTION = [
	'PRAGMA foreign_keys = OFF',
	'PRAGMA foreign_keys',
	'PRAGMA defer_foreign_keys = ON',
	"INSERT INTO scratch_entries (account_id, amount, operation) VALUES (9999, 1, 'of nobody')",
	'VACUUM',
];

const OTHER = [
	"ATTACH ':memory:' AS other",
	'DETACH main',
	'CREATE TEMP TABLE scratch_temporary (a)',
	'CREATE TABLE _cf_scratch (a)',
	'DELETE FROM sqlite_master',
	'CREATE TABLE sqlite_scratch (a)',
	'SELECT * FROM generate_series(1, 2)',
	'',
	'  \n',
	'-- nothing',
	"SELECT 'sqlite_version()' AS quoted",
];

/** D1 and the look-alike must return the same result for these. */
export function bordersOf(): Query[] {
	return [
		...BORDERS.flatMap(({ around, sql, params }) =>
			[around - 1, around, around + 1].map((count) => ({ sql: sql(count), params: params?.(count) ?? [] })),
		),
		...[...WITHOUT_TRANSACTION, ...OTHER].map((sql) => ({ sql, params: [] })),
	];
}

const OF_A_TABLE = /^(?:foreign_key_list|index_x?info|index_list|table_x?info)$/;

/** One statement for each function and pragma of Node's SQLite. The look-alike must refuse those that D1 refuses. */
export function vocabularyOf(sqlite: DatabaseSync): string[] {
	const functions = sqlite.prepare("SELECT DISTINCT name, narg FROM pragma_function_list WHERE name GLOB '[a-z]*' ORDER BY 1, 2").all();
	const pragmas = sqlite
		.prepare('SELECT name FROM pragma_pragma_list ORDER BY 1')
		.all()
		.map(({ name }) => String(name));
	return [
		...functions.map(({ name, narg }) => `SELECT typeof(${String(name)}(${repeated(Math.abs(Number(narg)), '1', ', ')})) AS answer`),
		...pragmas.flatMap((name) =>
			OF_A_TABLE.test(name)
				? [`PRAGMA ${name}(scratch_deep)`, `SELECT count(*) FROM pragma_${name}('scratch_deep')`]
				: [`PRAGMA ${name}`, `SELECT count(*) FROM pragma_${name}`],
		),
	];
}

/** Batches with empty statements, which D1 skips. Random batches rarely contain them along with valid statements. */
export const EMPTY_IN_BATCHES: readonly (readonly string[])[] = [
	['SELECT 1 AS answer', '', 'SELECT 2 AS answer'],
	['-- nothing', 'INSERT INTO scratch_deep VALUES (1)', ' ;', 'SELECT count(*) AS answer FROM scratch_deep'],
	['', '-- nothing'],
];
