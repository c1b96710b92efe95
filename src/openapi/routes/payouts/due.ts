import * as z from 'zod/mini';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { LEFT_OUTS } from '../../../domain/payouts/payout.ts';
import { type due as dueRoutes, DueListQuery, DueQuery } from '../../../http/management/payouts/due.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, NEXT_FIELDS, NextMeta, pageWith, PARTNER_SEARCH, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const LEFT_OUT =
	'`below_minimum`: less than `minimum_cents` would be paid; `in_debt`: a debt leaves nothing, or less than that; `nothing_approved`: nothing that matches can be paid yet.';

const AMOUNTS = {
	amount_cents: is(Cents, 'The amount that would be paid, in minor units.'),
	recovered_cents: is(Cents, 'The amount that would be deducted for earlier debts, in minor units.'),
	commission_cents: is(Cents, 'What is left of the commissions, in minor units.'),
	surplus_cents: is(Cents, 'Amounts returned to the balance earlier and paid in addition, in minor units.'),
	commissions: is(Count, 'The number of matching commissions that can be paid. One payout has at most 10,000: the oldest ones.'),
};

const Due = named(
	'Due',
	'The amount due to one partner in one currency.',
	z.object({
		partner: is(
			z.object({
				id: is(Id, "The partner's id."),
				name: is(Text, "The partner's name in the workspace."),
				status: is(z.enum(['active', 'suspended', 'ended']), 'The status of the membership.'),
				payout_method: is(
					z.nullable(z.enum(PAYOUT_METHODS)),
					'How the partner is paid; null if not entered: no file will include the payout.',
				),
			}),
			'The partner who owns the account.',
		),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		...AMOUNTS,
		left_out: is(z.nullable(z.enum(LEFT_OUTS)), `Why no payout would be made; null if one would be. ${LEFT_OUT}`),
		reason_text: is(Text, 'How the amount is calculated, or why it is 0, in plain words.'),
	}),
);

const DueSums = named(
	'DueSums',
	'Sums of everything that is due and matches.',
	z.object({
		payouts: is(Count, 'The number of payouts that would be made.'),
		currencies: is(
			z.array(
				z.object({
					currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
					payouts: is(Count, 'The number of payouts that would be made in this currency.'),
					...AMOUNTS,
					without_payout_method: is(Count, 'How many of them go to partners without payout details.'),
					above_limit: is(Count, 'How many of them have more than 10,000 commissions, so a run pays only a part of them.'),
				}),
			),
			'The sums, by currency.',
		),
		left_out: is(
			z.array(z.object({ reason: is(z.enum(LEFT_OUTS), LEFT_OUT), accounts: is(Count, 'The number of accounts.') })),
			'Accounts that are not empty but would get no payout.',
		),
		suspended_payouts: is(Count, 'The number of payouts due to suspended partners, if only active members are paid.'),
		ended_payouts: is(Count, 'The same for partners whose membership has ended.'),
	}),
);

const FIELDS = {
	partner_ids: 'Only these partners, 1 to 500, separated by commas, whatever the status of their membership.',
	status: 'Only partners whose membership has this status. Defaults to `active` without `partner_ids`.',
	group_id: 'Only partners of this group.',
	method: 'Only partners who are now paid by this method; `none`: those without payout details.',
	search: PARTNER_SEARCH,
	before: "Only commissions created before this day of the program's time zone (`2026-01-31`) or time.",
	minimum_cents:
		"Only partners who would then be paid at least this amount, in minor units of the currency. Defaults to the program's `payout_minimum_cents`, in its own currency.",
} as const;

export const due = underProgram('Payouts', '/payouts/due', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listDue',
		summary: 'List what is due',
		description:
			'What `POST .../payouts/runs` with the same fields would pay each partner now, ordered by partner. A page may have fewer rows than `limit` even if another page follows.',
		query: fieldsOf(DueListQuery, {
			...NEXT_FIELDS,
			...FIELDS,
			show: '`due`: partners who would get a payout; `left_out`: those who would get none although their account is not empty.',
		}),
		answers: {
			200: {
				description: 'A page of accounts.',
				schema: answerOfRoute<typeof dueRoutes, '/', '$get'>()(pageWith(NextMeta, Due, 'Accounts.')),
			},
		},
		examples: [
			{ name: 'due', summary: 'Partners who would be paid', query: { limit: '2' } },
			{ name: 'left-out', summary: 'Partners who are left out', query: { show: 'left_out', limit: '2' } },
		],
	},
	{
		method: 'get',
		path: '/sums',
		atLeast: 'member',
		id: 'sumDue',
		summary: 'Sum up what is due',
		description:
			'What such a run would pay in total. It reads every unpaid commission of the program, so call it when you are about to pay, not every second.',
		query: fieldsOf(DueQuery, FIELDS),
		answers: {
			200: { description: 'The sums.', schema: answerOfRoute<typeof dueRoutes, '/sums', '$get'>()(answerOf(DueSums, 'The sums.')) },
		},
		examples: [{ name: 'sums', summary: 'At least 1.00', query: { minimum_cents: '100' } }],
	},
]);
