import * as z from 'zod/mini';
import { Count, CurrencyCode, Day, Instant, PageMeta, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

const Major = z.number();

const ByCurrency = z.record(CurrencyCode, z.object({ revenue: is(Major, 'Major units.'), commission: is(Major, 'Major units.') }));

export const PerformanceDay = named(
	'PerformanceDay',
	"What happened on one day. Amounts are major units (dollars) of the program's currency.",
	z.object({
		date: is(Day, "The day, in the program's time zone."),
		period: is(Day, 'The same as `date`.'),
		clicks: is(Count, 'Clicks, without tests and crawlers.'),
		leads: is(Count, 'Customers who signed up that day.'),
		conversions: is(Count, 'Customers who bought for the first time that day.'),
		revenue: is(Major, 'Gross sales recorded that day.'),
		partners: is(Count, 'Partners who joined that day.'),
		sales: is(z.literal(0), 'Always 0; `metrics.totalSales` counts them.'),
		commission: is(Major, 'Gross commissions created that day.'),
		currencies: is(z.optional(ByCurrency), 'Figures in other currencies, by ISO 4217 code. Never added up.'),
	}),
);

export const Trend = named(
	'Trend',
	'The change against the previous period.',
	z.object({
		trend: is(z.number().check(z.minimum(0)), 'The change in percent, without sign, one decimal. 100 if the previous period had nothing.'),
		trendDirection: is(z.enum(['up', 'down', 'stable']), 'The direction of the change.'),
	}),
);

const amounts = {
	totalSales: is(Count, 'Sales.'),
	totalRevenue: is(Major, 'Gross sales, 2 decimals.'),
	netRevenue: is(Major, 'Sales less later refunds.'),
	totalPartnersCommission: is(Major, 'Gross commissions, 2 decimals.'),
	netCommission: is(Major, 'Commissions less later deductions.'),
};

export const PerformanceMetrics = named(
	'PerformanceMetrics',
	"Sums over the range. Amounts are major units (dollars) of the program's currency.",
	z.object({
		...amounts,
		totalClicks: is(Count, 'Clicks, without tests and crawlers.'),
		totalLeads: is(Count, 'Customers who signed up in the range and have not bought yet.'),
		totalSignups: is(Count, 'Customers who signed up in the range.'),
		totalConversions: is(Count, 'Customers who bought for the first time in the range.'),
		totalSales: is(Count, 'Sales, in all currencies.'),
		conversionRate: is(Major, '`totalConversions` in percent of `totalClicks`, 2 decimals; 0 without clicks.'),
		averageOrderValue: is(Major, '`totalRevenue` per conversion, 2 decimals; 0 without conversions.'),
		averageSaleValues: is(z.record(CurrencyCode, Major), 'Revenue per sale, by ISO 4217 code, 2 decimals; omits currencies without sales.'),
		totalPartners: is(Count, 'Partners who joined in the range.'),
		currencies: is(z.record(CurrencyCode, z.object(amounts)), 'Figures in other currencies, by ISO 4217 code, in their major units.'),
		clicksTrend: is(Trend, 'The trend of `totalClicks`.'),
		leadsTrend: is(Trend, 'The trend of `totalLeads`.'),
		conversionsTrend: is(Trend, 'The trend of `totalConversions`.'),
		revenueTrend: is(Trend, 'The trend of `totalRevenue`.'),
		partnersTrend: is(Trend, 'The trend of `totalPartners`.'),
		salesTrend: is(Trend, 'The trend of `totalSales`.'),
		commissionTrend: is(Trend, 'The trend of `totalPartnersCommission`.'),
	}),
);

const range = {
	dateFrom: is(Instant, 'The first millisecond of the range, UTC.'),
	dateTo: is(Instant, 'The last millisecond of the range, UTC.'),
};

const PerformanceMeta = z.object({
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As requested.'),
	...range,
	previousPeriod: is(z.object(range), 'The previous range, of the same length, with which trends compare.'),
});

export const Report = named(
	'PerformanceReport',
	'The report, day by day.',
	z.object({
		data: is(z.array(PerformanceDay), 'One row per day of the range, in order, including days without events.'),
		metrics: is(PerformanceMetrics, 'Sums over the range.'),
		meta: is(PerformanceMeta, 'The range.'),
	}),
);

const By = z.enum(['partner', 'link', 'product', 'country', 'source']);

const filter = {
	by: is(By, 'The dimension of the filter.'),
	value: is(z.union([z.string(), z.int()]), 'The value that was sent.'),
	label: is(
		z.nullable(Text),
		"The value for display: the partner's name, the link's `short_link`, otherwise the value itself; null if the program has no such partner or link.",
	),
};

const dayAmounts = {
	revenue: is(Major, 'Gross sales recorded that day.'),
	netRevenue: is(Major, 'Sales less later refunds.'),
	commission: is(Major, 'Gross commissions created that day.'),
	netCommission: is(Major, 'Commissions less later deductions.'),
};

export const DetailedDay = named(
	'PerformanceDayInDetail',
	"What happened on one day. Amounts are major units (dollars) of the program's currency.",
	z.object({
		date: PerformanceDay.shape.date,
		period: PerformanceDay.shape.period,
		clicks: is(z.nullable(Count), 'Clicks, without tests and crawlers; null for a product.'),
		leads: is(z.nullable(Count), 'Customers who signed up that day; null for a product.'),
		conversions: is(z.nullable(Count), 'Customers who bought for the first time that day; null for a product.'),
		partners: is(z.nullable(Count), 'Partners who joined that day; null if a filter is sent.'),
		sales: is(z.literal(0), 'Always 0; `totalSales` counts them.'),
		...dayAmounts,
		totalSales: is(Count, 'Sales, in all currencies.'),
		currencies: is(
			z.optional(z.record(CurrencyCode, z.object({ ...dayAmounts, totalSales: is(Count, 'Sales.') }))),
			'Figures in other currencies, by ISO 4217 code, in their major units.',
		),
	}),
);

const detailedSums = {
	...amounts,
	totalClicks: is(z.nullable(Count), 'Clicks, without tests and crawlers; null for a product.'),
	totalLeads: is(z.nullable(Count), 'Customers who signed up in the range and have not bought yet; null if a filter is sent.'),
	totalSignups: is(z.nullable(Count), 'Customers who signed up in the range; null for a product.'),
	totalConversions: is(z.nullable(Count), 'Customers who bought for the first time in the range; null for a product.'),
	totalSales: is(Count, 'Sales, in all currencies.'),
	conversionRate: is(z.nullable(Major), '`totalConversions` in percent of `totalClicks`, 2 decimals; null for a product.'),
	averageOrderValue: is(z.nullable(Major), '`totalRevenue` per conversion, 2 decimals; null for a product.'),
	averageSaleValues: PerformanceMetrics.shape.averageSaleValues,
	totalPartners: is(z.nullable(Count), 'Partners who joined in the range; null if a filter is sent.'),
	currencies: PerformanceMetrics.shape.currencies,
};

export const DetailedReport = named(
	'PerformanceInDetail',
	'The report for one value, or with the previous range: returned if a filter or `compare` is sent, without `by`.',
	z.object({
		data: is(z.array(DetailedDay), 'One row per day of the range, in order, including days without events.'),
		metrics: is(
			z.object({
				...detailedSums,
				clicksTrend: is(z.nullable(Trend), 'The trend of `totalClicks`.'),
				leadsTrend: is(z.nullable(Trend), 'The trend of `totalLeads`.'),
				signupsTrend: is(z.nullable(Trend), 'The trend of `totalSignups`.'),
				conversionsTrend: is(z.nullable(Trend), 'The trend of `totalConversions`.'),
				revenueTrend: is(Trend, 'The trend of `totalRevenue`.'),
				partnersTrend: is(z.nullable(Trend), 'The trend of `totalPartners`.'),
				salesTrend: is(Trend, 'The trend of `totalSales`.'),
				commissionTrend: is(Trend, 'The trend of `totalPartnersCommission`.'),
			}),
			'Sums over the range, and how they compare with the previous range.',
		),
		previous: is(
			z.nullable(
				z.object({
					data: is(z.array(DetailedDay), 'The same number of days as the range, in the same order.'),
					metrics: is(z.object(detailedSums), 'Sums over these days.'),
				}),
			),
			'The previous range, `meta.previousPeriod`, with which trends compare; null without `compare`.',
		),
		meta: is(
			z.extend(PerformanceMeta, {
				filter: is(
					z.nullable(
						z.object({
							...filter,
							unknown: is(
								z.array(Text),
								'The fields that are null in days, sums and trends, because they are not stored for such a value.',
							),
						}),
					),
					'The filter; null if none was sent.',
				),
			}),
			'The range and the filter.',
		),
	}),
);

const figures = {
	revenue: is(Major, 'Gross sales, in major units.'),
	netRevenue: is(Major, 'Sales less later refunds.'),
	sales: is(Count, 'Sales.'),
	commission: is(Major, 'Gross commissions, in major units.'),
	netCommission: is(Major, 'Commissions less later deductions.'),
};

export const BreakdownRow = named(
	'BreakdownRow',
	"The figures for one value. Amounts are major units (dollars) of the program's currency.",
	z.object({
		value: is(
			z.union([z.string(), z.int(), z.null()]),
			'The id of the partner or link, the product, the country, or the host that visitors came from; null if none or unknown.',
		),
		label: is(z.nullable(Text), "The value for display: the partner's name, the link's `short_link`, otherwise the value itself."),
		clicks: is(z.nullable(Count), 'Clicks, without tests and crawlers; null for products.'),
		leads: is(z.nullable(Count), 'Customers who signed up in the range; null for products.'),
		conversions: is(z.nullable(Count), 'Customers who bought for the first time in the range; null for products.'),
		...figures,
		sales: is(Count, 'Sales, in all currencies.'),
		currencies: is(
			z.optional(z.record(CurrencyCode, z.object(figures))),
			'Figures in other currencies, by ISO 4217 code, in their major units.',
		),
	}),
);

export const Breakdown = named(
	'PerformanceBreakdown',
	'The report, broken down: returned if `by` is sent.',
	z.object({
		data: is(z.array(BreakdownRow), 'Sorted by highest revenue, then by most clicks.'),
		meta: is(
			z.object({
				by: is(By, 'The dimension of the breakdown.'),
				period: PerformanceMeta.shape.period,
				...range,
				filter: is(z.optional(z.object(filter)), 'The filter, if one was sent.'),
				next_cursor: PageMeta.shape.next_cursor,
			}),
			'The range, and where the next page begins.',
		),
	}),
);
