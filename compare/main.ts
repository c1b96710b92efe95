import { isExpected } from '../crash/journal.ts';
import { openD1, openEmptySqlite, Statements } from '../testing/d1/look-alike.ts';
import { migrate } from '../testing/migrations.ts';
import { Random } from '../testing/random.ts';
import { bordersOf, EMPTY_IN_BATCHES, vocabularyOf } from './borders.ts';
import { readOptions } from './options.ts';
import { useProduct } from './product.ts';
import { randomStatement, SCRATCH } from './random-sql.ts';
import { openRealD1 } from './real-d1.ts';
import { differingTables } from './tables.ts';
import { Twin } from './twin.ts';

// npm run simulate:compare -- [--seconds 45] [--seed <that of the commit>] [--operations 12000] [--rounds 30]
// Asks the look-alike of D1 and workerd's D1 the same: each limit, function and pragma, random SQL on scratch tables, then the
// service itself under load. Exits with 1 if an answer, an error or a table differs.

const options = readOptions();
/** The first difference leads to others. */
const DIFFERENCES_SHOWN = 3;
const STEPS = 5;
/** Fewer random operations prove too little: they have the time that they take, on a busy machine too. */
const ENOUGH = 250;
/** The service takes the rest of the time. */
const SHARE_OF_RANDOM = 0.5;

const started = performance.now();
const isOver = (share: number) => performance.now() - started > options.seconds * 1_000 * share;
const d1 = await openRealD1();
// The local D1 takes 127 arguments, where D1 documents 32.
const sqlite = openEmptySqlite({ functionArg: 127 });
const twin = new Twin(d1.db, openD1(new Statements(sqlite)));
const hasDifference = () => twin.differences.length > 0;

// Unasked, until a first insert: D1 notes something of its own meanwhile, and last_row_id says so.
for (const sql of SCRATCH) await Promise.all([twin.d1, twin.lookAlike].map((db) => db.prepare(sql).run()));
for (const { sql, params } of bordersOf())
	await settled(
		twin.binding
			.prepare(sql)
			.bind(...params)
			.all(),
	);
for (const batch of EMPTY_IN_BATCHES) await settled(twin.binding.batch(batch.map((sql) => twin.binding.prepare(sql))));
for (const sql of vocabularyOf(sqlite)) await twin.askWhetherItRuns(sql);
const borders = twin.trips;
const operations = hasDifference() ? 0 : await askAtRandom(new Random(options.seed), options.operations);
const [randomTrips, randomFailures] = [twin.trips - borders, twin.failures];
const answered = hasDifference() ? [] : await useService();
const { tables, rows, differing } = await differingTables(twin);
await d1.stop();

const unexpected = answered.filter(({ isWanted }) => !isWanted).map(({ told }) => told);
const problems = [
	...twin.differences
		.slice(0, DIFFERENCES_SHOWN)
		.map(
			({ asked, d1: real, lookAlike }) =>
				`${asked.slice(0, 1_000)}\n  D1:         ${real.slice(0, 500)}\n  look-alike: ${lookAlike.slice(0, 500)}`,
		),
	...unexpected.slice(0, DIFFERENCES_SHOWN).map((told) => `The service answered ${told}`),
	...differing.map((table) => `Table ${table} differs`),
];
for (const problem of problems) console.log(problem);
console.log(
	`Seed ${options.seed}: ${borders} questions about limits, functions and pragmas, ${operations} random operations in ${randomTrips} trips, ` +
		`${twin.trips - borders - randomTrips} trips of the service for ${answered.length} answers, ${twin.failures} trips refused (${randomFailures} of the SQL's own); ` +
		`${tables} tables with ${rows} rows: ${twin.differences.length + differing.length} differences, ${((performance.now() - started) / 1_000).toFixed(1)} s.`,
);
if (problems.length > 0) {
	console.log(`FAILED. Make testing/d1/ answer as D1 does. Again: npm run simulate:compare -- --seed ${options.seed}`);
	process.exitCode = 1;
}

async function settled(asking: Promise<unknown>): Promise<void> {
	await asking.catch(() => undefined);
}

/** Statements alone and in batches, read in each of the ways that a driver has. Says how many there was time for. */
async function askAtRandom(random: Random, most: number): Promise<number> {
	const db = twin.binding;
	const statement = () => {
		const { sql, params } = randomStatement(random);
		return db.prepare(sql).bind(...params);
	};
	const ways = [
		{ weight: 8, ask: () => db.batch(Array.from({ length: random.between(0, 5) }, statement)) },
		{ weight: 4, ask: () => statement().all() },
		{ weight: 4, ask: () => statement().run() },
		{ weight: 1, ask: () => statement().raw() },
		{ weight: 1, ask: () => statement().raw({ columnNames: true }) },
		{ weight: 1, ask: () => statement().first() },
		{ weight: 1, ask: () => statement().first(random.pick(['answer', 'id'])) },
	];
	for (let operation = 0; operation < most; operation += 1) {
		if (hasDifference() || (operation >= ENOUGH && isOver(SHARE_OF_RANDOM))) return operation;
		await settled(random.weighted(ways).ask());
	}
	return most;
}

/** The service's own statements; what it answered, and whether that is an answer that it may give. */
async function useService(): Promise<{ readonly isWanted: boolean; readonly told: string }[]> {
	await migrate(twin.binding);
	// Its log lines tell nothing here: what goes wrong shows in the answers.
	for (const level of ['info', 'warn', 'error'] as const) console[level] = () => undefined;
	const { intents } = await useProduct(twin.binding, {
		seed: options.seed,
		rounds: options.rounds,
		steps: STEPS,
		enough: () => hasDifference() || isOver(1),
	});
	return intents.flatMap(({ kind, answers }) =>
		answers.map((answer) => ({ isWanted: isExpected(kind, answer), told: `${answer.status}: ${JSON.stringify(answer.body)}` })),
	);
}
