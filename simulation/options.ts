import { parseArgs } from 'node:util';
import { PROCESSORS, type ProcessorName } from './world/account.ts';
import { type Theme, THEMES } from './world/theme.ts';

export interface Options {
	readonly histories: number;
	readonly faultRate: number;
	/** The first seed, or the one to replay. */
	readonly seed: number | undefined;
	/** Runs only these steps of the history, to replay a shortened one. */
	readonly steps: readonly number[] | undefined;
	readonly seconds: number;
	readonly processes: number;
	/** All programs use this processor, and histories focus on it. If undefined, each program gets a random one. */
	readonly processor: ProcessorName | undefined;
	readonly isOnRetirement: boolean;
	/** Every history has this theme. If undefined, each gets a random one. */
	readonly theme: Theme['name'] | undefined;
	/** Omits the list of what happened. */
	readonly isQuiet: boolean;
	readonly shrinks: boolean;
}

export function readOptions(): Options {
	const { values } = parseArgs({
		options: {
			histories: { type: 'string' },
			'fault-rate': { type: 'string' },
			seed: { type: 'string' },
			ops: { type: 'string' },
			seconds: { type: 'string' },
			processes: { type: 'string' },
			processor: { type: 'string' },
			retirement: { type: 'boolean' },
			theme: { type: 'string' },
			quiet: { type: 'boolean' },
			'no-shrink': { type: 'boolean' },
		},
	});
	const seed = values.seed === undefined ? undefined : numberIn('--seed', values.seed);
	return {
		histories: values.histories === undefined ? (seed === undefined ? 1_000 : 1) : numberIn('--histories', values.histories),
		faultRate: numberIn('--fault-rate', values['fault-rate'] ?? '0.1'),
		seed,
		steps: values.ops?.split(',').map((step) => numberIn('--ops', step)),
		seconds: values.seconds === undefined ? Infinity : numberIn('--seconds', values.seconds),
		processes: numberIn('--processes', values.processes ?? '1'),
		processor: values.processor === undefined ? undefined : processorIn(values.processor),
		isOnRetirement: values.retirement ?? false,
		theme: values.theme === undefined ? undefined : themeIn(values.theme),
		isQuiet: values.quiet ?? false,
		shrinks: values['no-shrink'] !== true,
	};
}

function processorIn(text: string): ProcessorName {
	const name = PROCESSORS.find((each) => each === text);
	if (name === undefined) throw new Error(`--processor must be one of ${PROCESSORS.join(', ')}`);
	return name;
}

function themeIn(text: string): Theme['name'] {
	const theme = THEMES.find(({ name }) => name === text);
	if (theme === undefined) throw new Error(`--theme must be one of ${THEMES.map(({ name }) => name).join(', ')}`);
	return theme.name;
}

function numberIn(name: string, text: string): number {
	const number = Number(text);
	if (text.trim() === '' || !Number.isFinite(number) || number < 0) throw new Error(`${name} must be a number, not "${text}"`);
	return number;
}
