import { parseArgs } from 'node:util';
import { isPlant, type Plant, PLANTS } from './plants.ts';

export interface Options {
	readonly rounds: number;
	/** Rounds are added until this many writes have been acknowledged. */
	readonly writes: number;
	readonly seed: number;
	readonly plant: Plant | undefined;
}

/** CI runs `--short`. */
export function readOptions(): Options {
	const { values } = parseArgs({
		options: {
			rounds: { type: 'string' },
			writes: { type: 'string' },
			seed: { type: 'string' },
			plant: { type: 'string' },
			short: { type: 'boolean', default: false },
		},
	});
	const { plant, short } = values;
	if (plant !== undefined && !isPlant(plant)) throw new Error(`--plant is one of: ${Object.keys(PLANTS).join(', ')}`);
	return {
		rounds: wholeOf('rounds', values.rounds, short ? 6 : 20),
		writes: wholeOf('writes', values.writes, short ? 200 : 1_000),
		seed: wholeOf('seed', values.seed, Math.trunc(Date.now() / 1000) % 100_000),
		plant,
	};
}

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
	if (text === undefined) return otherwise;
	if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} is a whole number`);
	return Number(text);
}
