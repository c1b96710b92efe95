import { amount, count, roughAmount, roughCount, share } from '../../format.ts';
import type { Report } from './report.ts';

type Metrics = Report['metrics'];
type Day = Report['data'][number];
type Trend = Metrics['salesTrend'] | null;

export type SeriesName = 'clicks' | 'signups' | 'customers' | 'sales' | 'revenue' | 'commission';

interface Series {
	readonly label: string;
	readonly isMoney: boolean;
	/** Null if the figure is not stored for the report's filter. */
	readonly total: (metrics: Metrics) => number | null;
	readonly trend: (metrics: Metrics) => Trend;
	readonly ofDay: (row: Day) => number | null;
	/** Notes under the figure. */
	readonly more?: (metrics: Metrics, currency: string) => readonly string[];
}

/** The figures of the tiles and the chart. */
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
		more: (of) => Object.entries(of.averageSaleValues).map(([code, value]) => `${amount(value, code)} average`),
	},
	revenue: {
		label: 'Revenue',
		isMoney: true,
		total: (of) => of.totalRevenue,
		trend: (of) => of.revenueTrend,
		ofDay: (row) => row.revenue,
		more: (of, currency) => moreOf(of, 'revenue', of.netRevenue === of.totalRevenue ? [] : [`${amount(of.netRevenue, currency)} net`]),
	},
	commission: {
		label: 'Commission',
		isMoney: true,
		total: (of) => of.totalPartnersCommission,
		trend: (of) => of.commissionTrend,
		ofDay: (row) => row.commission,
		more: (of, currency) =>
			moreOf(of, 'commission', of.netCommission === of.totalPartnersCommission ? [] : [`${amount(of.netCommission, currency)} net`]),
	},
};

export const SERIES_NAMES = ['clicks', 'signups', 'customers', 'sales', 'revenue', 'commission'] as const satisfies readonly SeriesName[];

/** Exact and rounded formatters for the values of a series. */
export function writer(name: SeriesName, currency: string) {
	return SERIES[name].isMoney
		? { exact: (value: number) => amount(value, currency), rough: (value: number) => roughAmount(value, currency) }
		: { exact: count, rough: roughCount };
}

/** Adds notes for other currencies, which are never added up. */
function moreOf({ currencies }: Metrics, what: 'revenue' | 'commission', own: readonly string[]): readonly string[] {
	const others = Object.entries(currencies).map(
		([code, figures]) => `+ ${amount(what === 'revenue' ? figures.totalRevenue : figures.totalPartnersCommission, code)}`,
	);
	return [...own, ...others];
}
