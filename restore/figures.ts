import type { HeldService } from '../scripts/upgrade-data/held-service.ts';
import type { Program } from '../scripts/upgrade-data/program.ts';
import type { Lived } from './story.ts';

/** Fields to leave out: figures that depend only on clicks, and ids and times, which change when events are reported again. */
const LEFT_OUT = /^(clicks|totalClicks|conversionRate|country|source|id|\w+_id|commission_ids|\w+_at)$/;
const IN_WORDS = /\b(sale|payout) \d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** All figures of the service's programs except those of clicks, by path. */
export async function figuresOf(service: HeldService, { story, ada, eve }: Lived): Promise<ReadonlyMap<string, string>> {
	const figures = new Map<string, string>();
	for (const [program, token] of [
		[story.shop, ada],
		[story.channel, ada],
		[story.kiosk, eve],
		[story.elsewhere, eve],
	] as const)
		for (const path of pathsOf(program)) figures.set(path, figuresIn(await service.text(path, { token })));
	return figures;
}

function pathsOf({ id }: Program): string[] {
	const report = `/api/tracking/performance/${id}?dateFrom=2026-03-01&dateTo=2026-03-31`;
	const lists = [
		'partners',
		'payouts',
		'commissions/summary',
		'commissions?limit=200',
		'customers?limit=200',
		'processor-events?limit=200',
	];
	return [
		report,
		...['partner', 'link', 'product'].map((by) => `${report}&by=${by}`),
		...lists.map((list) => `/api/v1/programs/${id}/${list}`),
	];
}

function figuresIn(answer: string): string {
	const left = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map((one) => JSON.stringify(left(one))).toSorted();
		if (typeof value === 'string') return value.replaceAll(IN_WORDS, '...');
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).flatMap(([name, of]) => (LEFT_OUT.test(name) ? [] : [[name, left(of)]])));
	};
	return JSON.stringify(left(JSON.parse(answer)), undefined, 1);
}
