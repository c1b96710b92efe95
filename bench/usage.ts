import type { StatementCost } from '../testing/d1/metered.ts';
import { preciseCpuOf } from './cpu.ts';
import type { Usage } from './dollars.ts';
import { applyLoad } from './load.ts';
import { OPERATIONS_PER_MESSAGE } from './prices.ts';
import type { Row } from './rows.ts';
import type { Service } from './service.ts';

// The usage of an operation until all its work is done: its request, the resulting messages and the next cron run, minus the usage of a
// cron run without work.

export interface Measured extends Usage {
	/** The growth of the database. */
	readonly bytes: number;
}

const CONNECTIONS = 16;
const NOTHING: Measured = { requests: 0, cpuMs: 0, queueOperations: 0, rowsRead: 0, rowsWritten: 0, logEvents: 0, bytes: 0 };

/** Usage per operation in bursts of that size. CPU time is measured in a separate pass from everything else. */
export async function measureUsage(service: Service, row: Row, burst: number, times: number): Promise<Measured> {
	const use = async (isMetered: boolean) => {
		await service.set({ isHeld: true, isMetered });
		let sum = NOTHING;
		for (let time = 0; time < times; time += 1) sum = combine(sum, await useOnce(service, row, burst), (a, b) => a + b);
		return sum;
	};
	await useOnce(service, row, burst);
	const counted = await use(true);
	const timed = await use(false);
	return combine({ ...counted, cpuMs: timed.cpuMs }, NOTHING, (total) => total / (burst * times));
}

async function useOnce(service: Service, row: Row, burst: number): Promise<Measured> {
	await row.prepare(burst);
	await service.deliver();
	await service.tick();
	const before = await used(service);
	await applyLoad(service.app, Math.min(CONNECTIONS, burst), burst, row.next);
	await service.deliver();
	await service.tick();
	const after = await used(service);
	await service.tick();
	const rest = difference(await used(service), after);
	const all = difference(difference(after, before), rest);
	return { ...all, requests: burst };
}

/** The usage of a cron run without work. */
export async function measureRest(service: Service, times: number): Promise<Measured> {
	await service.set({ isHeld: true, isMetered: true });
	await service.tick();
	const before = await used(service);
	for (let time = 0; time < times; time += 1) await service.tick();
	return combine(difference(await used(service), before), NOTHING, (total) => total / times);
}

/** The D1 statements of a single operation. They include the next cron run, which does the work that has no message. */
export async function measureStatements(service: Service, row: Row): Promise<readonly StatementCost[]> {
	await service.set({ isHeld: true, isMetered: false });
	await useOnce(service, row, 1);
	await row.prepare(1);
	await service.deliver();
	await service.tick();
	await service.set({ isMetered: true });
	await applyLoad(service.app, 1, 1, row.next);
	await service.deliver();
	await service.tick();
	const { statements } = await service.state();
	await service.set({ isMetered: true });
	await service.tick();
	const rest = (await service.state()).statements;
	return statements.flatMap((statement) => {
		const atRest = rest.find(({ query }) => query === statement.query) ?? { runs: 0, rowsRead: 0, rowsWritten: 0 };
		const runs = statement.runs - atRest.runs;
		const [rowsRead, rowsWritten] = [statement.rowsRead - atRest.rowsRead, statement.rowsWritten - atRest.rowsWritten];
		return runs > 0 || rowsRead > 0 || rowsWritten > 0 ? [{ ...statement, runs, rowsRead, rowsWritten }] : [];
	});
}

/** The additional rows per operation that are read when the day is compared with its raw rows. */
export async function measureVerification(service: Service, row: Row, programId: number, burst: number): Promise<number> {
	await service.set({ isHeld: true, isMetered: true });
	const read = async () => {
		const before = await used(service);
		await service.verify(programId);
		return difference(await used(service), before).rowsRead;
	};
	await row.prepare(burst);
	await service.tick();
	const before = await read();
	await applyLoad(service.app, CONNECTIONS, burst, row.next);
	await service.deliver();
	await service.tick();
	return ((await read()) - before) / burst;
}

/** The usage since the start, except requests. Log events are the lines that the Worker itself writes (wrangler.toml). */
async function used(service: Service): Promise<Measured> {
	const { spent, consumed, logLines, databaseBytes } = await service.state();
	const messages = Object.values(consumed).reduce((sum, count) => sum + count, 0);
	return {
		requests: 0,
		cpuMs: preciseCpuOf(service.workerd) / 1_000,
		queueOperations: messages * OPERATIONS_PER_MESSAGE,
		rowsRead: spent.requests.rowsRead + spent.consumer.rowsRead,
		rowsWritten: spent.requests.rowsWritten + spent.consumer.rowsWritten,
		logEvents: logLines,
		bytes: databaseBytes,
	};
}

function difference(later: Measured, earlier: Measured): Measured {
	return combine(later, earlier, (a, b) => a - b);
}

function combine(a: Measured, b: Measured, how: (a: number, b: number) => number): Measured {
	const fields = Object.keys(NOTHING) as (keyof Measured)[];
	return Object.fromEntries(fields.map((field) => [field, how(a[field], b[field])])) as unknown as Measured;
}
