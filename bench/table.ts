import type { Cost, Drain, Figures, Latency, Pair } from './measure.ts';

// Formats the figures as tables.

/** A row is marked if other processes used at least this share of the machine. */
const NOISY_SHARE = 0.1;

export const FIGURES_HEAD = head([
	['row', 24],
	['conn.', 6],
	['req/s', 8],
	['p50 ms', 9],
	['p99 ms', 9],
	['CPU us', 8],
	['of no-op', 9],
	['others', 8],
]);

export function figuresLines({ noop, row }: Pair): string {
	return `${figuresLine(row)}\n${figuresLine({ ...noop, row: `  no-op, in turns` })}`;
}

export function figuresLine(figures: Figures): string {
	return [
		figures.row.padEnd(24),
		String(figures.connections).padStart(6),
		figures.requestsPerSecond.toFixed(0).padStart(8),
		figures.p50Ms.toFixed(2).padStart(9),
		figures.p99Ms.toFixed(2).padStart(9),
		figures.cpuMicros.toFixed(0).padStart(8),
		percent(figures.ofNoop).padStart(9),
		noise(figures.foreignShare).padStart(8),
	].join(' ');
}

export const COST_HEAD = head([
	['per request', 24],
	['D1 trips', 9],
	['after it', 10],
	['rows read', 10],
	['written', 8],
	['CPU us, response', 16],
	['of no-op', 9],
	['consumer', 9],
]);

export function costLine(cost: Cost): string {
	return [
		cost.row.padEnd(24),
		short(cost.trips).padStart(9),
		short(cost.tripsBehind).padStart(10),
		short(cost.rowsRead).padStart(10),
		short(cost.rowsWritten).padStart(8),
		cost.answerMicros.toFixed(0).padStart(16),
		percent(cost.answerOfNoop).padStart(9),
		cost.behindMicros.toFixed(0).padStart(9),
	].join(' ');
}

export function drainLine({ clicks, clicksPerSecond, cpuMicros, foreignShare }: Drain): string {
	return `Queue drain: ${clicksPerSecond.toFixed(0)} clicks/s (${clicks} clicks, ${cpuMicros.toFixed(0)} us of CPU each; others ${noise(foreignShare)})`;
}

export const LATENCY_HEAD = head([
	['row', 24],
	['p50 ms', 9],
	['beyond no-op', 13],
	['round trips', 12],
]);

export function latencyLine({ row, p50Ms, beyondNoopMs, roundTrips }: Latency): string {
	return `${row.padEnd(24)} ${p50Ms.toFixed(1).padStart(9)} ${beyondNoopMs.toFixed(1).padStart(13)} ${roundTrips.toFixed(2).padStart(12)}`;
}

export function head(columns: readonly (readonly [title: string, width: number])[]): string {
	return columns.map(([title, width], index) => (index === 0 ? title.padEnd(width) : title.padStart(width))).join(' ');
}

function percent(share: number): string {
	return `${(share * 100).toFixed(1)} %`;
}

function noise(share: number): string {
	return `${(share * 100).toFixed(0)} %${share >= NOISY_SHARE ? ' !' : '  '}`;
}

export function short(value: number): string {
	return String(Math.round(value * 100) / 100);
}
