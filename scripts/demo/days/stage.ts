import { addDays, dayOf, DAY_MS, HOUR_MS, instantAt, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { Random, subSeed } from '../../../testing/random.ts';
import type { Agenda } from './agenda.ts';
import type { ServiceClient } from './service-client.ts';

export const DAYS = 90;
export const NEW_YORK = 'America/New_York';

/** Shared by all parts of the ninety days. Day 0 is the first day, day 89 is today. */
export interface Stage {
	readonly client: ServiceClient;
	readonly agenda: Agenda;
	readonly password: string;
	/** The real time. */
	readonly now: number;
	readonly seed: number;
	/** The fraction of visitors to create: 1 means all. */
	readonly scale: number;
}

/** Each part draws its own random numbers, so changing one does not affect the others. */
export function randomOf({ seed }: Stage, part: number): Random {
	return new Random(subSeed(seed, part));
}

export function dayNumbered({ now }: Stage, day: number): string {
	return addDays(dayOf(now, NEW_YORK), day - (DAYS - 1));
}

/** The instant of a local time in the shop's time zone. */
export function at(stage: Stage, day: number, hour: number, minute = 0): number {
	return instantAt(dayNumbered(stage, day), hour * HOUR_MS + minute * MINUTE_MS, NEW_YORK);
}

export function later(instant: number, days: number): number {
	return Math.round(instant + days * DAY_MS);
}
