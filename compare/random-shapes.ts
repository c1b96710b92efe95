import type { Random } from '../testing/random.ts';
import type { Maker } from './random-sql.ts';

// Statements of random shapes: compound, deep and wide selects, RETURNING, nested triggers.

export const CHAIN = 12;

/** Each table has a trigger that inserts into the next table. D1 allows triggers to nest ten deep. */
export const CHAINED_TABLES = [
	...Array.from({ length: CHAIN }, (_, level) => `CREATE TABLE scratch_chain_${level} (x)`),
	...Array.from(
		{ length: CHAIN - 1 },
		(_, level) => `CREATE TRIGGER scratch_chained_${level} AFTER INSERT ON scratch_chain_${level} BEGIN
			INSERT INTO scratch_chain_${level + 1} VALUES (NEW.x); END`,
	),
	// SQLite's recursive triggers are turned off, so this trigger fires only once.
	`CREATE TABLE scratch_deep (x)`,
	`CREATE TRIGGER scratch_deeper AFTER INSERT ON scratch_deep WHEN NEW.x > 0 BEGIN INSERT INTO scratch_deep VALUES (NEW.x - 1); END`,
];

const TERMS = [
	'SELECT id, name FROM scratch_accounts WHERE id < ?1',
	'SELECT account_id, operation FROM scratch_entries WHERE amount > ?1',
	'SELECT k, t FROM scratch_values WHERE k <> ?1',
	'SELECT ?1, NULL',
	"SELECT 1, 'a'",
	"VALUES (1, 'a'), (?1, 2)",
	'SELECT count(*), max(name) FROM scratch_accounts WHERE balance <> ?1',
] as const;

function compound(random: Random): string {
	const count = random.between(2, 7);
	let sql: string = random.pick(TERMS);
	for (let term = 1; term < count; term += 1) {
		sql += ` ${random.pick(['UNION', 'UNION ALL', 'UNION ALL', 'EXCEPT', 'INTERSECT'])} ${random.pick(TERMS)}`;
	}
	return sql;
}

/** Each of these adds one or two levels to an expression. */
const WRAPPERS: readonly ((inner: string) => string)[] = [
	(inner) => `(${inner} + 1)`,
	(inner) => `(1 + ${inner})`,
	(inner) => `abs(${inner})`,
	(inner) => `coalesce(NULL, ${inner})`,
	(inner) => `CASE WHEN ${inner} > 0 THEN 1 ELSE 2 END`,
	(inner) => `(NOT ${inner})`,
	(inner) => `(${inner} || '')`,
	(inner) => `(${inner} IS NOT NULL AND 1)`,
];

function deep(random: Random): string {
	const depth = random.chance(0.5) ? random.between(1, 20) : random.between(90, 101);
	const wrap = random.pick(WRAPPERS);
	const mixes = random.chance(0.3);
	let sql = '?1';
	// No wrapper uses its input twice, because the text would double with each level.
	for (let level = 0; level < depth; level += 1) sql = (mixes ? random.pick(WRAPPERS) : wrap)(sql);
	return sql;
}

const RETURNING: readonly ((random: Random) => string)[] = [
	() => "INSERT INTO scratch_entries (account_id, amount, operation) VALUES (?1, 1, 'r' || ?2), (?1, 2, 's' || ?2) RETURNING id, amount",
	() => 'UPDATE scratch_accounts SET balance = balance + 1 WHERE id BETWEEN ?1 AND ?1 + ?2 RETURNING id, balance, revision',
	() => 'DELETE FROM scratch_values WHERE k BETWEEN ?1 AND ?1 + ?2 RETURNING *',
	() => 'INSERT OR REPLACE INTO scratch_values (k, v) VALUES (?1, ?2), (?1 + 1, ?2) RETURNING k, v, typeof(v)',
	() => 'INSERT OR IGNORE INTO scratch_accounts (id, name) VALUES (?1, ?2) RETURNING *',
	(random) => `INSERT INTO scratch_chain_${random.below(CHAIN)} VALUES (?1), (?2) RETURNING x`,
	() => 'INSERT INTO scratch_deep VALUES (?1), (?2) RETURNING x AS answer',
];

export const SHAPES: readonly Maker[] = [
	{ weight: 8, make: (random) => ({ sql: `SELECT * FROM (${compound(random)}) ORDER BY 1, 2`, params: [random.between(-5, 40)] }) },
	{ weight: 2, make: (random) => ({ sql: `${compound(random)} ORDER BY 1, 2 LIMIT 9`, params: [random.between(-5, 40)] }) },
	{
		weight: 2,
		make: (random) => ({
			sql: `INSERT OR IGNORE INTO scratch_values (k, v) SELECT * FROM (${compound(random)}) WHERE true ORDER BY 1, 2`,
			params: [random.between(-5, 40)],
		}),
	},
	{ weight: 7, make: (random) => ({ sql: `SELECT ${deep(random)} AS answer`, params: [random.between(-3, 3)] }) },
	{
		weight: 2,
		make: (random) => ({ sql: `SELECT id FROM scratch_accounts WHERE ${deep(random)} ORDER BY id`, params: [random.between(-3, 3)] }),
	},
	{
		weight: 2,
		make: (random) => {
			const columns = Array.from({ length: random.between(97, 103) }, (_, index) => `?1 AS c${index}`);
			return { sql: `SELECT ${columns.join(', ')}`, params: [random.between(0, 9)] };
		},
	},
	{ weight: 9, make: (random) => ({ sql: random.pick(RETURNING)(random), params: [random.between(1, 40), random.between(0, 9)] }) },
	{ weight: 6, make: (random) => ({ sql: `INSERT INTO scratch_chain_${random.below(CHAIN)} VALUES (?)`, params: [random.between(0, 9)] }) },
	{ weight: 2, make: (random) => ({ sql: `SELECT count(*) AS rows_, sum(x) FROM scratch_chain_${random.below(CHAIN)}`, params: [] }) },
	{ weight: 3, make: (random) => ({ sql: 'INSERT INTO scratch_deep VALUES (?)', params: [random.between(-1, 5)] }) },
];
