import { parseArgs } from 'node:util';
import { Failure } from '../testing/failure.ts';

export interface Options {
	/** The rows to measure; undefined means all. */
	readonly rows: readonly string[] | undefined;
	readonly connections: readonly number[];
	/** The number of times that each row is measured, alternating with the no-op. Figures are medians. */
	readonly rounds: number;
	/** The fraction of the usual number of requests. */
	readonly scale: number;
	readonly startup: boolean;
	readonly startupOnly: boolean;
	readonly full: boolean;
	/** Time added to each trip to D1, in ms. */
	readonly latencyMs: number | undefined;
	readonly peer: boolean;
	readonly jsonPath: string;
}

export const USAGE = `npm run bench -- [options]
  --short            one round with a tenth of the requests
  --rounds <n>       rounds per row (3)
  --rows <a,b>       only these rows of the table, or none
  --startup          only the cost of the Worker's start
  --connections <n>  numbers of connections (1,16,64)
  --full             also with 1 and 10 million clicks in the database
  --latency <ms>     also with this time added to each trip to D1
  --peer             also Fastify, pg and PostgreSQL, if it is installed
  --json <file>      the file for the figures (bench/results.json)`;

export function readOptions(): Options | undefined {
	const { values } = parseArgs({
		options: {
			help: { type: 'boolean', default: false },
			short: { type: 'boolean', default: false },
			rounds: { type: 'string' },
			rows: { type: 'string' },
			startup: { type: 'boolean', default: false },
			connections: { type: 'string', default: '1,16,64' },
			full: { type: 'boolean', default: false },
			latency: { type: 'string' },
			peer: { type: 'boolean', default: false },
			json: { type: 'string', default: 'bench/results.json' },
		},
	});
	if (values.help) return undefined;
	const rows = values.rows === 'none' ? [] : values.rows?.split(',');
	return {
		rows,
		connections: values.connections.split(',').map((text) => positive('connections', text)),
		rounds: values.rounds === undefined ? (values.short ? 1 : 3) : positive('rounds', values.rounds),
		scale: values.short ? 0.1 : 1,
		startup: values.startup || rows === undefined,
		startupOnly: values.startup,
		full: values.full,
		latencyMs: values.latency === undefined ? undefined : positive('latency', values.latency),
		peer: values.peer,
		jsonPath: values.json,
	};
}

function positive(name: string, text: string): number {
	if (!/^[1-9]\d{0,5}$/.test(text)) throw new Failure(`--${name} must be a whole number from 1 to 999999`);
	return Number(text);
}
