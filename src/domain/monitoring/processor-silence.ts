import { DAY_MS } from '../calendar.ts';

// Whether a payment processor that used to send events has stopped. A shop without a sale sends none, and that is no fault: what is
// usual is learned from what came before.

/** So many of a processor's newest events are looked at. */
export const HEARD = 300;
/** From so few nothing is learned: a payment is up to seven of them. */
const LEAST_HEARD = 20;
/** On so many days they have to have come. */
const LEAST_DAYS = 5;
/** So many times as long as the longest pause of before. */
const TIMES = 3;
/** A night, and a bit more, is nobody's silence. */
const LEAST_MS = DAY_MS;

/**
 * Since when the processor is silent for longer than it ever was; null: it is not, or nobody can tell. `heardAt` are the times of its
 * newest events, in any order. Where these are all within a few days, as of a busy shop, or of one that had its first good day, the
 * silence has to outlast them, too.
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
