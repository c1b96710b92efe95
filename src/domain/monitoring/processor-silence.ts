import { DAY_MS } from '../calendar.ts';

// Detects that a processor has stopped sending events. A shop without sales causes none, so the usual pause is learned from the past.

export const HEARD = 300;
/** Fewer events prove nothing, because one payment has up to seven. */
const LEAST_HEARD = 20;
const LEAST_DAYS = 5;
/** Silence is a pause this many times as long as the longest earlier one. */
const TIMES = 3;
/** Shorter pauses never count as silence. */
const LEAST_MS = DAY_MS;

/**
 * When the last event arrived, if the processor has been silent for unusually long. If all known events lie within a few days, the silence
 * must outlast those days too.
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
