import * as z from 'zod/mini';
import { ReportQuery } from '../../../http/report-query.ts';
import type { performance as performanceRoutes } from '../../../http/performance.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { invalid, programErrors } from '../../errors.ts';
import { fieldsOf, type Operation } from '../../operation.ts';
import { Breakdown, DetailedReport, Report } from './performance-fields.ts';

const YEARS = 'must be from 1970 to 2999';

export const performance: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/tracking/performance/:programId',
		id: 'readPerformance',
		tag: 'Reports',
		summary: 'Read the performance of a program',
		description:
			"Figures by day and in total, with trends against the previous period. Days are in the program's time zone; `7d` is the seven days that end today; `all` starts when the program was created, or with its first event if that is earlier. With `by` the response is a breakdown instead: a row per partner, link, product, country or traffic source. Clicks add at most 1,000 sources a day, since anybody can invent a referrer: new ones after that count as `other`. With a filter (`partner_id`, `link_id`, `product_id`, `country` or `source`) all figures are for that value only. Figures that are not stored by value are null, and `meta.filter.unknown` lists them. `by` can be combined with a filter of its own dimension, and partners and links with each other. Unknown parameters are ignored; `meta` contains the range that was used. `Accept: text/csv` returns CSV.",
		caller: 'session',
		params: { programId: "The program's id." },
		query: fieldsOf(ReportQuery, {
			period: 'How far back. Ignored if both dates are sent.',
			dateFrom:
				"The first day of the range, with `dateTo`: `2026-01-31`, or a time such as `2026-01-31T12:00:00Z`, whose whole day in the program's time zone counts. Ignored without `dateTo`.",
			by: 'Breaks the report down by this. Defaults to days.',
			partner_id: "Only this partner's results. One of `partner_id`, `link_id`, `product_id`, `country` and `source` can be sent.",
			link_id: 'Only results of this link.',
			product_id: 'Only sales of this product. Clicks and customers have none.',
			country: 'Only visitors from this country, a two-letter code as in `value` of the breakdown.',
			source: 'Only visitors from this host, as in `value` of the breakdown, or `other`.',
			compare:
				'Adds the days and sums of as many other days, with which the trends then compare: `previous` for those before the range, `last_year` for those that begin on the same date a year earlier, `custom` for those from `compare_from` on. Ignored with `by`.',
			compare_from: 'With `compare=custom`, where it is required: the first day to compare with, such as `2026-01-31`.',
			match_weekdays:
				'With `compare`: `true` moves the days to compare with, so that Mondays are compared with Mondays: `previous` by up to six days back, the others by up to three in either direction. `false` by default.',
			cursor: 'With `by`: the `next_cursor` of the previous page.',
			limit: 'With `by`: rows of a page, 1 to 200. CSV defaults to 10,000.',
			dateTo: 'The last day, like `dateFrom`. At most 10 years after `dateFrom`. Ignored without `dateFrom`.',
			from: 'Another name for `dateFrom`, which takes precedence.',
			to: 'Another name for `dateTo`, which takes precedence.',
		}),
		answers: {
			200: {
				description: 'The report.',
				schema: answerOfRoute<typeof performanceRoutes, '/:programId', '$get'>()(z.union([Report, DetailedReport, Breakdown])),
				csv: '`date,clicks,leads,conversions,revenue,partners,sales,commission`, and `revenue_<code>,commission_<code>` for each other currency; with a filter or `compare` they are `date,clicks,leads,conversions,partners,totalSales,revenue,netRevenue,commission,netCommission`, those from `totalSales` on with `_<code>` for each other currency, and with `compare` all of these again as `previous_<column>`; with `by` they are `value,label,clicks,leads,conversions,revenue,netRevenue,sales,commission,netCommission`, and those from `revenue` on with `_<code>` for each other currency',
			},
		},
		errors: [
			...programErrors('member'),
			invalid('dateFrom must not be after dateTo', 'The range is empty.'),
			invalid('dateTo must be at most 10 years after dateFrom', 'The range is longer than that.'),
			invalid('Send either {name} or {other}: a report has only one filter', 'Two filters were sent.'),
			invalid(
				'by={by} cannot be combined with {name}: figures are kept for only one of them at a time',
				'The breakdown has another dimension than the filter.',
			),
			invalid('compare=custom needs compare_from, the first day to compare with', 'Custom days have no beginning.'),
			invalid(`compare_from ${YEARS}`, 'The year is out of range.'),
			invalid(`dateFrom ${YEARS}`, 'The year is out of range.'),
			invalid(`dateTo ${YEARS}`, 'The year is out of range.'),
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
				name: 'of_partner',
				summary: 'What one partner brought, compared with the week before',
				params: { programId: 1 },
				query: { period: '7d', partner_id: '1', compare: 'previous' },
			},
			{
				name: 'of_year',
				summary: 'The last seven days, compared with the same weekdays a year earlier',
				params: { programId: 1 },
				query: { period: '7d', compare: 'last_year', match_weekdays: 'true' },
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
