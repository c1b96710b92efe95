import { money, share } from '../../format.ts';
import type { Figures } from './queries.ts';

export const SERIES_NAMES = ['clicks', 'signups', 'customers', 'sales', 'revenue', 'commission'] as const;

export type SeriesName = (typeof SERIES_NAMES)[number];

interface Series {
	readonly label: string;
	readonly isMoney: boolean;
	/** For one day or all days. Money is in minor units. */
	readonly of: (figures: Figures) => number;
	/** Notes under the figure. */
	readonly more?: (figures: Figures, currency: string) => readonly string[];
	/** Other currencies than the program's, which are never added up. */
	readonly others?: (figures: Figures) => readonly string[];
}

export const SERIES: Readonly<Record<SeriesName, Series>> = {
	clicks: { label: 'Clicks', isMoney: false, of: ({ clicks }) => clicks },
	signups: { label: 'Sign-ups', isMoney: false, of: ({ leads }) => leads },
	customers: {
		label: 'New customers',
		isMoney: false,
		of: ({ conversions }) => conversions,
		more: ({ conversions, clicks }) => (clicks === 0 ? [] : [`${share(conversions / clicks)} of clicks`]),
	},
	sales: { label: 'Sales', isMoney: false, of: ({ sales }) => sales },
	revenue: {
		label: 'Revenue',
		isMoney: true,
		of: ({ revenue_cents }) => revenue_cents,
		more: (of, currency) => (of.revenue_cents === of.net_revenue_cents ? [] : [`${money(of.net_revenue_cents, currency)} after refunds`]),
		others: (of) => Object.entries(of.currencies).map(([code, { revenue_cents }]) => money(revenue_cents, code)),
	},
	commission: {
		label: 'You earned',
		isMoney: true,
		of: ({ net_commission_cents }) => net_commission_cents,
		more: (of, currency) =>
			of.commission_cents === of.net_commission_cents ? [] : [`of ${money(of.commission_cents, currency)} before refunds`],
		others: (of) => Object.entries(of.currencies).map(([code, { net_commission_cents }]) => money(net_commission_cents, code)),
	},
};
