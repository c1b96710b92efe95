import * as z from 'zod/mini';
import { Count, CurrencyCode, Day, Instant, PageMeta, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

const Major = z.number();

const ByCurrency = z.record(CurrencyCode, z.object({ revenue: is(Major, 'Major units.'), commission: is(Major, 'Major units.') }));

export const PerformanceDay = named(
	'PerformanceDay',
	"What happened on one day. Amounts are major units (dollars) of the program's currency.",
	z.object({
		date: is(Day, "The day, of the program's time zone."),
		period: is(Day, 'The same as `date`.'),
		clicks: is(Count, 'Clicks, without tests and crawlers.'),
		leads: is(Count, 'Customers who signed up that day.'),
		conversions: is(Count, 'Customers who bought for the first time that day.'),
		revenue: is(Major, 'Sales recorded that day, gross.'),
		partners: is(Count, 'Partners who joined that day.'),
		sales: is(z.literal(0), 'Always 0; `metrics.totalSales` counts them.'),
		commission: is(Major, 'Commissions made that day, gross.'),
		currencies: is(z.optional(ByCurrency), 'Figures in other currencies, by ISO 4217 code. Never added.'),
	}),
);

export const Trend = named(
	'Trend',
	'The change against the period before.',
	z.object({
		trend: is(z.number().check(z.minimum(0)), 'Percent of change, without sign, one decimal. 100 if the earlier value was 0.'),
		trendDirection: is(z.enum(['up', 'down', 'stable']), 'Which way.'),
	}),
);

const amounts = {
	totalSales: is(Count, 'Sales.'),
	totalRevenue: is(Major, 'Sales, gross, 2 decimals.'),
	netRevenue: is(Major, 'The same, minus refunds since then.'),
	totalPartnersCommission: is(Major, 'Commissions, gross, 2 decimals.'),
	netCommission: is(Major, 'The same, minus deductions since then.'),
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
		averageSaleValues: is(
			z.record(CurrencyCode, Major),
			'Revenue per sale, by ISO 4217 code, 2 decimals; a currency without sales is left out.',
		),
		totalPartners: is(Count, 'Partners who joined in the range.'),
		currencies: is(z.record(CurrencyCode, z.object(amounts)), 'Figures in other currencies, by ISO 4217 code, in their major units.'),
		clicksTrend: is(Trend, 'Of `totalClicks`.'),
		leadsTrend: is(Trend, 'Of `totalLeads`.'),
		conversionsTrend: is(Trend, 'Of `totalConversions`.'),
		revenueTrend: is(Trend, 'Of `totalRevenue`.'),
		partnersTrend: is(Trend, 'Of `totalPartners`.'),
		salesTrend: is(Trend, 'Of `totalSales`.'),
		commissionTrend: is(Trend, 'Of `totalPartnersCommission`.'),
	}),
);

const range = { dateFrom: is(Instant, 'Its first millisecond, UTC.'), dateTo: is(Instant, 'Its last millisecond, UTC.') };

const PerformanceMeta = z.object({
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As requested.'),
	...range,
	previousPeriod: is(z.object(range), 'The range before, of the same length, that trends compare with.'),
});

export const Report = named(
	'PerformanceReport',
	'The report, day by day.',
	z.object({
		data: is(z.array(PerformanceDay), 'A row per day of the range, in order; days on which nothing happened too.'),
		metrics: is(PerformanceMetrics, 'Sums over the range.'),
		meta: is(PerformanceMeta, 'What range it is.'),
	}),
);

const By = z.enum(['partner', 'link', 'product', 'country', 'source']);

const filter = {
	by: is(By, 'What it is filtered by.'),
	value: is(z.union([z.string(), z.int()]), 'The value that was sent.'),
	label: is(
		z.nullable(Text),
		"The value for people: the partner's name, the link's `short_link`, else the value itself; null if the program has no such partner or link.",
	),
};

const dayAmounts = {
	revenue: is(Major, 'Sales recorded that day, gross.'),
	netRevenue: is(Major, 'The same, minus refunds since then.'),
	commission: is(Major, 'Commissions made that day, gross.'),
	netCommission: is(Major, 'The same, minus deductions since then.'),
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
	'The report of one value, or with the days before: answered where a filter or `compare` is sent, without `by`.',
	z.object({
		data: is(z.array(DetailedDay), 'A row per day of the range, in order; days on which nothing happened too.'),
		metrics: is(
			z.object({
				...detailedSums,
				clicksTrend: is(z.nullable(Trend), 'Of `totalClicks`.'),
				leadsTrend: is(z.nullable(Trend), 'Of `totalLeads`.'),
				signupsTrend: is(z.nullable(Trend), 'Of `totalSignups`.'),
				conversionsTrend: is(z.nullable(Trend), 'Of `totalConversions`.'),
				revenueTrend: is(Trend, 'Of `totalRevenue`.'),
				partnersTrend: is(z.nullable(Trend), 'Of `totalPartners`.'),
				salesTrend: is(Trend, 'Of `totalSales`.'),
				commissionTrend: is(Trend, 'Of `totalPartnersCommission`.'),
			}),
			'Sums over the range, and how they compare with the range before.',
		),
		previous: is(
			z.nullable(
				z.object({
					data: is(z.array(DetailedDay), 'As many days as in the range: the first one is compared with the first one of the range.'),
					metrics: is(z.object(detailedSums), 'Their sums.'),
				}),
			),
			'The range before, `meta.previousPeriod`, which trends compare with; null without `compare`.',
		),
		meta: is(
			z.extend(PerformanceMeta, {
				filter: is(
					z.nullable(
						z.object({
							...filter,
							unknown: is(z.array(Text), 'The fields that are null, in days, sums and trends: nothing is kept of them under such a value.'),
						}),
					),
					'The one value that it is of; null: all.',
				),
			}),
			'What range it is, and of what.',
		),
	}),
);

const figures = {
	revenue: is(Major, 'Sales, gross, in major units.'),
	netRevenue: is(Major, 'The same, minus refunds since then.'),
	sales: is(Count, 'Sales.'),
	commission: is(Major, 'Commissions, gross, in major units.'),
	netCommission: is(Major, 'The same, minus deductions since then.'),
};

export const BreakdownRow = named(
	'BreakdownRow',
	"What there was under one value. Amounts are major units (dollars) of the program's currency.",
	z.object({
		value: is(
			z.union([z.string(), z.int(), z.null()]),
			'The number of the partner or link, the product, the country, or the host that visitors came from; null: none, or not known.',
		),
		label: is(z.nullable(Text), "The value for people: the partner's name, the link's `short_link`, else the value itself."),
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
	'The breakdown: the response if `by` is sent.',
	z.object({
		data: is(z.array(BreakdownRow), 'The greatest revenue first, then the most clicks.'),
		meta: is(
			z.object({
				by: is(By, 'What it is broken down by.'),
				period: PerformanceMeta.shape.period,
				...range,
				filter: is(z.optional(z.object(filter)), 'If a filter is sent: its value.'),
				next_cursor: PageMeta.shape.next_cursor,
			}),
			'What range it is, and the page that follows.',
		),
	}),
);
