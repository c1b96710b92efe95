import { sizeText } from './size-text.ts';

/** Clicks older than this are what the estimate counts. */
export const OLD_AFTER_DAYS = 90;
/** What a click takes with its indexes (docs/guides/scale.md). */
const BYTES_PER_CLICK = 420;
/** Less than this is not worth a sentence. */
const LEAST_BYTES = 1e6;

/** What programs that keep clicks for ever would free if they kept them for a limited time. */
export interface OldClicks {
	readonly bytes: number;
	/** The names of the programs with the most old clicks, largest first. */
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
