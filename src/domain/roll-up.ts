import { addDays, dayOf, daysBetween, HOUR_MS, MINUTE_MS } from './calendar.ts';

/** A program is looked at once an hour, or as often as `perTick` programs a minute allow. */
const MINUTES_PER_ROUND = 60;

/** The ids whose turn it is in this minute, of all from 1 to the newest. Every program has its turn once per round. */
export function programsDue(newestId: number, perTick: number, now: number): number[] {
	const minutes = Math.max(MINUTES_PER_ROUND, Math.ceil(newestId / perTick));
	const turn = Math.floor(now / MINUTE_MS) % minutes;
	const ids: number[] = [];
	for (let id = turn === 0 ? minutes : turn; id <= newestId; id += minutes) ids.push(id);
	return ids;
}

/** The days of a program to look at in this hour: today, yesterday, and an earlier one, which moves on with each hour. */
export function daysDue(createdAt: number, now: number, timeZone: string): string[] {
	const today = dayOf(now, timeZone);
	const age = daysBetween(dayOf(createdAt, timeZone), today);
	const recent = [today, addDays(today, -1)];
	return age < 2 ? recent : [...recent, addDays(today, -2 - (Math.floor(now / HOUR_MS) % (age - 1)))];
}
