import * as z from 'zod/mini';
import {
	OWN_COMMISSION_COLUMNS,
	OwnCommissionQuery,
	OwnSummaryQuery,
	type partnerCommissions as partnerCommissionRoutes,
} from '../../../http/management/partner-programs/partner-commissions.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { CommissionSum, Outcome, Status, WITHHELD } from '../commissions/commissions.ts';
import { earnedBy } from './partner-programs.ts';

export const OwnCommission = named(
	'OwnCommission',
	'What you earned with a sale, without customer data.',
	z.object({
		id: is(Id, "The commission's id."),
		status: is(
			Status,
			'`pending`: on hold; `approved`: available, the next payout pays it; `paid`: in a payout, whose `payout_status` says whether it was sent; `rejected`; `reversed`: the sale was refunded in full; `refunded`: in part.',
		),
		state_reason: is(Text, 'Why it has this status, in plain words.'),
		amount_cents: is(Cents, 'The amount earned, in minor units of `currency`.'),
		deducted_cents: is(Cents, 'The nominal deductions for refunds, in minor units.'),
		remaining_cents: is(Cents, 'What is left of it, in minor units: `amount_cents` less `deducted_cents`.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the sale.'),
		sale: is(
			z.object({
				amount_cents: is(Cents, 'The amount paid, in minor units.'),
				refunded_cents: is(Cents, 'The amount refunded so far, in minor units.'),
				product_id: is(z.nullable(Text), 'The product sold; null if the sale names none.'),
				sub_id: is(z.nullable(Text), 'The `sub_id` of your link that brought the customer; null if it had none.'),
				created_at: is(Instant, 'When it was recorded, UTC.'),
			}),
			'The sale that earned it.',
		),
		rate: is(z.object(earnedBy), 'The rate that applied; for a cart with several rates, the one that earned most.'),
		lines: is(
			z.nullable(
				z.array(
					z.object({
						product_id: is(z.nullable(Text), 'The product of the rate; null for all other products.'),
						amount_cents: is(Cents, 'Its share of the sale, in minor units. The shares sum to the sale.'),
						rate: is(z.nullable(z.object(earnedBy)), 'The rate that applied; null if none.'),
						earned_cents: is(Cents, 'The amount it earned, in minor units.'),
					}),
				),
			),
			'The parts of the cart, one for each rate that applied to its lines; null if one rate applied to the whole sale.',
		),
		refunds: is(
			z.array(
				z.object({
					amount_cents: is(Cents, 'The refunded amount, in minor units. Negative if a refund no longer counts.'),
					deduction_cents: is(
						z.nullable(Cents),
						'The nominal deduction from the commission, in minor units. Negative if it was reinstated.',
					),
					withheld_cents: is(Cents, WITHHELD),
					outcome: is(Outcome, 'The outcome. `reinstated`: the refund failed at the processor, or a dispute was won.'),
					reason: is(z.nullable(Text), 'The reason, as reported.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
				}),
			),
			'The refunds of the sale, oldest first.',
		),
		hold_until: is(Instant, 'When its hold ends or ended, UTC.'),
		paid_at: is(z.nullable(Instant), 'When it was put into a payout, UTC; null if it is in none.'),
		payout_id: is(z.nullable(Id), "The payout's id; null if there is none yet."),
		payout_failed: is(z.boolean(), 'Whether that payout failed. The next payout then pays the amount.'),
		payout_status: is(
			z.nullable(z.enum(PAYOUT_STATUSES)),
			'`made`: on its way, not sent yet; `sent`: paid; `failed`: the next payout pays the amount; `settled`: all of the payout was deducted for an earlier debt. Null if it is in no payout.',
		),
		payout_sent_at: is(z.nullable(Instant), 'When that payout was sent, UTC; null if it is not marked as sent.'),
		refund_reason: is(z.nullable(Text), 'The reason of the last refund.'),
		rejection_reason: is(z.nullable(Text), 'The reason of the rejection.'),
		created_at: is(Instant, 'When it was created, UTC.'),
	}),
);

const FILTER_FIELDS = {
	currency: 'Only commissions in this currency, an ISO 4217 code in any letter case.',
	from: "Only commissions created on or after this day of the program's time zone (`2026-01-31`) or time (`2026-01-31T12:00:00Z`), which without an offset is in that zone.",
	to: 'Only commissions created on or before this day or time; a day counts as a whole.',
} as const;

export const partnerCommissions = underPartnerProgram('/commissions', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listOwnCommissions',
		summary: 'List your commissions',
		description:
			'Your commissions, with the reason for each status. Newest first. `Accept: text/csv` returns all that match as CSV, up to 1,000,000 lines, unless a `limit` is sent.',
		query: fieldsOf(OwnCommissionQuery, { ...PAGE_FIELDS, status: 'Only commissions with this status.', ...FILTER_FIELDS }),
		answers: {
			200: {
				description: 'A page of commissions.',
				schema: answerOfRoute<typeof partnerCommissionRoutes, '/', '$get'>()(pageOf(OwnCommission, 'Commissions, newest first.')),
				csv: `\`${OWN_COMMISSION_COLUMNS}\``,
			},
		},
		examples: [{ name: 'paid', summary: 'Commissions that can be paid', query: { status: 'approved', limit: '1' } }],
	},
	{
		method: 'get',
		path: '/summary',
		atLeast: 'ended',
		id: 'summarizeOwnCommissions',
		summary: 'Sum up your commissions',
		description: 'The number and sums of your commissions per status and currency.',
		query: fieldsOf(OwnSummaryQuery, FILTER_FIELDS),
		answers: {
			200: {
				description: 'The sums.',
				schema: answerOfRoute<typeof partnerCommissionRoutes, '/summary', '$get'>()(
					answerOf(z.array(CommissionSum), 'One row per status and currency.'),
				),
			},
		},
		examples: [{ name: 'summary', summary: 'All commissions' }],
	},
	{
		method: 'get',
		path: '/:commissionId',
		atLeast: 'ended',
		id: 'readOwnCommission',
		summary: 'Read one of your commissions',
		description: 'One commission with the refunds of its sale.',
		params: { commissionId: "The commission's id." },
		answers: {
			200: {
				description: 'The commission.',
				schema: answerOfRoute<typeof partnerCommissionRoutes, '/:commissionId', '$get'>()(answerOf(OwnCommission, 'The commission.')),
			},
		},
		errors: [notFound('Commission', 'It does not exist or is not yours.')],
		examples: [{ name: 'commission', summary: 'A refunded commission', params: { commissionId: 7 } }],
	},
]);
