import { daysThrough } from '../calendar.ts';
import type { Amounts } from './performance.ts';
import type { DayRange } from './report-range.ts';

/** In minor units. Counts are in the row for the program's currency. */
export interface LinkFigures extends Amounts {
	readonly day: string;
	readonly linkId: number;
	readonly currency: string;
	readonly clicks: number;
	readonly leads: number;
	readonly conversions: number;
}

/** `others` has amounts in other currencies, which are never converted. Sales are counted in all currencies. */
export interface PartnerFigures extends Amounts {
	readonly clicks: number;
	readonly leads: number;
	readonly conversions: number;
	readonly others: Readonly<Record<string, Amounts>>;
}

/** By day, by link and in total. `previous` is set if it was requested. */
export function partnerPerformanceOf(rows: readonly LinkFigures[], currency: string, current: DayRange, previous: DayRange | undefined) {
	const within = ({ first, last }: DayRange) => rows.filter(({ day }) => day >= first && day <= last);
	const own = within(current);
	const byLink = Map.groupBy(own, ({ linkId }) => linkId);
	return {
		days: daysOf(own, currency, current),
		links: new Map([...byLink].map(([linkId, its]): [number, PartnerFigures] => [linkId, sumOf(its, currency)])),
		totals: sumOf(own, currency),
		previousDays: previous && daysOf(within(previous), currency, previous),
		previousTotals: previous && sumOf(within(previous), currency),
	};
}

function daysOf(rows: readonly LinkFigures[], currency: string, { first, last }: DayRange) {
	const byDay = Map.groupBy(rows, ({ day }) => day);
	return daysThrough(first, last).map((day) => ({ day, figures: sumOf(byDay.get(day) ?? [], currency) }));
}

const NONE: Amounts = { sales: 0, revenueCents: 0, refundedCents: 0, commissionCents: 0, deductedCents: 0 };

export function sumOf(rows: readonly LinkFigures[], currency: string): PartnerFigures {
	const counts = { clicks: 0, leads: 0, conversions: 0, sales: 0 };
	const amounts: Record<string, Amounts> = {};
	for (const row of rows) {
		counts.clicks += row.clicks;
		counts.leads += row.leads;
		counts.conversions += row.conversions;
		counts.sales += row.sales;
		amounts[row.currency] = add(amounts[row.currency] ?? NONE, row);
	}
	const { [currency]: own = NONE, ...foreign } = amounts;
	const others = Object.entries(foreign).filter(([, { sales, commissionCents }]) => sales !== 0 || commissionCents !== 0);
	return { ...own, ...counts, others: Object.fromEntries(others.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

function add(sum: Amounts, row: Amounts): Amounts {
	return {
		sales: sum.sales + row.sales,
		revenueCents: sum.revenueCents + row.revenueCents,
		refundedCents: sum.refundedCents + row.refundedCents,
		commissionCents: sum.commissionCents + row.commissionCents,
		deductedCents: sum.deductedCents + row.deductedCents,
	};
}
