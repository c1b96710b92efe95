// Computes reports from the raw rows alone. Imports nothing from src/.

import { type Fact, type Figures, rawFacts } from './figures.ts';
import type { ProgramRow } from './rows-of-programs.ts';
import type { Rows } from './rows.ts';
import { WORLD } from './world.ts';

const DAY_MS = 86_400_000;

export type Period = '7d' | '30d' | '90d' | 'all';
export type By = 'partner' | 'link' | 'product' | 'country' | 'source';

/** Both ends are included. */
export interface Days {
	readonly first: string;
	readonly last: string;
}

export function daysOf(period: Period, today: string, created: string): Days {
	const midnight = Date.parse(`${today}T00:00:00Z`) - (Number.parseInt(period, 10) - 1) * DAY_MS;
	return { first: period === 'all' ? created : new Date(midnight).toISOString().slice(0, 10), last: today };
}

/** In major units. */
export type ReportedFigures = Map<string, number>;

/** Single days have no sales or net figures. */
export function expectedReport(rows: Rows, program: ProgramRow, days: Days): ReportedFigures {
	const sums = new Sums(program);
	for (const { day, currency, figures } of factsIn(rows, program, days)) {
		const { open_leads: _open, sales: _sales, refunded_cents: _refunded, deducted_cents: _deducted, ...ofDay } = figures;
		sums.add(day, currency, ofDay);
		sums.add('all', currency, { ...figures, ...netOf(figures) });
	}
	return sums.figures();
}

export interface ExpectedBreakdown {
	readonly figures: ReportedFigures;
	/** Sorted by revenue, then by clicks, descending. */
	readonly values: readonly string[];
}

/** A value with only duplicates has no row. */
export function expectedBreakdown(rows: Rows, program: ProgramRow, days: Days, by: By): ExpectedBreakdown {
	const sums = new Sums(program);
	const ranks = new Map<string, { value: string; revenue: number; clicks: number; weight: number }>();
	for (const fact of factsIn(rows, program, days)) {
		const value = String(valueOf(fact, by) ?? '');
		const { open_leads: _open, partners: _partners, clicks = 0, leads = 0, conversions = 0, ...ofSales } = fact.figures;
		const figures: Figures = by === 'product' ? ofSales : { clicks, leads, conversions, ...ofSales };
		sums.add(nameOf(rows, value, by), fact.currency, { ...figures, ...netOf(figures) });
		const rank = ranks.get(value) ?? { value, revenue: 0, clicks: 0, weight: 0 };
		ranks.set(value, rank);
		rank.clicks += figures.clicks ?? 0;
		if (fact.currency === program.currency) rank.revenue += figures.revenue_cents ?? 0;
		for (const count of ['clicks', 'leads', 'conversions', 'sales', 'commission_cents'] as const) rank.weight += figures[count] ?? 0;
	}
	const shown = [...ranks.values()].filter(({ weight }) => weight > 0);
	shown.sort((a, b) => b.revenue - a.revenue || b.clicks - a.clicks || (a.value < b.value ? 1 : -1));
	return { figures: sums.figures(), values: shown.map(({ value }) => nameOf(rows, value, by)) };
}

function factsIn(rows: Rows, program: ProgramRow, { first, last }: Days): Fact[] {
	return rawFacts(rows).filter(({ programId, day }) => programId === program.id && day >= first && day <= last);
}

/** A link stays with its first partner, even after the membership ends. */
function valueOf(fact: Fact, by: By): string | number | null {
	if (by !== 'partner') return fact[by];
	const link = WORLD.links.find(({ id }) => id === fact.link);
	return WORLD.memberships.find(({ id }) => id === link?.partnerProgramId)?.partnerId ?? null;
}

/** Includes the label that is displayed. */
function nameOf(rows: Rows, value: string, by: By): string {
	const label =
		value === ''
			? null
			: by === 'partner'
				? partnerName(rows, value)
				: by === 'link'
					? WORLD.links.find(({ id }) => id === Number(value))?.shortLink
					: value;
	return rowName(value, label ?? null);
}

function partnerName({ partners }: Rows, id: string): string {
	const isErased = partners.find((partner) => partner.id === Number(id))?.email.endsWith('@erased.invalid');
	return isErased ? 'Erased partner' : `Partner ${id}`;
}

export function rowName(value: string | number | null, label: string | null): string {
	return `${value ?? ''} (${label})`;
}

function netOf({ revenue_cents = 0, refunded_cents = 0, commission_cents = 0, deducted_cents = 0 }: Figures) {
	return {
		refunded_cents: 0,
		deducted_cents: 0,
		net_revenue: revenue_cents - refunded_cents,
		net_commission: commission_cents - deducted_cents,
	};
}

const IN_MONEY = ['revenue_cents', 'commission_cents', 'net_revenue', 'net_commission'];

class Sums {
	readonly #program: ProgramRow;
	readonly #sums = new Map<string, { readonly decimals: number; sum: number }>();

	constructor(program: ProgramRow) {
		this.#program = program;
	}

	add(of: string, code: string, figures: Readonly<Record<string, number>>): void {
		const isOwn = code === this.#program.currency;
		for (const [figure, value] of Object.entries(figures)) {
			const key = figureName(of, isOwn ? 'own' : code, figure);
			const entry = this.#sums.get(key) ?? { decimals: IN_MONEY.includes(figure) && code !== 'JPY' ? 2 : 0, sum: 0 };
			this.#sums.set(key, entry);
			entry.sum += value;
		}
	}

	figures(): ReportedFigures {
		return new Map([...this.#sums].map(([key, { decimals, sum }]) => [key, sum / 10 ** decimals]));
	}
}

/** `own` means the program's currency. */
export function figureName(of: string, currency: string, figure: string): string {
	return `${of} ${figure.replace('_cents', '')} ${currency}`;
}
