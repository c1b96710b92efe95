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
	/** Per request, including the consumer's work. */
	readonly cpuMicros: number;
	/** CPU time of the no-op as a share of the row's. Both are measured alternately. */
	readonly ofNoop: number;
	/** The largest share of the machine that other processes used in any slice. */
	readonly foreignShare: number;
}

/** A row and the no-op, measured alternately. */
export interface Pair {
	readonly noop: Figures;
	readonly row: Figures;
}

/** A row's D1 cost and how its CPU time is split, per request. */
export interface Cost {
	readonly row: string;
	/** Trips to D1 that the response waits for. The consumer's trips are `tripsBehind`. */
	readonly trips: number;
	readonly tripsBehind: number;
	/** D1 rows, including the consumer's. */
	readonly rowsRead: number;
	readonly rowsWritten: number;
	/** CPU time until the response, with the queues paused. `behindMicros` is the consumer's CPU time afterwards. */
	readonly answerMicros: number;
	readonly behindMicros: number;
	/** CPU time of the no-op as a share of `answerMicros`. */
	readonly answerOfNoop: number;
}

export interface Slice {
	readonly load: Load;
	readonly requests: number;
	readonly spell: Spell;
}

/** Enough for several deliveries, so that batch sizes matter little. */
const METERED_REQUESTS = 200;
const METERED_CONNECTIONS = 16;
const MANY_CONNECTIONS = 64;
/** Only a few, so that requests wait for D1 rather than for each other. */
const LATENCY_CONNECTIONS = 4;
const LATENCY_REQUESTS = 120;
/** Requests sent before the rounds, so that the code is compiled. */
const WARM_UP_SCALE = 0.25;

/** Measures a row and the no-op alternately. Returns the medians over the rounds. */
export async function measureRow(service: Service, row: Row, connections: number, rounds: number, scale: number): Promise<Pair> {
	await measureSlice(service, row, METERED_CONNECTIONS, WARM_UP_SCALE * scale);
	const noops: Slice[] = [];
	const slices: Slice[] = [];
	for (let round = 0; round < rounds; round += 1) {
		noops.push(await measureSlice(service, NOOP, connections, scale));
		slices.push(await measureSlice(service, row, connections, scale));
	}
	return pairOf(row, connections, noops, slices);
}

/** The figures of slices that were measured alternately. */
export function pairOf(row: Pick<Row, 'name'>, connections: number, noops: readonly Slice[], slices: readonly Slice[]): Pair {
	const ratios = slices.flatMap((slice, round) => {
		const noop = noops[round];
		return noop ? [cpuPerRequest(noop) / cpuPerRequest(slice)] : [];
	});
	return {
		noop: { ...summarize(NOOP, connections, noops), ofNoop: 1 },
		row: { ...summarize(row, connections, slices), ofNoop: median(ratios) },
	};
}

/** Measures one load of a row, from the first request until its queue is empty. */
export async function measureSlice(service: Service, row: Row, connections: number, scale: number): Promise<Slice> {
	const requests = requestsOf(row, connections, scale);
	await row.prepare(requests);
	const before = await service.state();
	const stop = startSpell([service.workerd]);
	const load = await applyLoad(row === NOOP ? service.noop : service.app, connections, requests, row.next);
	await service.drained(before, row.queue, requests);
	return { load, requests, spell: stop() };
}

export function requestsOf(row: Pick<Row, 'requests'>, connections: number, scale: number): number {
	return Math.max(connections, Math.round((row.requests * scale) / (connections === 1 ? 3 : 1)));
}

function cpuPerRequest({ spell, requests }: Slice): number {
	return spell.cpuMicros / requests;
}

function summarize(row: Pick<Row, 'name'>, connections: number, slices: readonly Slice[]): Omit<Figures, 'ofNoop'> {
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

/** Counts trips and rows, which are the same in every run, and measures CPU time with many connections. */
export async function measureCost(service: Service, row: Row, scale: number): Promise<Cost> {
	await row.prepare(METERED_REQUESTS);
	const before = await service.state();
	await service.set({ isMetered: true });
	await applyLoad(service.app, METERED_CONNECTIONS, METERED_REQUESTS, row.next);
	await service.drained(before, row.queue, METERED_REQUESTS);
	const { requests, consumer } = (await service.state()).spent;
	await service.set({ isMetered: false });
	return {
		row: row.name,
		trips: requests.trips / METERED_REQUESTS,
		tripsBehind: consumer.trips / METERED_REQUESTS,
		rowsRead: (requests.rowsRead + consumer.rowsRead) / METERED_REQUESTS,
		rowsWritten: (requests.rowsWritten + consumer.rowsWritten) / METERED_REQUESTS,
		...(await divideCpu(service, row, scale)),
	};
}

async function divideCpu(service: Service, row: Row, scale: number) {
	const noop = await measureSlice(service, NOOP, MANY_CONNECTIONS, scale);
	const requests = requestsOf(row, MANY_CONNECTIONS, scale);
	await row.prepare(requests);
	const before = await service.state();
	await service.set({ isPaused: true });
	const stopAnswers = startSpell([service.workerd]);
	await applyLoad(service.app, MANY_CONNECTIONS, requests, row.next);
	const answerMicros = stopAnswers().cpuMicros / requests;
	const stopConsumer = startSpell([service.workerd]);
	await service.set({ isPaused: false });
	await service.drained(before, row.queue, requests);
	const behindMicros = row.queue ? stopConsumer().cpuMicros / requests : 0;
	return { answerMicros, behindMicros, answerOfNoop: cpuPerRequest(noop) / answerMicros };
}

export interface Drain {
	readonly clicks: number;
	readonly clicksPerSecond: number;
	/** CPU time per click that the queue and its consumer use. */
	readonly cpuMicros: number;
	readonly foreignShare: number;
}

export async function measureDrain(service: Service, click: Row, clicks: number): Promise<Drain> {
	await click.prepare(clicks);
	const before = await service.state();
	await service.set({ isPaused: true });
	await applyLoad(service.app, MANY_CONNECTIONS, clicks, click.next);
	const stop = startSpell([service.workerd]);
	await service.set({ isPaused: false });
	await service.drained(before, click.queue, clicks);
	const { elapsedMs, cpuMicros, foreignShare } = stop();
	return { clicks, clicksPerSecond: (clicks * 1_000) / elapsedMs, cpuMicros: cpuMicros / clicks, foreignShare };
}

/** CPU time per request that the rate-limit binding adds to a row. Most of it is due to the emulation. */
export async function measureLimit(service: Service, row: Row, rounds: number, scale: number): Promise<number> {
	const costs: number[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const without = cpuPerRequest(await measureSlice(service, row, MANY_CONNECTIONS, scale));
		await service.set({ isLimited: true });
		costs.push(cpuPerRequest(await measureSlice(service, row, MANY_CONNECTIONS, scale)) - without);
		await service.set({ isLimited: false });
	}
	return median(costs);
}

/** CPU time per request for the emulated routing of static assets, for requests that do not need it. */
export async function measureRouting(service: Service, rounds: number, scale: number): Promise<number> {
	const costs: number[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const noop = await measureSlice(service, NOOP, MANY_CONNECTIONS, scale);
		const routed = await measureSlice({ ...service, noop: service.routedNoop }, NOOP, MANY_CONNECTIONS, scale);
		costs.push(cpuPerRequest(routed) - cpuPerRequest(noop));
	}
	return median(costs);
}

export interface Latency {
	readonly row: string;
	readonly p50Ms: number;
	/** The row's p50 minus the no-op's. */
	readonly beyondNoopMs: number;
	/** The same difference in round trips to D1. */
	readonly roundTrips: number;
}

/** Measures latency with that much added to each D1 trip, as if the Worker were far away from D1. */
export async function measureLatency(service: Service, row: Row, latencyMs: number): Promise<Latency> {
	const noop = await applyLoad(service.noop, LATENCY_CONNECTIONS, LATENCY_REQUESTS, NOOP.next);
	await row.prepare(LATENCY_REQUESTS);
	const before = await service.state();
	await service.set({ latencyMs });
	const load = await applyLoad(service.app, LATENCY_CONNECTIONS, LATENCY_REQUESTS, row.next);
	await service.set({ latencyMs: 0 });
	await service.drained(before, row.queue, LATENCY_REQUESTS);
	const beyondNoopMs = quantile(load, 0.5) - quantile(noop, 0.5);
	return { row: row.name, p50Ms: quantile(load, 0.5), beyondNoopMs, roundTrips: beyondNoopMs / latencyMs };
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
