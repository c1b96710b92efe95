// Must be the first import, because it patches the platform before any code of src/ runs.
import './world/platform.ts';
import { historyOf, runHistory, type Step } from './history.ts';
import { type Options, readOptions } from './options.ts';
import { plant } from './planted/planted-fault.ts';
import { plantedHere } from './planted/plant-at-load.ts';
import { PLANTED_FAULTS } from './planted/planted-faults.ts';
import { runInProcesses } from './processes.ts';
import { subSeed } from '../testing/random.ts';
import { seedOfCommit } from '../testing/seed-of-commit.ts';
import { shrink } from './shrink.ts';
import { Ground } from './world/simulation.ts';

// npm run simulate -- [--histories 1000] [--fault-rate 0.1] [--seed 0] [--seconds 60] [--processes 2] [--ops 3,7,9] [--retirement] [--theme debts] [--quiet]
// The default seed comes from the commit.
// Exits with 1 if an invariant is violated; the last lines say which, how, and how to replay it.

const options = readOptions();
const firstSeed = options.seed ?? subSeed(seedOfCommit(), Math.round(options.faultRate * 1000));
if (options.processes > 1) process.exit((await runInProcesses(options, firstSeed)) ? 0 : 1);
const counts = new Map<string, number>();
const planted = plantedHere(PLANTED_FAULTS);
const ground = new Ground(planted && ((file, sql) => plant(planted, file, sql)));
const started = performance.now();
const secondsGone = () => (performance.now() - started) / 1000;

let histories = 0;
let steps = 0;
for (let seed = firstSeed; seed < firstSeed + options.histories && secondsGone() < options.seconds; seed += 1) {
	const history = historyOf(seed, options);
	const planned = { ...history, steps: history.steps.filter(({ index }) => options.steps?.includes(index) ?? true) };
	const outcome = await runHistory(ground, planned, options.faultRate);
	histories += 1;
	steps += outcome.steps;
	for (const [what, count] of outcome.counts) counts.set(what, (counts.get(what) ?? 0) + count);
	if (!outcome.failure) continue;
	console.log(`Violated in history ${histories}: ${outcome.failure.detail}`);
	process.exitCode = 1;
	if (!options.shrinks) break;
	const shrunken = await shrink(ground, planned, options.faultRate, outcome.failure);
	console.log(`\nShrunken from ${planned.steps.length} to ${shrunken.steps.length} steps: ${shrunken.failure.detail}`);
	for (const line of shrunken.failure.transcript) console.log(`  ${line}`);
	console.log(`\nReplay: ${replayOf(options, seed, shrunken.steps)}`);
	break;
}

const seconds = secondsGone();
if (!options.isQuiet)
	for (const [what, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(`${String(count).padStart(8)}  ${what}`);
const faults = [...counts].filter(([what]) => what.startsWith('fault: ')).reduce((sum, [, count]) => sum + count, 0);
console.log(
	`${histories} histories, ${steps} steps, ${faults} faults injected at rate ${options.faultRate}, ${process.exitCode === 1 ? 1 : 0} violations, ` +
		`${seconds.toFixed(1)} s (${(histories / seconds).toFixed(0)} histories/s)`,
);
if (options.steps === undefined)
	console.log(
		`Again: npm run simulate -- --seed ${firstSeed} --fault-rate ${options.faultRate}${focusOf(options)} --histories ${histories}`,
	);

function replayOf(focus: Options, seed: number, kept: readonly Step[]): string {
	const indices = kept.map(({ index }) => index).join(',');
	return `npm run simulate -- --seed ${seed} --fault-rate ${focus.faultRate}${focusOf(focus)} --ops ${indices}`;
}

function focusOf({ processor, isOnRetirement, theme }: Options): string {
	const parts = [processor && ` --processor ${processor}`, isOnRetirement && ' --retirement', theme && ` --theme ${theme}`];
	return parts.filter(Boolean).join('');
}
