import type { StatementCost } from '../testing/d1/metered.ts';
import { preciseCpuOf } from './cpu.ts';
import type { Usage } from './dollars.ts';
import { applyLoad } from './load.ts';
import { OPERATIONS_PER_MESSAGE } from './prices.ts';
import type { Row } from './rows.ts';
import type { Service } from './service.ts';

// What an operation uses until nothing of it waits: its request, the messages that follow, and the clock's next tick beyond what a
// tick takes at rest.

export interface Measured extends Usage {
	/** How much the database has grown. */
	readonly bytes: number;
}

const CONNECTIONS = 16;
const NOTHING: Measured = { requests: 0, cpuMs: 0, queueOperations: 0, rowsRead: 0, rowsWritten: 0, logEvents: 0, bytes: 0 };

/** Per operation, where so many come at once. All is counted but CPU, which is measured apart from the counting. */
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

/** What a tick uses when there is nothing to do. */
export async function measureRest(service: Service, times: number): Promise<Measured> {
	await service.set({ isHeld: true, isMetered: true });
	await service.tick();
	const before = await used(service);
	for (let time = 0; time < times; time += 1) await service.tick();
	return combine(difference(await used(service), before), NOTHING, (total) => total / times);
}

/** What an operation alone asks of D1, by statement: the clock's tick included, at which what has no message is done. */
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

/** Rows that a comparison of the day with its raw rows reads more for each operation of that day. */
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

/** What was used since the start, but for the requests. Log events are the lines that the Worker writes itself (wrangler.toml). */
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
