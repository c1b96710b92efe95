import { parseArgs } from 'node:util';
import { seedOfCommit } from '../testing/seed-of-commit.ts';

export interface Options {
	readonly seed: number;
	/** Stops after this many seconds, except for the statements that every run must send. */
	readonly seconds: number;
	/** The maximum number of random statements or batches. */
	readonly operations: number;
	/** The maximum number of rounds of the service's clients. */
	readonly rounds: number;
}

export function readOptions(): Options {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string' },
			seconds: { type: 'string', default: '45' },
			operations: { type: 'string', default: '12000' },
			rounds: { type: 'string', default: '30' },
		},
	});
	return {
		seed: values.seed === undefined ? seedOfCommit() : numberIn('--seed', values.seed),
		seconds: numberIn('--seconds', values.seconds),
		operations: numberIn('--operations', values.operations),
		rounds: numberIn('--rounds', values.rounds),
	};
}

function numberIn(name: string, text: string): number {
	const number = Number(text);
	if (text.trim() === '' || !Number.isFinite(number) || number < 0) throw new Error(`${name} must be a number, not "${text}"`);
	return number;
}
