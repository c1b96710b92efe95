import { DAY_MS } from '../calendar.ts';

// Whether a processor that used to send events has stopped. A shop without sales sends none, so the usual pause is learned from the past.

/** How many of the newest events are read. */
export const HEARD = 300;
/** Fewer events are too little: a payment has up to seven. */
const LEAST_HEARD = 20;
/** The number of days with events that are needed. */
const LEAST_DAYS = 5;
/** How many times the longest earlier pause counts as silence. */
const TIMES = 3;
/** A night and a bit more is no silence. */
const LEAST_MS = DAY_MS;

/**
 * Since when the processor is silent for longer than ever; null: it is not, or nobody can know. `heardAt` are the times of its newest
 * events. If they are all within a few days, the silence must outlast that too.
 */
export function silentSince(heardAt: readonly number[], now: number): number | null {
	const heard = heardAt.toSorted((one, other) => one - other);
	const [first, last] = [heard[0], heard.at(-1)];
	if (first === undefined || last === undefined || heard.length < LEAST_HEARD) return null;
	const days = new Set(heard.map((instant) => Math.floor(instant / DAY_MS))).size;
	if (days < LEAST_DAYS && heard.length < HEARD) return null;
	const longestPause = Math.max(...heard.map((instant, index) => instant - (heard[index - 1] ?? instant)));
	const patience = Math.max(LEAST_MS, TIMES * longestPause, days < LEAST_DAYS ? last - first : 0);
	return now - last > patience ? last : null;
}
