import { PATIENCE_MS } from './processor-checks.ts';
import { utcText } from '../time-text.ts';

// Whether the work of every minute is done: what the service says of itself, and the status of every program.

/** When the clock last came to the end of its work; null: never. And since when there is anybody whom that concerns; null: nobody yet. */
export interface ClockFacts {
	readonly lastTickAt: number | null;
	readonly inUseSince: number | null;
}

/** One that has never run gets its time, too. */
export function isClockSilent({ lastTickAt, inUseSince }: ClockFacts, now: number): boolean {
	const since = lastTickAt ?? inUseSince;
	return since !== null && now - since > PATIENCE_MS;
}

/** What to do where it stands still. */
export function cronAdvice(lastTickAt: number | null): string {
	const last = lastTickAt === null ? 'has never run' : `last ran on ${utcText(lastTickAt)}`;
	return `The work of every minute ${last}. See that the cron trigger of wrangler.toml is deployed; locally npm run dev fires it`;
}
