import { daysThrough } from '../calendar.ts';
import { exponentOf, toMajorUnits } from '../money.ts';
import type { DayRange } from './report-range.ts';
import { roundHalfUp } from '../rounding.ts';

/** Counts are in the row for the program's currency. */
export interface DailyFigures extends Counts, Amounts {
	readonly day: string;
	readonly currency: string;
}

interface Counts {
	readonly clicks: number;
	/** Sign-ups of this day; `openLeads` are those who have not bought yet. */
	readonly leads: number;
	readonly openLeads: number;
	readonly conversions: number;
	readonly partners: number;
}

/** In minor units. Refunds count on the day of their sale, deductions on the day of their commission. */
export interface Amounts {
	readonly sales: number;
	readonly revenueCents: number;
	readonly refundedCents: number;
	readonly commissionCents: number;
	readonly deductedCents: number;
}

export interface Trend {
	/** Absolute change in percent, one decimal. */
	readonly trend: number;
	readonly trendDirection: 'up' | 'down' | 'stable';
}

/** `data` and `metrics` of the report (contract, 4.7; decisions 22 and 24). */
export function performanceOf(rows: readonly DailyFigures[], currency: string, current: DayRange, previous: DayRange) {
	const within = ({ first, last }: DayRange) => rows.filter(({ day }) => day >= first && day <= last);
	return { data: dayRowsOf(within(current), currency, current), metrics: metricsOf(within(current), within(previous), currency) };
}

/** Both values are >= 0. */
export function trendOf(current: number, previous: number): Trend {
	if (current === previous) return { trend: 0, trendDirection: 'stable' };
	const trendDirection = current > previous ? 'up' : 'down';
	if (previous === 0) return { trend: 100, trendDirection };
	return { trend: roundHalfUp(100n * BigInt(Math.abs(current - previous)), previous, 1), trendDirection };
}

/** A percentage with 2 decimals; 0 if `whole` is 0. */
export function percentageOf(part: number, whole: number): number {
	return whole === 0 ? 0 : roundHalfUp(100n * BigInt(part), whole, 2);
}

/** In major units, 2 decimals; 0 if `among` is 0. */
export function averageOf(cents: number, currency: string, among: number): number {
	return among === 0 ? 0 : roundHalfUp(cents, 10n ** BigInt(exponentOf(currency)) * BigInt(among), 2);
}

export type DayRow = ReturnType<typeof dayRowOf>;

function dayRowsOf(rows: readonly DailyFigures[], currency: string, range: DayRange): DayRow[] {
	return eachDayOf(rows, range, (day, its) => dayRowOf(day, totalsOf(its, currency), currency));
}

/** One row per day, including days without events. */
export function eachDayOf<Row>(
	rows: readonly DailyFigures[],
	{ first, last }: DayRange,
	rowOf: (day: string, its: readonly DailyFigures[]) => Row,
): Row[] {
	const byDay = Map.groupBy(rows, ({ day }) => day);
	return daysThrough(first, last).map((day) => rowOf(day, byDay.get(day) ?? []));
}

export function dayRowOf(day: string, totals: Totals, currency: string) {
	const currencies = eachOf(totals.others, ({ revenueCents, commissionCents }, code) => ({
		revenue: toMajorUnits(revenueCents, code),
		commission: toMajorUnits(commissionCents, code),
	}));
	return {
		date: day,
		period: day,
		clicks: totals.clicks,
		leads: totals.leads,
		conversions: totals.conversions,
		revenue: toMajorUnits(totals.revenueCents, currency),
		partners: totals.partners,
		sales: 0,
		commission: toMajorUnits(totals.commissionCents, currency),
		...(Object.keys(currencies).length === 0 ? {} : { currencies }),
	};
}

function metricsOf(currentRows: readonly DailyFigures[], previousRows: readonly DailyFigures[], currency: string) {
	const current = totalsOf(currentRows, currency);
	return { ...sumsOf(current, currency), ...trendsOf(current, totalsOf(previousRows, currency)) };
}

export function sumsOf(current: Totals, currency: string) {
	return {
		totalClicks: current.clicks,
		totalLeads: current.openLeads,
		totalSignups: current.leads,
		totalConversions: current.conversions,
		totalRevenue: averageOf(current.revenueCents, currency, 1),
		netRevenue: averageOf(current.revenueCents - current.refundedCents, currency, 1),
		conversionRate: percentageOf(current.conversions, current.clicks),
		averageOrderValue: averageOf(current.revenueCents, currency, current.conversions),
		averageSaleValues: averagesOf(current, currency),
		totalPartners: current.partners,
		totalSales: current.allSales,
		totalPartnersCommission: averageOf(current.commissionCents, currency, 1),
		netCommission: averageOf(current.commissionCents - current.deductedCents, currency, 1),
		currencies: eachOf(current.others, amountMetricsOf),
	};
}

/** Amounts in different currencies are never added together. */
function averagesOf({ sales, revenueCents, others }: Totals, currency: string): Record<string, number> {
	const selling = Object.entries({ [currency]: { sales, revenueCents }, ...others }).filter(([, amounts]) => amounts.sales > 0);
	return Object.fromEntries(selling.map(([code, amounts]) => [code, averageOf(amounts.revenueCents, code, amounts.sales)]));
}

export function trendsOf(current: Totals, previous: Totals) {
	return {
		clicksTrend: trendOf(current.clicks, previous.clicks),
		leadsTrend: trendOf(current.openLeads, previous.openLeads),
		conversionsTrend: trendOf(current.conversions, previous.conversions),
		revenueTrend: trendOf(current.revenueCents, previous.revenueCents),
		partnersTrend: trendOf(current.partners, previous.partners),
		salesTrend: trendOf(current.allSales, previous.allSales),
		commissionTrend: trendOf(current.commissionCents, previous.commissionCents),
	};
}

function amountMetricsOf(amounts: Amounts, currency: string) {
	return {
		totalSales: amounts.sales,
		totalRevenue: averageOf(amounts.revenueCents, currency, 1),
		netRevenue: averageOf(amounts.revenueCents - amounts.refundedCents, currency, 1),
		totalPartnersCommission: averageOf(amounts.commissionCents, currency, 1),
		netCommission: averageOf(amounts.commissionCents - amounts.deductedCents, currency, 1),
	};
}

export function eachOf<Figures>(amounts: Readonly<Record<string, Amounts>>, figuresOf: (amounts: Amounts, code: string) => Figures) {
	return Object.fromEntries(Object.entries(amounts).map(([code, of]): [string, Figures] => [code, figuresOf(of, code)]));
}

export type Totals = ReturnType<typeof totalsOf>;

const NO_AMOUNTS: Amounts = { sales: 0, revenueCents: 0, refundedCents: 0, commissionCents: 0, deductedCents: 0 };

/** `others` has amounts in other currencies, which are never converted. Sales are counted in all currencies. */
export function totalsOf(rows: readonly DailyFigures[], currency: string) {
	const totals = { clicks: 0, leads: 0, openLeads: 0, conversions: 0, partners: 0, allSales: 0 };
	const foreign: Record<string, Amounts> = {};
	let own = NO_AMOUNTS;
	for (const row of rows) {
		totals.clicks += row.clicks;
		totals.leads += row.leads;
		totals.openLeads += row.openLeads;
		totals.conversions += row.conversions;
		totals.partners += row.partners;
		totals.allSales += row.sales;
		if (row.currency === currency) own = addAmounts(own, row);
		else foreign[row.currency] = addAmounts(foreign[row.currency] ?? NO_AMOUNTS, row);
	}
	const others = Object.fromEntries(
		Object.entries(foreign)
			.filter(([, { sales, commissionCents }]) => sales !== 0 || commissionCents !== 0)
			.toSorted(([a], [b]) => (a < b ? -1 : 1)),
	);
	return { ...totals, ...own, others };
}

function addAmounts(sum: Amounts, row: Amounts): Amounts {
	return {
		sales: sum.sales + row.sales,
		revenueCents: sum.revenueCents + row.revenueCents,
		refundedCents: sum.refundedCents + row.refundedCents,
		commissionCents: sum.commissionCents + row.commissionCents,
		deductedCents: sum.deductedCents + row.deductedCents,
	};
}
