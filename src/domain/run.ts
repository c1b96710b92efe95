import { MINUTE_MS } from './calendar.ts';

// Runs work on any number of commissions, a slice at a time (decision 64).

export const RUN_KINDS = ['pay', 'approve', 'reject'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** `stopped`: by a person. `failed`: slice after slice failed. What was done before either stays done. */
export const RUN_STATES = ['running', 'done', 'stopped', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Numbers by name, such as how many payouts were created. */
export type Counts = Readonly<Record<string, number>>;

/** How long one consumer may take for a slice. D1 gives a batch 30 seconds. */
export const LEASE_MS = 2 * MINUTE_MS;
/** How long a run is left to its message before cron continues it. */
export const GRACE_MS = MINUTE_MS;
/** After so many failed slices in a row the run fails. */
export const FAILURE_LIMIT = 8;

export function addCounts(total: Counts, added: Counts): Counts {
	const names = [...new Set([...Object.keys(total), ...Object.keys(added)])];
	return Object.fromEntries(names.map((name) => [name, (total[name] ?? 0) + (added[name] ?? 0)]));
}

/** After the first failure cron tries again in a minute, after the second in two, then in four, eight ... */
export function nextTryAt(now: number, failures: number): number {
	return now + MINUTE_MS * 2 ** (failures - 1) - GRACE_MS;
}

/** Where a result stands in the list of a run's results: no two share a place. */
export interface ResultPosition {
	readonly outcome: string;
	readonly partnerProgramId: number;
	readonly currency: string;
}

/** The position as a cursor, and back; undefined for what is none. */
export function formatResultPosition({ outcome, partnerProgramId, currency }: ResultPosition): string {
	return `${outcome}.${partnerProgramId}.${currency}`;
}

export function parseResultPosition(text: string): ResultPosition | undefined {
	const match = /^([a-z_]{1,30})\.([1-9]\d{0,14})\.([A-Z]{3})$/.exec(text);
	return match ? { outcome: match[1] ?? '', partnerProgramId: Number(match[2]), currency: match[3] ?? '' } : undefined;
}
