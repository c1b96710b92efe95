import { DAY_MS } from '../calendar.ts';

// Detects that a processor has stopped sending events. A shop without sales causes none, so the usual pause is learned from the past.

/** How many of the newest events are read. */
export const HEARD = 300;
/** Fewer events prove nothing, because one payment has up to seven. */
const LEAST_HEARD = 20;
/** The fewest different days on which events must have arrived. */
const LEAST_DAYS = 5;
/** A pause counts as silence if it is this many times as long as the longest earlier one. */
const TIMES = 3;
/** A pause of up to a day never counts as silence. */
const LEAST_MS = DAY_MS;

/**
 * When the last event arrived, if the processor has been silent for unusually long; null otherwise, or if too few events are known.
 * `heardAt` holds the times of its newest events. If they all lie within a few days, the silence must also outlast that span.
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
