import type { Dimension } from './breakdown.ts';
import { toMajorUnits } from '../money.ts';
import {
	type Amounts,
	type DailyFigures,
	dayRowOf,
	eachDayOf,
	eachOf,
	performanceOf,
	sumsOf,
	type Totals,
	totalsOf,
	type Trend,
	trendOf,
} from './performance.ts';
import type { DayRange } from './report-range.ts';

// A more detailed report than the contract's (decision 45): it can show one value of a dimension, and it includes the previous range.

type Metrics = ReturnType<typeof performanceOf>['metrics'] & { readonly signupsTrend: Trend };
type OrUnknown<Figures> = { readonly [Name in keyof Figures]: Name extends Unknown ? Figures[Name] | null : Figures[Name] };

export type DetailedDay = OrUnknown<ReturnType<typeof detailedDayOf>>;

export interface DetailedPerformance {
	readonly data: readonly DetailedDay[];
	readonly metrics: OrUnknown<Metrics>;
	/** The previous range has as many days, so they match by index. */
	readonly previous: { readonly data: readonly DetailedDay[]; readonly metrics: OrUnknown<ReturnType<typeof sumsOf>> };
}

/** Fields without data are null. */
export function detailedPerformanceOf(
	rows: readonly DailyFigures[],
	currency: string,
	ranges: { readonly current: DayRange; readonly previous: DayRange },
	by: Dimension | undefined,
): DetailedPerformance {
	const { current, previous } = ranges;
	const { metrics } = performanceOf(rows, currency, current, previous);
	const [now, before] = [within(rows, current), within(rows, previous)];
	const daysOf = (its: readonly DailyFigures[], range: DayRange) =>
		eachDayOf(its, range, (day, ofDay) => ({ ...detailedDayOf(day, totalsOf(ofDay, currency), currency), ...unknownOf(by).day }));
	const [totals, totalsBefore] = [totalsOf(now, currency), totalsOf(before, currency)];
	return {
		data: daysOf(now, current),
		metrics: { ...metrics, signupsTrend: trendOf(totals.leads, totalsBefore.leads), ...unknownOf(by).sums, ...unknownOf(by).trends },
		previous: { data: daysOf(before, previous), metrics: { ...sumsOf(totalsBefore, currency), ...unknownOf(by).sums } },
	};
}

function within(rows: readonly DailyFigures[], { first, last }: DayRange): DailyFigures[] {
	return rows.filter(({ day }) => day >= first && day <= last);
}

function detailedDayOf(day: string, totals: Totals, currency: string) {
	const { currencies: _amounts, ...row } = dayRowOf(day, totals, currency);
	const currencies = eachOf(totals.others, (amounts, code) => ({ ...amountsOf(amounts, code), totalSales: amounts.sales }));
	return {
		...row,
		...amountsOf(totals, currency),
		totalSales: totals.allSales,
		...(Object.keys(currencies).length === 0 ? {} : { currencies }),
	};
}

/** In major units. */
function amountsOf({ revenueCents, refundedCents, commissionCents, deductedCents }: Amounts, currency: string) {
	return {
		revenue: toMajorUnits(revenueCents, currency),
		netRevenue: toMajorUnits(revenueCents - refundedCents, currency),
		commission: toMajorUnits(commissionCents, currency),
		netCommission: toMajorUnits(commissionCents - deductedCents, currency),
	};
}

const ALL_KNOWN = { day: {}, sums: {}, trends: {} } as const;

const NOT_OF_A_VALUE = {
	day: { partners: null },
	sums: { totalLeads: null, totalPartners: null },
	trends: { leadsTrend: null, partnersTrend: null },
} as const;

const NOT_OF_A_PRODUCT = {
	day: { clicks: null, leads: null, conversions: null, ...NOT_OF_A_VALUE.day },
	sums: {
		totalClicks: null,
		totalSignups: null,
		totalConversions: null,
		conversionRate: null,
		averageOrderValue: null,
		...NOT_OF_A_VALUE.sums,
	},
	trends: { clicksTrend: null, signupsTrend: null, conversionsTrend: null, ...NOT_OF_A_VALUE.trends },
} as const;

type Unknown = { [Part in keyof typeof NOT_OF_A_PRODUCT]: keyof (typeof NOT_OF_A_PRODUCT)[Part] }[keyof typeof NOT_OF_A_PRODUCT];

function unknownOf(by: Dimension | undefined) {
	if (by === undefined) return ALL_KNOWN;
	return by === 'product' ? NOT_OF_A_PRODUCT : NOT_OF_A_VALUE;
}

export function unknownFieldsOf(by: Dimension): string[] {
	return Object.values(unknownOf(by)).flatMap((fields) => Object.keys(fields));
}
