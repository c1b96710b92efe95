import { MINUTE_MS } from './calendar.ts';

// Runs process any number of commissions in slices (decision 64).

export const RUN_KINDS = ['pay', 'approve', 'reject'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** `stopped`: by a person. `failed`: too many slices failed. Finished slices stay. */
export const RUN_STATES = ['running', 'done', 'stopped', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** By name, such as payouts created. */
export type Counts = Readonly<Record<string, number>>;

/** D1 limits a batch to 30 seconds. */
export const LEASE_MS = 2 * MINUTE_MS;
/** How long cron waits for the queue message of a run. */
export const GRACE_MS = MINUTE_MS;
/** Consecutive failed slices. */
export const FAILURE_LIMIT = 8;

export function addCounts(total: Counts, added: Counts): Counts {
	const names = [...new Set([...Object.keys(total), ...Object.keys(added)])];
	return Object.fromEntries(names.map((name) => [name, (total[name] ?? 0) + (added[name] ?? 0)]));
}

/** One minute after the first failure, then two, four, eight ... */
export function nextTryAt(now: number, failures: number): number {
	return now + MINUTE_MS * 2 ** (failures - 1) - GRACE_MS;
}

export interface ResultPosition {
	readonly outcome: string;
	readonly partnerProgramId: number;
	readonly currency: string;
}

/** Parsing returns undefined if the text is not a cursor. */
export function formatResultPosition({ outcome, partnerProgramId, currency }: ResultPosition): string {
	return `${outcome}.${partnerProgramId}.${currency}`;
}

export function parseResultPosition(text: string): ResultPosition | undefined {
	const match = /^([a-z_]{1,30})\.([1-9]\d{0,14})\.([A-Z]{3})$/.exec(text);
	return match ? { outcome: match[1] ?? '', partnerProgramId: Number(match[2]), currency: match[3] ?? '' } : undefined;
}
