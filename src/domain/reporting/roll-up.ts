import { addDays, dayOf, daysBetween, MINUTE_MS } from '../calendar.ts';

/** Each program is compared once an hour, or less often if that would mean more than `perTick` programs a minute. */
const MINUTES_PER_ROUND = 60;

export interface Turn {
	/** The programs to compare in this minute. */
	readonly ids: readonly number[];
	/** Increases by one once every program has had its turn. */
	readonly round: number;
}

/** Which of the programs 1 to `newestId` have their turn this minute. */
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
