import type { Random } from '../testing/random.ts';
import { CHAINED_TABLES, SHAPES } from './random-shapes.ts';

// Random operations on scratch tables that have every feature of the service's tables: AUTOINCREMENT, UNIQUE, CHECK, NOT NULL, foreign
// keys, triggers that write and triggers that abort.

export const SCRATCH = [
	`CREATE TABLE scratch_accounts (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= -100), revision INTEGER NOT NULL DEFAULT 0)`,
	`CREATE TABLE scratch_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, account_id INTEGER NOT NULL REFERENCES scratch_accounts(id),
		amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer'), operation TEXT NOT NULL, CONSTRAINT scratch_named CHECK (operation <> ''))`,
	`CREATE UNIQUE INDEX scratch_entries_once ON scratch_entries (account_id, operation) WHERE amount >= 0`,
	`CREATE TABLE scratch_values (k INTEGER PRIMARY KEY, v, i INTEGER, r REAL, t TEXT, b BLOB, n NUMERIC)`,
	`CREATE TABLE scratch_strict (i INTEGER, r REAL, t TEXT, b BLOB, a ANY) STRICT`,
	`CREATE TRIGGER scratch_entries_keep BEFORE UPDATE ON scratch_entries BEGIN SELECT RAISE(ABORT, 'scratch_entries: append-only'); END`,
	`CREATE TRIGGER scratch_entries_apply AFTER INSERT ON scratch_entries BEGIN
		UPDATE scratch_accounts SET balance = balance + NEW.amount, revision = revision + 1 WHERE id = NEW.account_id; END`,
	`CREATE TRIGGER scratch_accounts_stay BEFORE DELETE ON scratch_accounts WHEN OLD.balance <> 0 BEGIN SELECT RAISE(ABORT, 'scratch_accounts: stay'); END`,
	`CREATE TRIGGER scratch_accounts_revised BEFORE UPDATE OF name ON scratch_accounts WHEN NEW.revision <> OLD.revision + 1
		BEGIN SELECT RAISE(ABORT, 'stale revision: scratch_accounts'); END`,
	...CHAINED_TABLES,
	'INSERT INTO scratch_deep VALUES (0)',
];

export interface Query {
	readonly sql: string;
	readonly params: readonly unknown[];
}

/** Generates statements of one kind. The weight is its relative frequency. */
export interface Maker {
	readonly weight: number;
	readonly make: (random: Random) => Query;
}

/** A random statement, which may fail. */
export function randomStatement(random: Random): Query {
	const make = random.weighted([...MAKERS, ...SHAPES]).make;
	const query = make(random);
	// Sometimes the number of parameters is wrong.
	if (random.chance(0.03)) return { ...query, params: random.chance(0.5) ? query.params.slice(1) : [...query.params, 1] };
	return query;
}

const SOME_TEXT = ['', 'a', 'B', 'é', 'É', '😀', 'a\u0000b', ' 12 ', '12', '1.0', "it's", '"q"', '%_', 'null', 'x'.repeat(300)];
/** Safe to store. BIG_NUMBERS are never stored, because D1 reads integers beyond 2^53 inexactly and the look-alike refuses them. */
const SOME_NUMBERS = [
	0,
	-0,
	1,
	-1,
	2,
	0.5,
	-0.5,
	1.005,
	99_999_999_999,
	2 ** 31,
	2 ** 40,
	-(2 ** 40),
	1e300,
	1e-300,
	NaN,
	Infinity,
	-Infinity,
];
/** Used only in expressions. */
const BIG_NUMBERS = [2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e18, '9007199254740993', '9223372036854775808'];
const SOME_OTHERS: readonly unknown[] = [null, true, false, undefined, 12n, new Uint8Array([0, 1, 255]), new Uint8Array(), {}, new Date(0)];

function anyValue(random: Random): unknown {
	const roll = random.below(10);
	if (roll < 4) return random.pick(SOME_NUMBERS);
	return roll < 8 ? random.pick(SOME_TEXT) : SOME_OTHERS[random.below(SOME_OTHERS.length)];
}

/** A value that both databases accept. */
function fairValue(random: Random): unknown {
	return random.pick<unknown>([random.between(-50, 50), random.pick(SOME_TEXT), random.pick(SOME_NUMBERS), random.chance(0.5)]);
}

const accountId = (random: Random) => random.between(1, 30);
const nameOf = (random: Random) => (random.chance(0.8) ? `name ${random.below(60)}` : fairValue(random));
const text = (random: Random) => random.pick(SOME_TEXT);

const MAKERS: readonly Maker[] = [
	{
		weight: 8,
		make: (r) => ({ sql: 'INSERT INTO scratch_accounts (name, balance) VALUES (?, ?)', params: [nameOf(r), r.between(-110, 100)] }),
	},
	{ weight: 3, make: (r) => ({ sql: 'INSERT INTO scratch_accounts (name) VALUES (?) RETURNING id, name, balance', params: [nameOf(r)] }) },
	{
		weight: 4,
		make: (r) => ({
			sql: 'INSERT INTO scratch_accounts (name, balance) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET balance = balance + excluded.balance, revision = revision + ?3 RETURNING *',
			params: [nameOf(r), r.between(0, 9), r.below(2)],
		}),
	},
	{
		weight: 12,
		make: (r) => ({
			sql: 'INSERT INTO scratch_entries (account_id, amount, operation) VALUES (?, ?, ?)',
			params: [accountId(r), r.chance(0.9) ? r.between(-60, 60) : anyValue(r), r.chance(0.9) ? `op ${r.below(40)}` : text(r)],
		}),
	},
	{
		weight: 4,
		make: (r) => ({
			sql: `INSERT INTO scratch_entries (account_id, amount, operation)
				SELECT value ->> 0, value ->> 1, ?2 || ':' || key FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
			params: [JSON.stringify(Array.from({ length: r.below(4) }, () => [accountId(r), r.between(-9, 9)])), `list ${r.below(99)}`],
		}),
	},
	{
		weight: 5,
		make: (r) => ({
			sql: 'UPDATE scratch_accounts SET name = ?, revision = ? WHERE id = ? AND revision < ?',
			params: [nameOf(r), r.between(0, 4), accountId(r), r.between(0, 5)],
		}),
	},
	{
		weight: 3,
		make: (r) => ({
			sql: 'UPDATE scratch_accounts SET balance = balance * ? WHERE id IN (SELECT value FROM json_each(?))',
			params: [r.pick([1, 2, 1.5, -1]), JSON.stringify([accountId(r), accountId(r)])],
		}),
	},
	{ weight: 2, make: (r) => ({ sql: 'UPDATE scratch_entries SET amount = ? WHERE id = ?', params: [fairValue(r), r.between(1, 40)] }) },
	{ weight: 3, make: (r) => ({ sql: 'DELETE FROM scratch_accounts WHERE id = ?', params: [accountId(r)] }) },
	{
		weight: 2,
		make: (r) => ({
			sql: 'DELETE FROM scratch_entries WHERE account_id = ? AND amount < ? RETURNING amount',
			params: [accountId(r), r.between(-60, 0)],
		}),
	},
	{
		weight: 10,
		make: (r) => ({
			sql: 'INSERT OR REPLACE INTO scratch_values (k, v, i, r, t, b, n) VALUES (?1, ?2, ?3, ?2, ?3, ?2, ?3)',
			params: [r.between(1, 40), anyValue(r), anyValue(r)],
		}),
	},
	{
		weight: 4,
		make: (r) => ({
			sql: 'INSERT INTO scratch_strict (i, r, t, b, a) VALUES (?1, ?2, ?3, ?4, ?1)',
			params: [fairValue(r), fairValue(r), fairValue(r), fairValue(r)],
		}),
	},
	{
		weight: 8,
		make: (r) => ({
			sql: 'SELECT *, typeof(v), typeof(i), typeof(r), typeof(t), typeof(b), typeof(n) FROM scratch_values WHERE k >= ? ORDER BY k LIMIT ?',
			params: [r.between(1, 40), r.between(0, 9)],
		}),
	},
	{
		weight: 6,
		make: (r) => ({
			sql: `SELECT a.id, a.name, e.amount, sum(e.amount) OVER (PARTITION BY a.id ORDER BY e.id) AS running
				FROM scratch_accounts a LEFT JOIN scratch_entries e ON e.account_id = a.id WHERE a.id <= ? ORDER BY a.id, e.id LIMIT 20`,
			params: [accountId(r)],
		}),
	},
	{
		weight: 3,
		make: (r) => ({
			sql: 'SELECT a.id, e.id FROM scratch_accounts a JOIN scratch_entries e ON e.account_id = a.id WHERE e.amount > ? ORDER BY 1, 2 LIMIT 5',
			params: [fairValue(r)],
		}),
	},
	{
		weight: 14,
		make: (r) => ({
			sql: `SELECT ${r.pick(EXPRESSIONS)} AS answer`,
			params: [r.chance(0.1) ? r.pick(BIG_NUMBERS) : anyValue(r), fairValue(r)],
		}),
	},
	{ weight: 5, make: (r) => ({ sql: r.pick(BAD), params: [] }) },
	{
		weight: 3,
		make: (r) => {
			const count = r.between(98, 103);
			return {
				sql: `SELECT max(${Array.from({ length: count }, () => '?').join(', ')}) AS most`,
				params: Array.from({ length: count }, () => fairValue(r)),
			};
		},
	},
];

const EXPRESSIONS = [
	'?1 + ?2',
	'?1 * ?2',
	'?1 / ?2',
	'?1 % ?2',
	'?1 || ?2',
	'?1 = ?2',
	'?1 < ?2',
	'?1 IS ?2',
	"'x:' || ?1 || ?2",
	'typeof(?1) || typeof(?2)',
	'length(?1) + length(?2)',
	'coalesce(?1, ?2)',
	'nullif(?1, ?2)',
	'quote(?1) || quote(?2)',
	'hex(?1) || hex(?2)',
	'round(?1, 2) || ?2',
	'abs(?1) + ?2',
	'cast(?1 AS INTEGER) || typeof(?2)',
	'cast(?1 AS TEXT) || ?2',
	'cast(?1 AS REAL) + 0 * length(?2)',
	'upper(?1) || lower(?2)',
	'substr(?1, ?2)',
	'replace(?1, ?2, 1)',
	'instr(?1, ?2)',
	'?1 LIKE ?2',
	'?1 GLOB ?2',
	'json_array(?1, ?2)',
	"json_object('a', ?1, 'b', ?2)",
	'json(?1) || ?2',
	"?1 ->> '$' || ?2",
	'iif(?1, ?2, 0)',
	'CASE WHEN ?1 THEN 1 ELSE ?2 END',
	'?1 BETWEEN ?2 AND 5',
	'min(?1, ?2)',
	'max(?1, ?2)',
	'sum(?1) || avg(?2)',
	'group_concat(?1, ?2)',
	"date(?1, 'unixepoch') || ?2",
	'unicode(?1) || char(65) || ?2',
	'printf(?1, ?2)',
	'-?1 || ?2',
	'NOT ?1 OR ?2',
	'(?1 & ?2) || 0',
	"json_extract('[1,2.0,\"3\",true]', '$[' || cast(?1 AS INTEGER) || ']') || ?2",
] as const;

const BAD = [
	'SELEC 1',
	'SELECT * FROM nowhere',
	'SELECT nothing FROM scratch_accounts',
	'INSERT INTO scratch_accounts (nothing) VALUES (1)',
	'INSERT INTO scratch_accounts VALUES (1)',
	'SELECT (',
	"SELECT json('{')",
	'SELECT abs(-9223372036854775808)',
	'CREATE TABLE scratch_accounts (id)',
	'DROP TABLE nowhere',
	'SELECT nowhere()',
	'SELECT "no such column"',
	'BEGIN',
	'SAVEPOINT here',
	'COMMIT',
	'ROLLBACK',
	'',
	'-- nothing',
	'PRAGMA page_count',
	'SELECT sqlite_version()',
	"ATTACH ':memory:' AS other",
	'RELEASE here',
	'INSERT INTO scratch_accounts (id) VALUES (1), (1)',
	'SELECT max()',
	'SELECT 1 ORDER BY 2',
	"SELECT 'a' LIKE 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
	'UPDATE scratch_accounts SET balance = NULL',
	'SELECT ?1 FROM scratch_accounts WHERE id = ?101',
] as const;
