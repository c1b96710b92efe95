import { type Spell, startSpell } from './cpu.ts';
import { applyLoad, type Load, quantile } from './load.ts';
import { NOOP, type Row } from './rows.ts';
import type { Service } from './service.ts';

export interface Figures {
	readonly row: string;
	readonly connections: number;
	readonly requestsPerSecond: number;
	readonly p50Ms: number;
	readonly p99Ms: number;
	/** Per request; of the consumer too, where the row sends messages. */
	readonly cpuMicros: number;
	/** CPU of the no-op, taken beside it, as a share of this. */
	readonly ofNoop: number;
	/** The largest share of the machine that others took meanwhile. */
	readonly foreignShare: number;
}

export interface Cost {
	readonly row: string;
	/** Per request: trips to D1 that the answer waits for, and that the consumer makes. */
	readonly trips: number;
	readonly tripsBehind: number;
	/** Per request, the consumer's included. */
	readonly rowsRead: number;
	readonly rowsWritten: number;
}

interface Slice {
	readonly load: Load;
	readonly requests: number;
	readonly spell: Spell;
}

/** Connections while the cost is counted. A multiple of the size of a delivery, so that none waits for its timeout alone. */
const METERED_REQUESTS = 200;
const METERED_CONNECTIONS = 10;
/** Before the rounds, so that they meet compiled code. */
const WARM_UP_SCALE = 0.25;

/** A row and the no-op in turns; the medians of the rounds, of both. */
export async function measureRow(service: Service, row: Row, connections: number, rounds: number, scale: number): Promise<[noop: Figures, row: Figures]> {
	await measureSlice(service, row, METERED_CONNECTIONS, WARM_UP_SCALE);
	const slices: { noop: Slice; row: Slice }[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const noop = await measureSlice(service, NOOP, connections, scale);
		slices.push({ noop, row: await measureSlice(service, row, connections, scale) });
	}
	const ofNoop = median(slices.map((pair) => cpuPerRequest(pair.noop) / cpuPerRequest(pair.row)));
	return [
		{ ...summarise(NOOP, connections, slices.map((pair) => pair.noop)), ofNoop: 1 },
		{ ...summarise(row, connections, slices.map((pair) => pair.row)), ofNoop },
	];
}

export async function measureSlice(service: Service, row: Row, connections: number, scale: number): Promise<Slice> {
	const requests = Math.max(connections, Math.round((row.requests * scale) / (connections === 1 ? 3 : 1)));
	await row.prepare(requests);
	const before = await service.state();
	const url = row === NOOP ? service.noop : service.app;
	const stop = startSpell([service.workerd]);
	const load = await applyLoad(url, connections, requests, row.next);
	if (row.queue) await service.drained(before, row.queue, requests);
	return { load, requests, spell: stop() };
}

function cpuPerRequest({ spell, requests }: Slice): number {
	return spell.cpuMicros / requests;
}

function summarise(row: Row, connections: number, slices: readonly Slice[]): Omit<Figures, 'ofNoop'> {
	const of = (figure: (slice: Slice) => number) => median(slices.map(figure));
	return {
		row: row.name,
		connections,
		requestsPerSecond: of(({ load, requests }) => (requests * 1_000) / load.elapsedMs),
		p50Ms: of(({ load }) => quantile(load, 0.5)),
		p99Ms: of(({ load }) => quantile(load, 0.99)),
		cpuMicros: of(cpuPerRequest),
		foreignShare: Math.max(...slices.map(({ spell }) => spell.foreignShare)),
	};
}

/** What the row's requests cost in D1: deterministic, so it is counted apart, and once. */
export async function countCost(service: Service, row: Row): Promise<Cost> {
	await row.prepare(METERED_REQUESTS);
	const before = await service.state();
	await service.set({ isMetered: true });
	await applyLoad(service.app, METERED_CONNECTIONS, METERED_REQUESTS, row.next);
	if (row.queue) await service.drained(before, row.queue, METERED_REQUESTS);
	const { requests, consumer } = (await service.state()).spent;
	await service.set({ isMetered: false });
	return {
		row: row.name,
		trips: requests.trips / METERED_REQUESTS,
		tripsBehind: consumer.trips / METERED_REQUESTS,
		rowsRead: (requests.rowsRead + consumer.rowsRead) / METERED_REQUESTS,
		rowsWritten: (requests.rowsWritten + consumer.rowsWritten) / METERED_REQUESTS,
	};
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
