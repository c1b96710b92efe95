import { addDays, dayOf, daysBetween, MINUTE_MS } from '../calendar.ts';

/** Each program is compared once an hour, in its own minute. */
export const MINUTES_PER_ROUND = 60;

export function slotAt(now: number): { readonly slot: number; readonly hour: number } {
	const minute = Math.floor(now / MINUTE_MS);
	return { slot: minute % MINUTES_PER_ROUND, hour: Math.floor(minute / MINUTES_PER_ROUND) };
}

export interface Turn<Program> {
	readonly due: readonly Program[];
	/** Increases by one when all programs of this minute have been compared. */
	readonly round: number;
}

/** The programs of a minute that are compared in this hour: an equal part of them if there are more than `perTick`. */
export function turnOf<Program>(programs: readonly Program[], hour: number, perTick: number): Turn<Program> {
	const hours = Math.max(1, Math.ceil(programs.length / perTick));
	return { due: programs.filter((_, index) => index % hours === hour % hours), round: Math.floor(hour / hours) };
}

/** Today, yesterday, and an earlier day that changes each round. */
export function daysDue(createdAt: number, now: number, timeZone: string, round: number): string[] {
	const today = dayOf(now, timeZone);
	const created = dayOf(createdAt, timeZone);
	const closed = daysBetween(created, today) - 1;
	const recent = [today, addDays(today, -1)];
	return closed < 1 ? recent : [...recent, addDays(created, round % closed)];
}

/** Nothing else is written while a batch runs, so a busy day has a batch to itself. */
const DAYS_PER_BATCH = 100;
const EVENTS_PER_BATCH = 10_000;

/** Days with the fewest events come first, so that a busy program does not delay the others. */
export function batchesOf<Day extends { readonly events: number }>(days: readonly Day[]): Day[][] {
	const batches: Day[][] = [];
	let events = 0;
	for (const day of days.toSorted((a, b) => a.events - b.events)) {
		const batch = batches.at(-1);
		events += day.events;
		if (batch && batch.length < DAYS_PER_BATCH && events <= EVENTS_PER_BATCH) batch.push(day);
		else {
			batches.push([day]);
			events = day.events;
		}
	}
	return batches;
}
