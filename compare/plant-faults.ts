import { execFile } from 'node:child_process';
import { parseArgs } from 'node:util';
import { seedOfCommit } from '../testing/seed-of-commit.ts';
import { FAULTS_OF_THE_LOOK_ALIKE } from './planted/faults.ts';

// npm run simulate:compare:faults -- [--only <part of a name>] [--seed <that of the commit>]
// Plants one fault at a time in the look-alike of D1 and runs `npm run simulate:compare`, which must find it.
// Exits with 1 if one is missed.

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, seed: { type: 'string' } } });
const seed = values.seed ?? String(seedOfCommit());
const faults = FAULTS_OF_THE_LOOK_ALIKE.filter(({ name }) => name.includes(values.only));
let missed = 0;

for (const { name } of faults) {
	const output = await compareWith(name);
	// If a run crashed, it has compared nothing.
	const isCaught = output.includes(' differences, ') && output.includes('FAILED.');
	if (!isCaught) missed += 1;
	const [, differences] = /(\d+) differences/.exec(output) ?? [];
	console.log(
		`${isCaught ? 'ok ' : 'BAD'} | ${name} | ${differences === undefined ? `BROKEN ${output.slice(-600)}` : `${differences} differences`}`,
	);
}
console.log(`Seed ${seed}: ${faults.length} planted faults, ${faults.length - missed} caught`);
if (missed > 0) process.exitCode = 1;

function compareWith(name: string): Promise<string> {
	const main = new URL('main.ts', import.meta.url).pathname;
	const hook = new URL('planted/hook.ts', import.meta.url).href;
	return new Promise((resolve) => {
		execFile(
			process.execPath,
			['--import', hook, main, '--seed', seed],
			{ env: { ...process.env, PLANTED_FAULT: name } },
			(_error, stdout, stderr) => resolve(stdout + stderr),
		);
	});
}
