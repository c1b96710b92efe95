import { parseArgs } from 'node:util';
import { seedOfCommit } from '../testing/seed-of-commit.ts';

export interface Options {
	/** The number of requests per route. */
	readonly requests: number;
	/** Only routes whose `POST /path` contains this. */
	readonly route: string;
	readonly seed: number;
	/** Lists the documented refusals that no request caused. */
	readonly unmet: boolean;
}

export function readOptions(): Options {
	const { values } = parseArgs({
		options: { requests: { type: 'string' }, route: { type: 'string' }, seed: { type: 'string' }, unmet: { type: 'boolean' } },
	});
	return {
		requests: wholeOf(values.requests, 10_000),
		route: values.route ?? '',
		seed: wholeOf(values.seed, seedOfCommit()),
		unmet: values.unmet ?? false,
	};
}

function wholeOf(text: string | undefined, otherwise: number): number {
	const number = Number(text ?? otherwise);
	if (!Number.isSafeInteger(number) || number < 0) throw new Error(`Not a whole number: ${text}`);
	return number;
}
