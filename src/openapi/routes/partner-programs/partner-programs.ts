import * as z from 'zod/mini';
import {
	OWN_PERFORMANCE_COLUMNS,
	PartnerReportQuery,
	type partnerPrograms as partnerProgramRoutes,
} from '../../../http/management/partner-programs/partner-programs.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Day, Id, Instant, successful, Text } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { PartnerStatus } from '../accounts/me.ts';
import { OwnLink } from './partner-links.ts';
import { Balance } from '../partners/partner-fields.ts';
import { MaskedDetails } from '../payouts/payout-details.ts';

export const earnedBy = {
	type: is(z.enum(['percent', 'flat']), '`percent` of the sale, or a `flat` amount.'),
	percent: is(z.optional(z.number()), 'Percent of the sale; only for type `percent`.'),
	amount_cents: is(z.optional(Cents), 'Minor units per sale; only for type `flat`.'),
};

const Rate = named(
	'Rate',
	'What you earn for a sale.',
	z.object({
		applies_to: is(
			z.enum(['you', 'group', 'everyone']),
			'Whether it applies to you alone, to your group of partners, or to every partner.',
		),
		product_id: is(z.nullable(Text), 'Only sales of this product; null for all products without their own rate.'),
		...earnedBy,
		currency: is(
			z.nullable(CurrencyCode),
			'Only sales in this currency, which is also the currency of `amount_cents`. Null for any currency.',
		),
		recurring_months: is(
			z.nullable(Count),
			'How many months after the first sale of a subscription its renewals also earn; 0 for never, null for no limit.',
		),
		hold_days: is(Count, 'Days from the sale until the commission is approved.'),
	}),
);

const NextPayout = z.object({
	currency: is(CurrencyCode, 'ISO 4217.'),
	amount_cents: is(Cents, 'The amount that would be paid now, in minor units.'),
	minimum_cents: is(Cents, "The program's minimum payout, in minor units."),
	reason: is(Text, 'How the amount is calculated, in plain words.'),
});

const OwnMoney = named(
	'OwnMoney',
	'Where your money is, in one currency.',
	z.object({
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		on_hold_cents: is(Cents, 'Earned, and on hold in case of refunds, in minor units.'),
		available_cents: is(Cents, 'What a payout made now would pay, in minor units.'),
		on_its_way_cents: is(Cents, 'In payouts that were made but not sent yet, in minor units.'),
		on_its_way_payouts: is(Count, 'The number of these payouts.'),
		on_its_way_payout_id: is(z.nullable(Id), "The payout's id if there is exactly one; otherwise null."),
		paid_cents: is(Cents, 'In payouts that were sent and did not fail, in minor units.'),
		paid_payouts: is(Count, 'The number of these payouts.'),
	}),
);

const Overview = named(
	'PartnerOverview',
	"A partner's overview of a program.",
	z.object({
		id: is(Id, "The membership's id."),
		status: PartnerStatus,
		joined_at: is(Instant, 'When you joined, UTC.'),
		partner: is(z.object({ id: is(Id, "The partner's id."), name: is(Text, 'Your name in the workspace.') }), 'Your partner record.'),
		program: is(
			z.object({
				id: is(Id, "The program's id."),
				name: is(Text, 'The name of the program.'),
				domain: is(z.nullable(Text), 'The domain of the shop.'),
				currency: is(CurrencyCode, 'ISO 4217.'),
				time_zone: is(Text, 'IANA name of the time zone in which reports count days.'),
				cookie_window_days: is(Count, 'How many days after a click a sale is still yours.'),
				active: is(z.boolean(), 'Whether its links accept clicks.'),
				archived_at: is(z.nullable(Instant), 'When it was archived, UTC: it records nothing new. Null if it is not archived.'),
			}),
			'The program.',
		),
		rates: is(z.array(Rate), 'What you earn for sales, the most specific rate first. The first rate that applies to a sale counts.'),
		balances: is(z.record(z.string(), Balance), 'Your balances by ISO 4217 code. The total is available + pending - debt.'),
		money: is(
			z.array(OwnMoney),
			"Where your money is: the program's currency first, then every other currency in which you have a balance or a payout. Never added up.",
		),
		default_link: is(z.nullable(OwnLink), 'The first of your links that accepts clicks; null if none does.'),
		next_payouts: is(z.array(NextPayout), 'What the next payout would pay, per currency.'),
		payout_details: is(z.nullable(MaskedDetails), 'Where you are paid, masked; null if you have not entered payout details.'),
	}),
);

const amounts = {
	revenue_cents: is(Cents, 'Gross sales, in minor units.'),
	net_revenue_cents: is(Cents, 'Sales less later refunds, in minor units.'),
	commission_cents: is(Cents, 'Gross commissions, in minor units.'),
	net_commission_cents: is(Cents, 'Commissions less later deductions, in minor units.'),
};

export const figures = {
	clicks: is(Count, 'Clicks, without tests and crawlers.'),
	leads: is(Count, 'Customers who signed up.'),
	conversions: is(Count, 'Customers who bought for the first time.'),
	sales: is(Count, 'Sales, in all currencies.'),
	...amounts,
	currencies: is(
		z.record(CurrencyCode, z.object({ sales: is(Count, 'Sales.'), ...amounts })),
		'Figures in other currencies, by ISO 4217 code. Never added up.',
	),
};

const Figures = named('OwnFigures', "Figures of your links. Amounts are minor units of the program's currency.", z.object(figures));

const OwnDay = z.object({ date: is(Day, "The day, in the program's time zone."), ...figures });

const Performance = named(
	'OwnPerformance',
	"The results of your links, counted as in the program's report.",
	z.object({
		days: is(z.array(OwnDay), 'One row per day of the range, in order, including days without events.'),
		previous_days: is(
			z.nullable(z.array(OwnDay)),
			'With `compare`: the previous days, as many and in the same order; null without it, and for `all`.',
		),
		links: is(
			z.array(
				z.object({
					link: is(z.object({ id: is(Id, "The link's id."), short_link: is(Text, 'Its `aff`.') }), 'The link.'),
					...figures,
				}),
			),
			'Each link with figures in the range, including those you lost when an earlier membership ended.',
		),
		totals: is(Figures, 'Sums over the range.'),
		previous_totals: is(z.nullable(Figures), 'Sums over the previous range, of the same length; null for `all`.'),
	}),
);

const range = { date_from: is(Instant, 'Its first millisecond, UTC.'), date_to: is(Instant, 'Its last millisecond, UTC.') };

const PerformanceMeta = z.object({
	period: is(z.enum(['7d', '30d', '90d', 'all']), 'As requested.'),
	currency: is(CurrencyCode, 'The currency of the amounts.'),
	...range,
	previous: is(z.nullable(z.object(range)), 'The previous range; null for `all`.'),
});

export const MOMENT = "A day in the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), whose whole day counts.";

export const RANGE_ERRORS = [
	invalid('dateFrom and dateTo go together', 'One was sent without the other.'),
	invalid('dateFrom must not be after dateTo', 'The range is empty.'),
	invalid('dateTo must be at most 10 years after dateFrom', 'The range is too long.'),
	invalid('dateFrom must be from 1970 to 2999', 'The year is out of range.'),
	invalid('dateTo must be from 1970 to 2999', 'The year is out of range.'),
];

export const partnerPrograms = underPartnerProgram('', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'readPartnerProgram',
		summary: 'Read a program that you are a partner of',
		description: 'The link to copy, what you earn for sales, where your money is, and what the next payout would pay.',
		answers: {
			200: {
				description: 'The overview of the program.',
				schema: answerOfRoute<typeof partnerProgramRoutes, '/:id', '$get'>()(answerOf(Overview, 'The program.')),
			},
		},
		examples: [
			{ name: 'overview', summary: 'Pat' },
			{ name: 'foreign', summary: "Another partner's program", params: { id: 2 }, status: 404 },
		],
	},
	{
		method: 'get',
		path: '/performance',
		atLeast: 'suspended',
		id: 'readOwnPerformance',
		summary: 'Read the performance of your links',
		description:
			"Figures by day and by link, and in total. Amounts are minor units of the program's currency. `Accept: text/csv` returns the days as CSV; every other currency has its own columns, such as `revenue_cents_EUR`.",
		query: fieldsOf(PartnerReportQuery, {
			period: 'The last 7, 30 or 90 days, or all since you joined. Ignored if dates are sent.',
			dateFrom: `The first day. ${MOMENT} Requires \`dateTo\`.`,
			dateTo: `The last day. ${MOMENT} Requires \`dateFrom\`.`,
			compare: '`previous` adds the days of the previous range.',
		}),
		answers: {
			200: {
				description: 'The report.',
				schema: answerOfRoute<typeof partnerProgramRoutes, '/:id/performance', '$get'>()(
					successful({ data: is(Performance, 'The figures.'), meta: is(PerformanceMeta, 'The range.') }),
				),
				csv: `\`${OWN_PERFORMANCE_COLUMNS}\`, and with \`compare\` all of these again as \`previous_<column>\``,
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
