import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from '../testing/failure.ts';
import { BILL_HEAD, billLine, restLine, statementLines, verificationLine } from './bill.ts';
import { modelLines } from './load-model.ts';
import { GIGABYTE_MONTH, LOOKED_UP } from './prices.ts';
import { makeRows, type Row, storedClicksOf } from './rows.ts';
import { type Service, startService } from './service.ts';
import { measureRest, measureStatements, measureUsage, measureVerification } from './usage.ts';
import { makeWorld, type World } from './world.ts';

// What the service costs: `npm run cost`. The deployed build runs on a local D1; crons run manually, and messages are delivered manually in
// the batch sizes of wrangler.toml. The usage of each operation is multiplied by Cloudflare's prices.

/** The benchmark's rows, with the names used here. */
const OPERATIONS = {
	'click-warm': 'click',
	lead: 'lead',
	sale: 'sale',
	refund: 'refund',
	webhook: 'Stripe sale',
	'webhook-ids': 'Stripe, other event',
	report: 'report, 90 days',
};
const USAGE = `npm run cost -- [options]
  --statements  the rows that each statement of a single operation reads and writes
  --model       the cost of a month by number of clicks and programs, with and without retention`;
const BURST = 50;
const TIMES = { alone: 4, burst: 2 };
/** Large enough to show the size of one operation, although the database grows by whole pages. */
const MODEL_BURST = 500;

await runScript(async () => {
	const option = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({ options: { help: option, statements: option, model: option } });
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	const folder = mkdtempSync(join(tmpdir(), 'cost-'));
	const service = await startService(folder);
	try {
		await service.set({ isHeld: true });
		const world = await makeWorld(service);
		const made = await makeRows(service, world, storedClicksOf(service, world));
		const rows = Object.entries(OPERATIONS).flatMap(([row, name]) =>
			made.filter((one) => one.name === row).map((one) => ({ ...one, name })),
		);
		if (values.model) await printModel(service, rows);
		else if (values.statements) await printStatements(service, rows);
		else await printCosts(service, world, rows);
	} finally {
		await service.dispose();
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
});

async function printCosts(service: Service, world: World, rows: readonly Row[]): Promise<void> {
	console.log(
		`Dollars per million operations, at Cloudflare's prices of ${LOOKED_UP} (bench/prices.ts), beyond the usage that the monthly fee includes.`,
	);
	console.log('Everything is counted except CPU, which is measured for all of workerd with the emulated D1: more than Cloudflare bills.');
	for (const [title, burst, times] of [
		['Single operations', 1, TIMES.alone],
		[`In bursts of ${BURST}`, BURST, TIMES.burst],
	] as const) {
		console.log(`\n${title}\n${BILL_HEAD}`);
		for (const row of rows) console.log(billLine(row.name, await measureUsage(service, row, burst, times)));
	}
	console.log(
		`\nEach KB stored per operation adds $${GIGABYTE_MONTH} a month per million operations. Single operations show only whole pages of 4 KB.`,
	);
	for (const row of rows.slice(0, 3))
		console.log(verificationLine(row.name, await measureVerification(service, row, world.programId, BURST)));
	console.log(restLine(await measureRest(service, BURST)));
}

async function printModel(service: Service, rows: readonly Row[]): Promise<void> {
	const measureAll = async (burst: number) => {
		const measure = (name: string) => {
			const row = rows.find((one) => one.name === name);
			if (!row) throw new Error(`There is no row for ${name}`);
			return measureUsage(service, row, burst, burst === 1 ? TIMES.alone : 1);
		};
		return { click: await measure('click'), lead: await measure('lead'), sale: await measure('sale'), refund: await measure('refund') };
	};
	console.log(modelLines({ inBursts: await measureAll(MODEL_BURST), alone: await measureAll(1) }));
}

async function printStatements(service: Service, rows: readonly Row[]): Promise<void> {
	for (const row of rows) console.log(statementLines(row.name, await measureStatements(service, row)));
}
