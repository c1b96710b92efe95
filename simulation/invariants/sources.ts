import type { BreakdownRow } from '../rows.ts';
import type { Simulation } from '../simulation.ts';
import { SOURCES_PER_DAY } from '../world.ts';
import { grouped, type Invariant, violated } from './invariant.ts';

/** Clicks bring so many sources of a day into the reports; each click is stored under the one that it is counted by. */
export const sources: Invariant = {
	name: 'so many sources a day, the rest is other',
	reads: ['breakdown', 'clicks'],
	check: checkSources,
};

const UNNAMED = ['', 'other'];

function checkSources({ rows }: Simulation): void {
	const named = rows.breakdown.filter(({ dimension, value }) => dimension === 'source' && !UNNAMED.includes(value));
	const days = grouped(named, ({ program_id, day }) => `${program_id} ${day}`);
	for (const [key, kept] of days) {
		const byClicksAlone = new Set(kept.filter(isOfClicksAlone).map(({ value }) => value));
		if (byClicksAlone.size > SOURCES_PER_DAY) throw violated(sources.name, `${key} has ${[...byClicksAlone].join(', ')}`);
	}
	for (const { click_id, program_id, click_day, source, referrer_url, is_test, is_bot } of rows.clicks) {
		if (is_test) continue;
		const told = is_bot ? null : hostOf(referrer_url);
		const seen = new Set(days.get(`${program_id} ${click_day}`)?.map(({ value }) => value));
		const isCrowdedOut = source === 'other' && told !== null && seen.size >= SOURCES_PER_DAY;
		if (source !== told && !isCrowdedOut) throw violated(sources.name, `${click_id} from ${told} is of ${source}`);
	}
}

/** Rows that customers have brought there may be more. */
function isOfClicksAlone({ leads, conversions, sales, revenue_cents, commission_cents }: BreakdownRow): boolean {
	return leads === 0 && conversions === 0 && sales === 0 && revenue_cents === 0 && commission_cents === 0;
}

/** Of the few referrers in histories. */
function hostOf(referrer: string | null): string | null {
	return /:\/\/(?:www\.)?([a-z.]+)/i.exec(referrer ?? '')?.[1]?.toLowerCase() ?? null;
}
