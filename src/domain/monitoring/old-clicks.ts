import { BYTES_PER_CLICK } from '../attribution/click-retention.ts';
import { sizeText } from './size-text.ts';

export const OLD_AFTER_DAYS = 90;
const LEAST_BYTES = 1e6;

/** What shorter retention would free, in programs that keep clicks for ever. */
export interface OldClicks {
	readonly bytes: number;
	/** Largest first. */
	readonly programs: readonly string[];
}

export interface ProgramClicks {
	readonly name: string;
	readonly clicks: number;
}

export function oldClicksOf(programs: readonly ProgramClicks[]): OldClicks {
	const largest = programs.filter(({ clicks }) => clicks > 0).toSorted((a, b) => b.clicks - a.clicks);
	return {
		bytes: largest.reduce((sum, { clicks }) => sum + clicks, 0) * BYTES_PER_CLICK,
		programs: largest.map(({ name }) => name),
	};
}

/** A sentence with a space after it, or nothing. */
export function oldClicksText(found: OldClicks | undefined): string {
	if (!found || found.bytes < LEAST_BYTES) return '';
	const names = found.programs.join(', ');
	return `Clicks older than ${OLD_AFTER_DAYS} days take about ${sizeText(found.bytes)} in these programs: ${names}. Keep their clicks for a limited time. `;
}
