import * as z from 'zod/mini';
import {
	OWN_COMMISSION_COLUMNS,
	OwnCommissionQuery,
	OwnSummaryQuery,
} from '../../../http/management/partner-programs/partner-commissions.ts';
import { answerOf, Cents, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { CommissionSum, Outcome, Status, WITHHELD } from '../commissions/commissions.ts';
import { earnedBy } from './partner-programs.ts';

export const OwnCommission = named(
	'OwnCommission',
	'What you earned with a sale. Nothing of the customer.',
	z.object({
		id: is(Id, 'Id of the commission.'),
		status: is(
			Status,
			'`pending`: on hold; `approved`: it goes out with a next payout; `paid`; `rejected`; `reversed`: the sale was refunded in full; `refunded`: in part.',
		),
		state_reason: is(Text, 'Why it is in that state, in plain words.'),
		amount_cents: is(Cents, 'What was earned, in minor units of `currency`.'),
		deducted_cents: is(Cents, 'Nominal deductions by refunds, in minor units.'),
		remaining_cents: is(Cents, 'What it has left, in minor units: `amount_cents` less `deducted_cents`.'),
		currency: is(CurrencyCode, "ISO 4217 code, the sale's."),
		sale: is(
			z.object({
				amount_cents: is(Cents, 'Amount paid, in minor units.'),
				refunded_cents: is(Cents, 'Refunded so far, in minor units.'),
				product_id: is(z.nullable(Text), 'The product; null: the sale does not name it.'),
				sub_id: is(z.nullable(Text), 'The `sub_id` of the link that the customer followed; null: none.'),
				created_at: is(Instant, 'When it was recorded, UTC.'),
			}),
			'The sale that earned it.',
		),
		rate: is(z.object(earnedBy), 'The rate that earned it; for a cart with several rates, the one that earned most.'),
		lines: is(
			z.nullable(
				z.array(
					z.object({
						product_id: is(z.nullable(Text), 'The product that the rate is for; null: for all other products.'),
						amount_cents: is(Cents, 'Its share of the sale, in minor units. The shares sum to the sale.'),
						rate: is(z.nullable(z.object(earnedBy)), 'The rate that earned it; null: none.'),
						earned_cents: is(Cents, 'What it earned, in minor units.'),
					}),
				),
			),
			'The parts of the cart, one for each rate that applied to its lines; null: one rate applied to the whole sale.',
		),
		refunds: is(
			z.array(
				z.object({
					amount_cents: is(Cents, 'What was refunded, in minor units. Negative if a refund no longer counts.'),
					deduction_cents: is(
						z.nullable(Cents),
						'Its nominal deduction from the commission, in minor units. Negative for a reinstatement.',
					),
					withheld_cents: is(Cents, WITHHELD),
					outcome: is(Outcome, 'The outcome. `reinstated`: the refund failed at the processor, or the dispute was won.'),
					reason: is(z.nullable(Text), 'As reported.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
				}),
			),
			'The refunds of the sale, oldest first.',
		),
		hold_until: is(Instant, 'When its hold ends or ended, UTC.'),
		paid_at: is(z.nullable(Instant), 'When it was paid, UTC; null: not yet.'),
		payout_id: is(z.nullable(Id), 'Id of the payout; null: none yet.'),
		payout_failed: is(z.boolean(), 'Whether that payout failed: the amount goes out with a next one.'),
		refund_reason: is(z.nullable(Text), 'The reason of the last refund.'),
		rejection_reason: is(z.nullable(Text), 'The reason of the rejection.'),
		created_at: is(Instant, 'When it was made, UTC.'),
	}),
);

const FILTER_FIELDS = {
	currency: 'Only those in this currency, an ISO 4217 code in any letter case.',
	from: "Only those made then or later: a day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), which without an offset is one of that zone.",
	to: 'Only those made then or before; a day counts as a whole.',
} as const;

export const partnerCommissions = underPartnerProgram('/commissions', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listOwnCommissions',
		summary: 'List own commissions',
		description:
			'Your commissions with the reason of their state, newest first. With `Accept: text/csv`, a CSV of all matching commissions, up to 1,000,000 lines, unless a `limit` is given.',
		query: fieldsOf(OwnCommissionQuery, { ...PAGE_FIELDS, status: 'Only those in this state.', ...FILTER_FIELDS }),
		answers: {
			200: {
				description: 'A page of commissions.',
				schema: pageOf(OwnCommission, 'Commissions, newest first.'),
				csv: `\`${OWN_COMMISSION_COLUMNS}\``,
			},
		},
		examples: [{ name: 'paid', summary: 'Those that can be paid', query: { status: 'approved', limit: '1' } }],
	},
	{
		method: 'get',
		path: '/summary',
		atLeast: 'ended',
		id: 'summarizeOwnCommissions',
		summary: 'Sum up own commissions',
		description: 'The number and sum of your commissions in each state and currency.',
		query: fieldsOf(OwnSummaryQuery, FILTER_FIELDS),
		answers: { 200: { description: 'The sums.', schema: answerOf(z.array(CommissionSum), 'A row per state and currency.') } },
		examples: [{ name: 'summary', summary: 'All of them' }],
	},
	{
		method: 'get',
		path: '/:commissionId',
		atLeast: 'ended',
		id: 'readOwnCommission',
		summary: 'Read a commission of your own',
		description: 'With the refunds of its sale.',
		params: { commissionId: 'Id of the commission.' },
		answers: { 200: { description: 'The commission.', schema: answerOf(OwnCommission, 'The commission.') } },
		errors: [notFound('Commission', 'It does not exist or is not yours.')],
		examples: [{ name: 'commission', summary: 'One that was refunded', params: { commissionId: 7 } }],
	},
]);
