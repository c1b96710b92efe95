import { execFile } from 'node:child_process';
import { parseArgs } from 'node:util';
import { PLANTED_FAULTS } from './planted/planted-faults.ts';
import type { PlantedFault } from './planted/planted-fault.ts';

// npm run simulate:faults -- [--histories 2500] [--fault-rate 0.2] [--seed 0] [--only <part of a name>]
// Runs each planted fault in its own process until it is caught.
// Exits with 1 if one is not caught, unless another layer is known to make it harmless.

const { values } = parseArgs({
	options: {
		histories: { type: 'string' },
		'fault-rate': { type: 'string' },
		seed: { type: 'string' },
		only: { type: 'string' },
		processes: { type: 'string' },
	},
});
const histories = values.histories ?? '2500';
const faultRate = values['fault-rate'] ?? '0.2';
const seed = values.seed ?? '0';

const waiting = PLANTED_FAULTS.filter(({ name }) => name.includes(values.only ?? ''));
const results = await Promise.all(Array.from({ length: Number(values.processes ?? '1') }, work));
const found = results.flat();
const missed = found.filter(({ isAsExpected }) => !isAsExpected);
console.log(
	`${found.length} planted faults, ${found.filter(({ caughtAt }) => caughtAt !== undefined).length} caught, ${missed.length} not as expected`,
);
if (missed.length > 0) process.exitCode = 1;

interface Result {
	readonly caughtAt: string | undefined;
	readonly isAsExpected: boolean;
}

async function work(): Promise<Result[]> {
	const done: Result[] = [];
	for (let fault = waiting.shift(); fault; fault = waiting.shift()) done.push(await hunt(fault));
	return done;
}

async function hunt(fault: PlantedFault): Promise<Result> {
	const output = await simulate(fault);
	const [, caughtAt, invariant] = /Violated in history (\d+): ([^:]*)/.exec(output) ?? [];
	const isHealthy = caughtAt !== undefined || output.includes(`${histories} histories`);
	const isAsExpected = isHealthy && (caughtAt === undefined) === (fault.harmless !== undefined);
	const verdict =
		caughtAt === undefined ? (isHealthy ? 'not caught' : `BROKEN ${output.slice(-600)}`) : `history ${caughtAt}: ${invariant}`;
	console.log(
		`${isAsExpected ? 'ok ' : 'BAD'} | ${fault.name} | ${verdict}${fault.harmless === undefined ? '' : ` (harmless: ${fault.harmless})`}`,
	);
	return { caughtAt, isAsExpected };
}

function simulate({ name, processor, isOnRetirement, theme }: PlantedFault): Promise<string> {
	const main = new URL('main.ts', import.meta.url).pathname;
	const hook = new URL('planted/hook.ts', import.meta.url).href;
	const args = ['--import', hook, main, '--seed', seed, '--histories', histories, '--fault-rate', faultRate, '--quiet', '--no-shrink'];
	if (processor !== undefined) args.push('--processor', processor);
	if (isOnRetirement) args.push('--retirement');
	if (theme !== undefined) args.push('--theme', theme);
	return new Promise((resolve) => {
		execFile(process.execPath, args, { env: { ...process.env, PLANTED_FAULT: name } }, (_error, stdout, stderr) =>
			resolve(stdout + stderr),
		);
	});
}
