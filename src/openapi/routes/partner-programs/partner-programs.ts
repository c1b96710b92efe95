import * as z from 'zod/mini';
import { OWN_PERFORMANCE_COLUMNS, PartnerReportQuery } from '../../../http/management/partner-programs/partner-programs.ts';
import { answerOf, Cents, Count, CurrencyCode, Day, Id, Instant, successful, Text } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { PartnerStatus } from '../accounts/me.ts';
import { OwnLink } from './partner-links.ts';
import { Balance } from '../partners/partners.ts';
import { MaskedDetails } from '../payouts/payout-details.ts';

export const earnedBy = {
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.optional(z.number()), 'Percent of the sale; only of type `percent`.'),
	amount_cents: is(z.optional(Cents), 'Minor units a sale; only of type `flat`.'),
};

const Rate = named(
	'Rate',
	'What a sale earns you.',
	z.object({
		applies_to: is(
			z.enum(['you', 'group', 'everyone']),
			'Whether it is for you alone, for the group of partners that you are in, or for every partner.',
		),
		product_id: is(z.nullable(Text), 'Only sales of this product; null: of all that have no rate of their own.'),
		...earnedBy,
		currency: is(z.nullable(CurrencyCode), 'Only sales in this currency, and that of `amount_cents`; null: sales in any.'),
		recurring_months: is(
			z.nullable(Count),
			'For so many months after the first sale of a subscription its renewals earn too; 0: never; null: forever.',
		),
		hold_days: is(Count, 'So many days after the sale the commission is approved.'),
	}),
);

const NextPayout = z.object({
	currency: is(CurrencyCode, 'ISO 4217.'),
	amount_cents: is(Cents, 'What would be paid now, in minor units; 0: nothing.'),
	minimum_cents: is(Cents, 'What the program pays out at least at a time, in minor units.'),
	reason: is(Text, 'Why so much, in plain words.'),
});

const Overview = named(
	'PartnerOverview',
	'What a partner sees of a program first.',
	z.object({
		id: is(Id, 'Id of the membership.'),
		status: PartnerStatus,
		joined_at: is(Instant, 'Since when, UTC.'),
		partner: is(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'What the workspace calls you.') }), 'Who you are there.'),
		program: is(
			z.object({
				id: is(Id, 'Id of the program.'),
				name: is(Text, 'The name.'),
				domain: is(z.nullable(Text), 'Domain of the shop.'),
				currency: is(CurrencyCode, 'ISO 4217.'),
				time_zone: is(Text, 'IANA name: days of reports are days of this zone.'),
				cookie_window_days: is(Count, 'So many days after a click a sale is still yours.'),
				active: is(z.boolean(), 'False: its links answer no clicks.'),
				archived_at: is(z.nullable(Instant), 'When it was archived, UTC: it records nothing new. Null: it is not archived.'),
			}),
			'The program.',
		),
		rates: is(z.array(Rate), 'What sales earn you, the most specific first: of two that apply to a sale the first one counts.'),
		balances: is(z.record(z.string(), Balance), 'What you have there, by ISO 4217 code. In all it is available + pending - debt.'),
		default_link: is(z.nullable(OwnLink), 'The first of your links that answers clicks; null: none does.'),
		next_payouts: is(z.array(NextPayout), 'What the next payout would pay, one in each currency.'),
		payout_details: is(z.nullable(MaskedDetails), 'Your payout details, masked; null: not entered.'),
	}),
);

const amounts = {
	revenue_cents: is(Cents, 'Sales, gross, in minor units.'),
	net_revenue_cents: is(Cents, 'The same without what was refunded of them since, in minor units.'),
	commission_cents: is(Cents, 'Commissions, gross, in minor units.'),
	net_commission_cents: is(Cents, 'The same, minus later deductions, in minor units.'),
};

export const figures = {
	clicks: is(Count, 'Clicks, without tests and crawlers.'),
	leads: is(Count, 'Customers who signed up.'),
	conversions: is(Count, 'Customers who bought for the first time.'),
	sales: is(Count, 'Sales, in all currencies.'),
	...amounts,
	currencies: is(
		z.record(CurrencyCode, z.object({ sales: is(Count, 'Sales.'), ...amounts })),
		'Figures in other currencies, by ISO 4217 code. Never added.',
	),
};

const Figures = named('OwnFigures', "Figures of your links. Amounts are minor units of the program's currency.", z.object(figures));

const OwnDay = z.object({ date: is(Day, "The day, of the program's time zone."), ...figures });

const Performance = named(
	'OwnPerformance',
	"The results of your links, counted as in the program's report.",
	z.object({
		days: is(z.array(OwnDay), 'A row per day of the range, in order; days on which nothing happened too.'),
		previous_days: is(
			z.nullable(z.array(OwnDay)),
			'With `compare`: as many days before them, the first one beside the first one; null without it, and of `all`.',
		),
		links: is(
			z.array(
				z.object({
					link: is(z.object({ id: is(Id, 'Id of the link.'), short_link: is(Text, 'Its `aff`.') }), 'The link.'),
					...figures,
				}),
			),
			'Each link that has anything in the range; also those that you lost when an earlier membership ended.',
		),
		totals: is(Figures, 'Sums over the range.'),
		previous_totals: is(z.nullable(Figures), 'Those of the range before, of the same length; null for `all`.'),
	}),
);

const range = { date_from: is(Instant, 'Its first millisecond, UTC.'), date_to: is(Instant, 'Its last millisecond, UTC.') };

const PerformanceMeta = z.object({
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As requested.'),
	currency: is(CurrencyCode, 'Of the amounts.'),
	...range,
	previous: is(z.nullable(z.object(range)), 'The range before; null for `all`.'),
});

export const MOMENT = "A day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`): all of its day counts.";

export const RANGE_ERRORS = [
	invalid('dateFrom and dateTo go together', 'One was sent without the other.'),
	invalid('dateFrom must not be after dateTo', 'So it is.'),
	invalid('dateTo must be at most 10 years after dateFrom', 'So it is not.'),
	invalid('dateFrom must be from 1970 to 2999', 'Its year is another.'),
	invalid('dateTo must be from 1970 to 2999', 'Its year is another.'),
];

export const partnerPrograms = underPartnerProgram('', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'readPartnerProgram',
		summary: 'A program that you are a partner of',
		description: 'The link to copy, what sales earn you, what you have, and what the next payout would pay.',
		answers: { 200: { description: 'The program, for you.', schema: answerOf(Overview, 'The program.') } },
		examples: [
			{ name: 'overview', summary: 'Pat' },
			{ name: 'foreign', summary: 'That of another partner', params: { id: 2 }, status: 404 },
		],
	},
	{
		method: 'get',
		path: '/performance',
		atLeast: 'suspended',
		id: 'readOwnPerformance',
		summary: 'Performance of your links',
		description:
			"By day and by link, with totals. Amounts are minor units of the program's currency. With `Accept: text/csv`, a CSV of the days; each other currency has its own columns, such as `revenue_cents_EUR`.",
		query: fieldsOf(PartnerReportQuery, {
			period: 'The last 7, 30 or 90 days, or all since you joined. Ignored if dates are sent.',
			dateFrom: `The first day. ${MOMENT} With \`dateTo\`.`,
			dateTo: `The last day. ${MOMENT} With \`dateFrom\`.`,
			compare: '`previous`: with the days of the range before.',
		}),
		answers: {
			200: {
				description: 'The report.',
				schema: successful({ data: is(Performance, 'The figures.'), meta: is(PerformanceMeta, 'What range it is.') }),
				csv: `\`${OWN_PERFORMANCE_COLUMNS}\`, and with \`compare\` all of that again as \`previous_<column>\``,
			},
		},
		errors: RANGE_ERRORS,
		examples: [
			{ name: 'week', summary: 'The last 7 days', query: { period: '7d' } },
			{ name: 'compared', summary: 'With the 7 days before', query: { period: '7d', compare: 'previous' } },
			{ name: 'csv', summary: 'As CSV', query: { period: '7d' }, headers: { Accept: 'text/csv' } },
		],
	},
]);
