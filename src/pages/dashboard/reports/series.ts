import { amount, count, roughAmount, roughCount, share, shortAmount, shortCount } from '../../format.ts';
import type { Report } from './report.ts';

type Metrics = Report['metrics'];
type Sums = NonNullable<Report['previous']>['metrics'];
type Day = Report['data'][number];
type Trend = Metrics['salesTrend'] | null;

export type SeriesName = 'clicks' | 'signups' | 'customers' | 'sales' | 'revenue' | 'commission';

interface Series {
	readonly label: string;
	readonly isMoney: boolean;
	/** Null if the figure is not stored for the report's filter. */
	readonly total: (sums: Sums) => number | null;
	readonly trend: (metrics: Metrics) => Trend;
	readonly ofDay: (row: Day) => number | null;
	/** Notes under the figure. */
	readonly more?: (metrics: Metrics, currency: string) => readonly string[];
	/** Other currencies than the program's, which are never added up. */
	readonly others?: (metrics: Metrics, currency: string) => readonly string[];
}

export const SERIES: Readonly<Record<SeriesName, Series>> = {
	clicks: { label: 'Clicks', isMoney: false, total: (of) => of.totalClicks, trend: (of) => of.clicksTrend, ofDay: (row) => row.clicks },
	signups: { label: 'Sign-ups', isMoney: false, total: (of) => of.totalSignups, trend: (of) => of.signupsTrend, ofDay: (row) => row.leads },
	customers: {
		label: 'New customers',
		isMoney: false,
		total: (of) => of.totalConversions,
		trend: (of) => of.conversionsTrend,
		ofDay: (row) => row.conversions,
		more: (of) => (of.conversionRate === null ? [] : [`${share(of.conversionRate / 100)} of clicks`]),
	},
	sales: {
		label: 'Sales',
		isMoney: false,
		total: (of) => of.totalSales,
		trend: (of) => of.salesTrend,
		ofDay: (row) => row.totalSales,
		more: (of, currency) => averagesOf(of, (code) => code === currency),
		others: (of, currency) => averagesOf(of, (code) => code !== currency),
	},
	revenue: {
		label: 'Revenue',
		isMoney: true,
		total: (of) => of.totalRevenue,
		trend: (of) => of.revenueTrend,
		ofDay: (row) => row.revenue,
		more: (of, currency) => (of.netRevenue === of.totalRevenue ? [] : [`${shortAmount(of.netRevenue, currency)} net`]),
		others: (of) => Object.entries(of.currencies).map(([code, { totalRevenue }]) => amount(totalRevenue, code)),
	},
	commission: {
		label: 'Commission',
		isMoney: true,
		total: (of) => of.totalPartnersCommission,
		trend: (of) => of.commissionTrend,
		ofDay: (row) => row.commission,
		more: (of, currency) => (of.netCommission === of.totalPartnersCommission ? [] : [`${shortAmount(of.netCommission, currency)} net`]),
		others: (of) => Object.entries(of.currencies).map(([code, figures]) => amount(figures.totalPartnersCommission, code)),
	},
};

export const SERIES_NAMES = ['clicks', 'signups', 'customers', 'sales', 'revenue', 'commission'] as const satisfies readonly SeriesName[];

/** Exact, shortened and rounded formatters. */
export function writer(name: SeriesName, currency: string) {
	return SERIES[name].isMoney
		? {
				exact: (value: number) => amount(value, currency),
				short: (value: number) => shortAmount(value, currency),
				rough: (value: number) => roughAmount(value, currency),
			}
		: { exact: count, short: shortCount, rough: roughCount };
}

function averagesOf({ averageSaleValues }: Metrics, isShown: (code: string) => boolean): readonly string[] {
	const shown = Object.entries(averageSaleValues).filter(([code]) => isShown(code));
	return shown.map(([code, value]) => `${amount(value, code)} average`);
}
