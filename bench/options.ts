import { parseArgs } from 'node:util';
import { Failure } from '../testing/failure.ts';

export interface Options {
	/** The rows of the table that are asked for; undefined: all. */
	readonly rows: readonly string[] | undefined;
	readonly connections: readonly number[];
	/** How often each row is measured, each time beside the no-op. Figures are the medians. */
	readonly rounds: number;
	/** Of the usual number of requests. */
	readonly scale: number;
	readonly startup: boolean;
	/** Nothing but what a start costs. */
	readonly startupOnly: boolean;
	readonly full: boolean;
	/** ms that each trip to D1 takes longer. */
	readonly latencyMs: number | undefined;
	readonly peer: boolean;
	readonly jsonPath: string;
}

export const USAGE = `npm run bench -- [options]
  --short            one round with a tenth of the requests
  --rounds <n>       rounds per row (3)
  --rows <a,b>       only these rows of the table, or none
  --startup          only what the start of the Worker costs
  --connections <n>  only with so many connections (1,16,64)
  --full             also with 1 and 10 million clicks in the database
  --latency <ms>     also with so much more time for each trip to D1
  --peer             also Fastify, pg and PostgreSQL, where it is installed
  --json <file>      where the figures go (bench/results.json)`;

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
	if (!/^[1-9]\d{0,5}$/.test(text)) throw new Failure(`--${name} takes whole numbers from 1 up`);
	return Number(text);
}
