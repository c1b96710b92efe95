import { parseArgs } from 'node:util';
import { isExpected } from '../crash/journal.ts';
import { openD1, openEmptySqlite, Statements } from '../testing/d1/look-alike.ts';
import { Random } from '../testing/random.ts';
import { migrate } from '../testing/migrations.ts';
import { openLocalD1 } from '../testing/miniflare.ts';
import { useProduct } from './product.ts';
import { randomStatement, SCRATCH } from './random-sql.ts';
import { dump } from './tables.ts';
import { Twin } from './twin.ts';

// npm run simulate:compare -- [--operations 1500] [--rounds 12] [--seed 1]
// The same operations on the simulation's look-alike and on workerd's D1: random SQL on scratch tables, and the service itself
// under load. Exit code 1 where an answer, an error or a table differs.

const { values } = parseArgs({
	options: {
		operations: { type: 'string', default: '1500' },
		rounds: { type: 'string', default: '12' },
		seed: { type: 'string', default: '1' },
	},
});
// The first one leads to others.
const DIFFERENCES_SHOWN = 3;
const STEPS = 5;

const started = performance.now();
const d1 = await openLocalD1();
// The local D1 takes as many arguments as parameters.
const twin = new Twin(d1.db, openD1(new Statements(openEmptySqlite({ functionArg: 100 }))));

await migrate(twin.binding);
for (const sql of SCRATCH) await twin.binding.prepare(sql).run();

await askAtRandom(new Random(Number(values.seed)), Number(values.operations));
const [randomTrips, randomFailures] = [twin.trips, twin.failures];
silenceWorker();
const journal = await useProduct(twin.binding, Number(values.seed), Number(values.rounds), STEPS);

const [real, alike] = [await dump(twin.d1), await dump(twin.lookAlike)];
const tables = [...new Set([...real.keys(), ...alike.keys()])];
const differing = tables.filter((table) => JSON.stringify(real.get(table)) !== JSON.stringify(alike.get(table)));
const rows = [...real.values()].reduce((sum, { length }) => sum + length, 0);
const unexpected = journal.intents.flatMap(({ kind, answers }) => answers.filter((answer) => !isExpected(kind, answer)));
await d1.stop();

for (const { asked, d1: told, lookAlike } of twin.differences.slice(0, DIFFERENCES_SHOWN))
	console.log(`${asked}\n  D1:         ${told}\n  look-alike: ${lookAlike}`);
for (const { status, body } of unexpected.slice(0, DIFFERENCES_SHOWN))
	console.log(`The service answered ${status}: ${JSON.stringify(body)}`);
for (const table of differing) console.log(`Table ${table} differs`);
console.log(
	`Seed ${values.seed}: ${randomTrips} random operations (${randomFailures} of them refused), ${twin.trips - randomTrips} trips of the service ` +
		`(${twin.failures - randomFailures} refused) for ${journal.intents.length} writes, ${tables.length} tables with ${rows} rows: ` +
		`${twin.differences.length + differing.length} differences, ${((performance.now() - started) / 1_000).toFixed(1)} s.`,
);
if (twin.differences.length + differing.length + unexpected.length > 0) process.exitCode = 1;

/** Its log lines tell nothing here: what goes wrong shows in the answers. */
function silenceWorker(): void {
	for (const level of ['info', 'warn', 'error'] as const) console[level] = () => undefined;
}

/** Statements alone and in batches, read in each of the ways that a driver has. */
async function askAtRandom(random: Random, operations: number): Promise<void> {
	const db = twin.binding;
	const statement = () => {
		const { sql, params } = randomStatement(random);
		return db.prepare(sql).bind(...params);
	};
	for (let operation = 1; operation <= operations; operation += 1) {
		const roll = random.below(10);
		const answered =
			roll < 4
				? db.batch(Array.from({ length: random.between(0, 5) }, statement))
				: roll < 6
					? statement().all()
					: roll < 8
						? statement().run()
						: roll < 9
							? statement().raw()
							: statement().first();
		await answered.catch(() => undefined);
	}
}
