import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, runScript } from '../testing/failure.ts';
import { measureCost, measureDrain, measureLatency, measureLimit, measureRouting, measureRow, measureSlice } from './measure.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { comparePeer } from './peer.ts';
import { makeRows, NOOP, type Row } from './rows.ts';
import { type Service, startService } from './service.ts';
import { measureStartup } from './startup.ts';
import * as table from './table.ts';
import { makeWorld, seedClicks, type World } from './world.ts';

// How fast the service is compared with a Hono Worker that does nothing: `npm run bench`. Only ratios within one run are comparable. The
// options are in options.ts.

const DRAINED_CLICKS = 20_000;
const FULL_STAGES = [1_000_000, 10_000_000];
const FULL_ROWS = ['click-warm', 'sale', 'report'];
const MANY_CONNECTIONS = 64;

const results: Record<string, unknown> = {};

await runScript(async () => {
	const options = readOptions();
	if (!options) {
		console.log(USAGE);
		return 0;
	}
	results['at'] = new Date().toISOString();
	results['commit'] = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
	results['machine'] = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
	const folder = mkdtempSync(join(tmpdir(), 'bench-'));
	try {
		if (options.startup) await startup(folder);
		if (!options.startupOnly) await underLoad(folder, options);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	writeFileSync(options.jsonPath, `${JSON.stringify(results, undefined, '\t')}\n`);
	console.log(`\nWritten to ${options.jsonPath}. Repeat rows with !: other processes were using the machine.`);
	return 0;
});

async function startup(folder: string): Promise<void> {
	const measured = await measureStartup(folder);
	results['startup'] = measured;
	console.log(
		`CPU of the start beyond an empty Hono Worker's: module ${measured.moduleMs.toFixed(0)} ms, first request ${measured.firstRequestMs.toFixed(0)} ms, first request of a person ${measured.firstPersonMs.toFixed(0)} ms\n`,
	);
}

async function underLoad(folder: string, options: Options): Promise<void> {
	const service = await startService(folder);
	try {
		await measureAll(service, options);
		if (options.peer) results['peer'] = await comparePeer(service, folder, options);
	} finally {
		await service.dispose();
	}
}

async function measureAll(service: Service, options: Options): Promise<void> {
	const world = await makeWorld(service);
	const rows = await makeRows(service, world);
	const unknown = options.rows?.find((name) => !rows.some((row) => row.name === name));
	if (unknown !== undefined) throw new Failure(`There is no row ${unknown}. The rows are: ${rows.map((row) => row.name).join(', ')}`);
	const wanted = rows.filter((row) => options.rows?.includes(row.name) ?? true);
	await measureSlice(service, NOOP, MANY_CONNECTIONS, options.scale);

	if (wanted.length > 0) {
		results['rows'] = await tabulate(service, wanted, options.connections, options);
		results['costs'] = await tabulateCosts(service, wanted, options);
	}
	const click = wanted.find((row) => row.name === 'click-warm');
	if (click) await measureQueue(service, click, options);
	if (options.latencyMs !== undefined) results['latency'] = await tabulateLatency(service, rows, options.latencyMs);
	if (options.full) results['full'] = await measureFull(service, world, rows, options);
}

async function tabulate(service: Service, rows: readonly Row[], connections: readonly number[], options: Options) {
	console.log(table.FIGURES_HEAD);
	const pairs = [];
	for (const row of rows) {
		for (const count of connections) {
			const pair = await measureRow(service, row, count, options.rounds, options.scale);
			console.log(table.figuresLines(pair));
			pairs.push(pair);
		}
	}
	return pairs;
}

async function tabulateCosts(service: Service, rows: readonly Row[], options: Options) {
	console.log(`\n${table.COST_HEAD}`);
	const costs = [];
	for (const row of rows) {
		const cost = await measureCost(service, row, options.scale);
		console.log(table.costLine(cost));
		costs.push(cost);
	}
	return costs;
}

async function measureQueue(service: Service, click: Row, options: Options): Promise<void> {
	const drain = await measureDrain(service, click, Math.round(DRAINED_CLICKS * options.scale));
	const limitMicros = await measureLimit(service, click, options.rounds, options.scale);
	results['drain'] = drain;
	const routingMicros = await measureRouting(service, options.rounds, options.scale);
	results['limitMicros'] = limitMicros;
	results['routingMicros'] = routingMicros;
	console.log(
		`\n${table.drainLine(drain)}\nEmulated, and not included above: the rate-limit binding, ${limitMicros.toFixed(0)} us of CPU per call; the routing of static assets, ${routingMicros.toFixed(0)} us per request`,
	);
}

async function tabulateLatency(service: Service, rows: readonly Row[], latencyMs: number) {
	console.log(`\nWith ${latencyMs} ms added to each trip to D1\n${table.LATENCY_HEAD}`);
	const latencies = [];
	for (const row of rows) {
		const latency = await measureLatency(service, row, latencyMs);
		console.log(table.latencyLine(latency));
		latencies.push(latency);
	}
	return latencies;
}

async function measureFull(service: Service, { programId }: World, rows: readonly Row[], options: Options) {
	const stages = [];
	let seeded = 0;
	for (const clicks of FULL_STAGES) {
		await seedClicks(service.sql, programId, seeded, clicks);
		seeded = clicks;
		console.log(`\nWith ${clicks} clicks in the database`);
		const selected = rows.filter(({ name }) => FULL_ROWS.includes(name));
		const pairs = await tabulate(service, selected, [MANY_CONNECTIONS], options);
		stages.push({ clicks, pairs, costs: await tabulateCosts(service, selected, options) });
	}
	return stages;
}
