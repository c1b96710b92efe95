import { PATIENCE_MS } from './processor-checks.ts';
import { utcText } from '../time-text.ts';

// Checks that cron runs every minute, for the service page and every program's status.

/** When cron last completed, and when the service was first used. Null means never. */
export interface ClockFacts {
	readonly lastTickAt: number | null;
	readonly inUseSince: number | null;
}

/** If cron has never run, the time is measured from the service's first use. */
export function isClockSilent({ lastTickAt, inUseSince }: ClockFacts, now: number): boolean {
	const since = lastTickAt ?? inUseSince;
	return since !== null && now - since > PATIENCE_MS;
}

export function cronAdvice(lastTickAt: number | null): string {
	const last = lastTickAt === null ? 'has never run' : `last ran on ${utcText(lastTickAt)}`;
	return `Cron ${last}. Check that the cron trigger of wrangler.toml is deployed. On your own machine, npm run dev runs it`;
}
