import { spawn } from 'node:child_process';
import type { Options } from './options.ts';

/** Each process prints its failures. Returns true if there are none. */
export async function runInProcesses(options: Options, firstSeed: number): Promise<boolean> {
	const { processes, histories } = options;
	const share = Math.ceil(histories / processes);
	const runs = Array.from({ length: processes }, (_, index) => {
		const begun = index * share;
		return run(options, firstSeed + begun, Math.max(0, Math.min(share, histories - begun)));
	});
	return (await Promise.all(runs)).every((code) => code === 0);
}

function run(
	{ faultRate, seconds, isQuiet, shrinks, processor, isOnRetirement, theme }: Options,
	seed: number,
	histories: number,
): Promise<number | null> {
	const args = ['--seed', seed, '--histories', histories, '--fault-rate', faultRate];
	if (seconds !== Infinity) args.push('--seconds', seconds);
	if (processor !== undefined) args.push('--processor', processor);
	if (isOnRetirement) args.push('--retirement');
	if (theme !== undefined) args.push('--theme', theme);
	if (isQuiet) args.push('--quiet');
	if (!shrinks) args.push('--no-shrink');
	const main = `${import.meta.dirname}/main.ts`;
	const child = spawn(process.execPath, [...process.execArgv, main, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
	const said: Buffer[] = [];
	child.stdout.on('data', (piece: Buffer) => void said.push(piece));
	return new Promise((resolve) => {
		child.on('close', (code) => {
			process.stdout.write(Buffer.concat(said));
			resolve(code);
		});
	});
}
