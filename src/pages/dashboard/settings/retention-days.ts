import { MOST_RETENTION_DAYS } from '../../../domain/attribution/click-retention.ts';
import { count } from '../../format.ts';

/** Undefined if clicks cannot be kept for that long. */
export function parsedDays(text: string, least: number): number | undefined {
	const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
	return days >= least && days <= MOST_RETENTION_DAYS ? days : undefined;
}

export function dayProblem(text: string, least: number): string | undefined {
	return parsedDays(text, least) === undefined ? `Enter a number from ${count(least)} to ${count(MOST_RETENTION_DAYS)}` : undefined;
}

/** Whether clicks leave the database that would otherwise stay. Null is for ever. */
export function clearsClicks(before: number | null, after: number): boolean {
	return before === null || after < before;
}
