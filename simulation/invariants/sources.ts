import type { BreakdownRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { SOURCES_PER_DAY } from '../world/world.ts';
import { grouped, type Invariant, violated } from './invariant.ts';

export const sources: Invariant = {
	name: 'a day has a limited number of sources, the rest is other',
	reads: ['breakdown', 'clicks', 'customers', 'sales', 'commissions'],
	check: checkSources,
};

const UNNAMED = ['', 'other'];

function checkSources({ rows }: Simulation): void {
	const named = rows.breakdown.filter(({ dimension, value }) => dimension === 'source' && !UNNAMED.includes(value));
	const bySales = broughtBySales(rows);
	const days = grouped(named, ({ program_id, day }) => `${program_id} ${day}`);
	for (const [key, kept] of days) {
		const ofClicks = kept.filter((row) => isOfClicksAlone(row) && !bySales.has(`${key} ${row.value}`));
		const byClicksAlone = new Set(ofClicks.map(({ value }) => value));
		if (byClicksAlone.size > SOURCES_PER_DAY) throw violated(sources.name, `${key} has ${[...byClicksAlone].join(', ')}`);
	}
	for (const { click_id, program_id, click_day, source, referrer_url, is_test, is_bot } of rows.clicks) {
		if (is_test) continue;
		const expected = is_bot ? null : hostOf(referrer_url);
		const seen = new Set(days.get(`${program_id} ${click_day}`)?.map(({ value }) => value));
		const isCrowdedOut = source === 'other' && expected !== null && seen.size >= SOURCES_PER_DAY;
		if (source !== expected && !isCrowdedOut) throw violated(sources.name, `${click_id} from ${expected} is stored as ${source}`);
	}
}

/** Customers may have added more rows. */
function isOfClicksAlone({ leads, conversions, sales, revenue_cents, commission_cents }: BreakdownRow): boolean {
	return leads === 0 && conversions === 0 && sales === 0 && revenue_cents === 0 && commission_cents === 0;
}

/** Sales add sources even if the amount is 0 or the sale is a duplicate. */
function broughtBySales({ sales, commissions, customers, clicks }: Simulation['rows']): ReadonlySet<string> {
	const sourceByClick = new Map(clicks.map(({ click_id, source }) => [click_id, source]));
	const clickOf = new Map(customers.map(({ id, click_id }) => [id, click_id]));
	const sourceOf = new Map(sales.map(({ id, customer_id }) => [id, sourceByClick.get(clickOf.get(customer_id ?? 0) ?? '') ?? '']));
	return new Set([
		...sales.map(({ id, program_id, sale_day }) => `${program_id} ${sale_day} ${sourceOf.get(id)}`),
		...commissions.map(({ sale_id, program_id, created_day }) => `${program_id} ${created_day} ${sourceOf.get(sale_id)}`),
	]);
}

/** Handles only the few referrers that histories use. */
function hostOf(referrer: string | null): string | null {
	return /:\/\/(?:www\.)?([a-z.]+)/i.exec(referrer ?? '')?.[1]?.toLowerCase() ?? null;
}
