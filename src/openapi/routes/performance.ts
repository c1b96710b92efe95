import * as z from 'zod/mini';
import { ReportQuery } from '../../http/report-query.ts';
import { Count, CurrencyCode, Day, Instant, PageMeta, Text } from '../answers.ts';
import { invalid, programErrors } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { fieldsOf, type Operation } from '../operation.ts';

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
		currencies: is(z.optional(ByCurrency), 'What there was in other currencies, by ISO 4217 code. Never added.'),
	}),
);

export const Trend = named(
	'Trend',
	'The change against the period before.',
	z.object({
		trend: is(z.number().check(z.minimum(0)), 'By how many percent, without sign, one decimal. 100 where there was nothing before.'),
		trendDirection: is(z.enum(['up', 'down', 'stable']), 'Which way.'),
	}),
);

const amounts = {
	totalSales: is(Count, 'Sales.'),
	totalRevenue: is(Major, 'Sales, gross, 2 decimals.'),
	netRevenue: is(Major, 'The same without what was refunded of them since.'),
	totalPartnersCommission: is(Major, 'Commissions, gross, 2 decimals.'),
	netCommission: is(Major, 'The same without what was taken back of them since.'),
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
		totalPartners: is(Count, 'Partners who joined in the range.'),
		currencies: is(
			z.record(CurrencyCode, z.object(amounts)),
			'What there was in other currencies, by ISO 4217 code, in their major units.',
		),
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
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As it was asked for.'),
	...range,
	previousPeriod: is(z.object(range), 'The range before, of the same length, that trends compare with.'),
});

const Report = named(
	'PerformanceReport',
	'The report, day by day.',
	z.object({
		data: is(z.array(PerformanceDay), 'A row per day of the range, in order; days on which nothing happened too.'),
		metrics: is(PerformanceMetrics, 'Sums over the range.'),
		meta: is(PerformanceMeta, 'What range it is.'),
	}),
);

const figures = {
	revenue: is(Major, 'Sales, gross, in major units.'),
	netRevenue: is(Major, 'The same without what was refunded of them since.'),
	sales: is(Count, 'Sales.'),
	commission: is(Major, 'Commissions, gross, in major units.'),
	netCommission: is(Major, 'The same without what was taken back of them since.'),
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
		clicks: is(z.nullable(Count), 'Clicks, without tests and crawlers; null of products.'),
		leads: is(z.nullable(Count), 'Customers who signed up in the range; null of products.'),
		conversions: is(z.nullable(Count), 'Customers who bought for the first time in the range; null of products.'),
		...figures,
		sales: is(Count, 'Sales, in all currencies.'),
		currencies: is(
			z.optional(z.record(CurrencyCode, z.object(figures))),
			'What there was in other currencies, by ISO 4217 code, in their major units.',
		),
	}),
);

const Breakdown = named(
	'PerformanceBreakdown',
	'The report, broken down: answered where `by` is given.',
	z.object({
		data: is(z.array(BreakdownRow), 'The greatest revenue first, then the most clicks.'),
		meta: is(
			z.object({
				by: is(z.enum(['partner', 'link', 'product', 'country', 'source']), 'What it is broken down by.'),
				period: PerformanceMeta.shape.period,
				...range,
				next_cursor: PageMeta.shape.next_cursor,
			}),
			'What range it is, and the page that follows.',
		),
	}),
);

const YEARS = 'must be from 1970 to 2999';

export const performance: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/tracking/performance/:programId',
		id: 'readPerformance',
		tag: 'Reports',
		summary: 'Read the performance of a program',
		description:
			"Day by day and in sum, with trends against the period before. Days are days of the program's time zone; `7d` is the seven that end today; `all` starts when the program was created, or with its first event where that is earlier. With `by` the answer is a breakdown instead: a row per partner, link, product, country or source of the visitors. Clicks bring at most 1,000 sources a day, as anybody can make up a referrer: those that are new after that count as `other`. Parameters that it does not know are ignored; `meta` tells the range that was used. As CSV with `Accept: text/csv`.",
		caller: 'session',
		params: { programId: 'Number of the program.' },
		query: fieldsOf(ReportQuery, {
			period: 'How far back. Ignored where both dates are given.',
			dateFrom:
				"The first day of the range, with `dateTo`: `2026-01-31`, or a time such as `2026-01-31T12:00:00Z`, which counts with its whole day in the program's time zone. Ignored without `dateTo`.",
			by: 'Breaks the report down by this. Left out: day by day.',
			cursor: 'With `by`: the `next_cursor` of the page before.',
			limit: 'With `by`: rows of a page, 1 to 200; of CSV without it 10,000.',
			dateTo: 'The last day, likewise. At most 10 years after `dateFrom`. Ignored without `dateFrom`.',
			from: 'Another name of `dateFrom`, which wins.',
			to: 'Another name of `dateTo`, which wins.',
		}),
		answers: {
			200: {
				description: 'The report.',
				schema: z.union([Report, Breakdown]),
				csv: '`date,clicks,leads,conversions,revenue,partners,sales,commission`, and `revenue_<code>,commission_<code>` for each other currency; with `by` they are `value,label,clicks,leads,conversions,revenue,netRevenue,sales,commission,netCommission`, and those from `revenue` on with `_<code>` for each other currency',
			},
		},
		errors: [
			...programErrors('member'),
			invalid('dateFrom must not be after dateTo', 'The range is empty.'),
			invalid('dateTo must be at most 10 years after dateFrom', 'The range is longer than that.'),
			invalid(`dateFrom ${YEARS}`, 'The year is outside of these.'),
			invalid(`dateTo ${YEARS}`, 'The year is outside of these.'),
		],
		examples: [
			{ name: 'week', summary: 'The last seven days', params: { programId: 1 }, query: { period: '7d' } },
			{ name: 'dates', summary: 'Two days', params: { programId: 1 }, query: { dateFrom: '2026-10-01', dateTo: '2026-10-02' } },
			{ name: 'by_partner', summary: 'The last 30 days by partner', params: { programId: 1 }, query: { period: '30d', by: 'partner' } },
			{
				name: 'by_product',
				summary: 'The last 30 days by product, as CSV',
				params: { programId: 1 },
				query: { period: '30d', by: 'product' },
				headers: { Accept: 'text/csv' },
			},
			{
				name: 'csv',
				summary: 'The last seven days as CSV',
				params: { programId: 1 },
				query: { period: '7d' },
				headers: { Accept: 'text/csv' },
			},
		],
	},
];
