import { addDays, dayOf, DAY_MS, HOUR_MS, instantAt, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { Random, subSeed } from '../../../testing/random.ts';
import type { Agenda } from './agenda.ts';
import type { FrontDoor } from './front-door.ts';

export const DAYS = 90;
export const NEW_YORK = 'America/New_York';

/** What every part of the ninety days works with. Day 0 is the first, day 89 today. */
export interface Stage {
	readonly door: FrontDoor;
	readonly agenda: Agenda;
	/** Everybody's. */
	readonly password: string;
	/** The real time. */
	readonly now: number;
	readonly seed: number;
	/** Of the visitors, how many come: 1 is all. */
	readonly scale: number;
}

/** Random numbers of its own for each part, so that a change of one leaves the others as they were. */
export function randomOf({ seed }: Stage, part: number): Random {
	return new Random(subSeed(seed, part));
}

/** The day of the calendar. */
export function dayNumbered({ now }: Stage, day: number): string {
	return addDays(dayOf(now, NEW_YORK), day - (DAYS - 1));
}

/** A time of day on one of the days, as the clocks of the shop show it. */
export function at(stage: Stage, day: number, hour: number, minute = 0): number {
	return instantAt(dayNumbered(stage, day), hour * HOUR_MS + minute * MINUTE_MS, NEW_YORK);
}

/** So many whole and broken days later. */
export function later(instant: number, days: number): number {
	return Math.round(instant + days * DAY_MS);
}
