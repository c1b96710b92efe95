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
// Sends the same statements to the look-alike of D1 and to workerd's D1: each limit, function and pragma, random SQL on scratch tables,
// then the service's own under load. Exits with 1 if a result, an error or a table differs.

const options = readOptions();
/** Only a few, because the first difference causes others. */
const DIFFERENCES_SHOWN = 3;
const STEPS = 5;
/** Runs at least this many random operations, even if a busy machine needs longer. */
const ENOUGH = 250;
/** The rest of the time is for the service's own statements. */
const SHARE_OF_RANDOM = 0.5;

const started = performance.now();
const isOver = (share: number) => performance.now() - started > options.seconds * 1_000 * share;
const d1 = await openRealD1();
// The local D1 accepts 127 function arguments, although D1 documents 32.
const sqlite = openEmptySqlite({ functionArg: 127 });
const twin = new Twin(d1.db, openD1(new Statements(sqlite)));
const hasDifference = () => twin.differences.length > 0;

// Not compared, because until the first insert D1 writes metadata that changes last_row_id.
for (const sql of SCRATCH) await Promise.all([twin.d1, twin.lookAlike].map((db) => db.prepare(sql).run()));
for (const { sql, params } of bordersOf())
	await settled(
		twin.binding
			.prepare(sql)
			.bind(...params)
			.all(),
	);
for (const batch of EMPTY_IN_BATCHES) await settled(twin.binding.batch(batch.map((sql) => twin.binding.prepare(sql))));
for (const sql of vocabularyOf(sqlite)) await twin.compareWhetherItRuns(sql);
const borders = twin.calls;
const operations = hasDifference() ? 0 : await runRandomly(new Random(options.seed), options.operations);
const [randomCalls, randomFailures] = [twin.calls - borders, twin.failures];
const answered = hasDifference() ? [] : await useService();
const { tables, rows, differing } = await differingTables(twin);
await d1.stop();

const unexpected = answered.filter(({ isWanted }) => !isWanted).map(({ text }) => text);
const problems = [
	...twin.differences
		.slice(0, DIFFERENCES_SHOWN)
		.map(
			({ query, d1: real, lookAlike }) =>
				`${query.slice(0, 1_000)}\n  D1:         ${real.slice(0, 500)}\n  look-alike: ${lookAlike.slice(0, 500)}`,
		),
	...unexpected.slice(0, DIFFERENCES_SHOWN).map((text) => `The service answered ${text}`),
	...differing.map((table) => `Table ${table} differs`),
];
for (const problem of problems) console.log(problem);
console.log(
	`Seed ${options.seed}: ${borders} checks of limits, functions and pragmas, ${operations} random operations in ${randomCalls} calls, ` +
		`${twin.calls - borders - randomCalls} calls of the service for ${answered.length} answers, ${twin.failures} calls refused (${randomFailures} of them random SQL); ` +
		`${tables} tables with ${rows} rows: ${twin.differences.length + differing.length} differences, ${((performance.now() - started) / 1_000).toFixed(1)} s.`,
);
if (problems.length > 0) {
	console.log(`FAILED. Make testing/d1/ answer as D1 does. Again: npm run simulate:compare -- --seed ${options.seed}`);
	process.exitCode = 1;
}

async function settled(call: Promise<unknown>): Promise<void> {
	await call.catch(() => undefined);
}

/** Returns how many operations ran within the time. */
async function runRandomly(random: Random, most: number): Promise<number> {
	const db = twin.binding;
	const statement = () => {
		const { sql, params } = randomStatement(random);
		return db.prepare(sql).bind(...params);
	};
	const ways = [
		{ weight: 8, run: () => db.batch(Array.from({ length: random.between(0, 5) }, statement)) },
		{ weight: 4, run: () => statement().all() },
		{ weight: 4, run: () => statement().run() },
		{ weight: 1, run: () => statement().raw() },
		{ weight: 1, run: () => statement().raw({ columnNames: true }) },
		{ weight: 1, run: () => statement().first() },
		{ weight: 1, run: () => statement().first(random.pick(['answer', 'id'])) },
	];
	for (let operation = 0; operation < most; operation += 1) {
		if (hasDifference() || (operation >= ENOUGH && isOver(SHARE_OF_RANDOM))) return operation;
		await settled(random.weighted(ways).run());
	}
	return most;
}

/** Returns the service's responses, and whether each was expected. */
async function useService(): Promise<{ readonly isWanted: boolean; readonly text: string }[]> {
	await migrate(twin.binding);
	// The service's log adds nothing, because failures show in the responses.
	for (const level of ['info', 'warn', 'error'] as const) console[level] = () => undefined;
	const { intents } = await useProduct(twin.binding, {
		seed: options.seed,
		rounds: options.rounds,
		steps: STEPS,
		enough: () => hasDifference() || isOver(1),
	});
	return intents.flatMap(({ kind, answers }) =>
		answers.map((answer) => ({ isWanted: isExpected(kind, answer), text: `${answer.status}: ${JSON.stringify(answer.body)}` })),
	);
}
