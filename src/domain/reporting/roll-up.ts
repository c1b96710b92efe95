import { addDays, dayOf, daysBetween, MINUTE_MS } from '../calendar.ts';

/** A program has one turn per hour, or as often as `perTick` programs a minute allow. */
const MINUTES_PER_ROUND = 60;

export interface Turn {
	/** The programs of this minute. */
	readonly ids: readonly number[];
	/** Each program has one turn per round. */
	readonly round: number;
}

/** The turn of this minute among programs 1 to the newest. */
export function turnAt(now: number, newestId: number, perTick: number): Turn {
	const minutes = Math.max(MINUTES_PER_ROUND, Math.ceil(newestId / perTick));
	const minute = Math.floor(now / MINUTE_MS);
	const ids: number[] = [];
	for (let id = minute % minutes || minutes; id <= newestId; id += minutes) ids.push(id);
	return { ids, round: Math.floor(minute / minutes) };
}

/** The days to compare in a round: today, yesterday, and an earlier one that changes each round. */
export function daysDue(createdAt: number, now: number, timeZone: string, round: number): string[] {
	const today = dayOf(now, timeZone);
	const created = dayOf(createdAt, timeZone);
	const closed = daysBetween(created, today) - 1;
	const recent = [today, addDays(today, -1)];
	return closed < 1 ? recent : [...recent, addDays(created, round % closed)];
}
