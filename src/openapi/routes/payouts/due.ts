import * as z from 'zod/mini';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { LEFT_OUTS } from '../../../domain/payouts/payout.ts';
import { DueListQuery, DueQuery } from '../../../http/management/payouts/due.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, NEXT_FIELDS, NextMeta, pageOf, PARTNER_SEARCH, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const LEFT_OUT =
	'`below_minimum`: less would be paid than `minimum_cents`; `in_debt`: a debt leaves nothing, or less than that; `nothing_approved`: nothing that matches can be paid yet.';

const AMOUNTS = {
	amount_cents: is(Cents, 'What would be paid, in minor units.'),
	recovered_cents: is(Cents, 'Would be deducted for earlier debts, in minor units.'),
	commission_cents: is(Cents, 'What the commissions have left, in minor units.'),
	surplus_cents: is(Cents, 'Credited back earlier and paid in addition, in minor units.'),
	commissions: is(Count, 'How many commissions can be paid and match. One payout has at most 10,000: the oldest ones.'),
};

const Due = named(
	'Due',
	'What is due to one partner in one currency.',
	z.object({
		partner: is(
			z.object({
				id: is(Id, 'Id of the partner.'),
				name: is(Text, 'Name of the partner in the workspace.'),
				status: is(z.enum(['active', 'suspended', 'ended']), 'Of its membership.'),
				payout_method: is(z.nullable(z.enum(PAYOUT_METHODS)), 'The payout method; null: not entered, so no file can contain the payout.'),
			}),
			'Whose account it is.',
		),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		...AMOUNTS,
		left_out: is(z.nullable(z.enum(LEFT_OUTS)), `Why it would get no payout; null: it would get one. ${LEFT_OUT}`),
		reason_text: is(Text, 'Why it is that much, or nothing, in plain words.'),
	}),
);

const DueSums = named(
	'DueSums',
	'Sums of all that is due and matches.',
	z.object({
		payouts: is(Count, 'How many payouts would be made.'),
		currencies: is(
			z.array(
				z.object({
					currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
					payouts: is(Count, 'How many payouts would be made in it.'),
					...AMOUNTS,
					without_payout_method: is(Count, 'How many of them go to partners without payout details.'),
					above_limit: is(Count, 'How many of them have more than 10,000 commissions, so that a run pays them in part.'),
				}),
			),
			'The sums, by currency.',
		),
		left_out: is(
			z.array(z.object({ reason: is(z.enum(LEFT_OUTS), LEFT_OUT), accounts: is(Count, 'How many accounts.') })),
			'Accounts that have something and would get no payout.',
		),
		suspended_payouts: is(Count, 'Payouts that are due to suspended partners, if only active members are paid.'),
		ended_payouts: is(Count, 'The same of partners whose membership has ended.'),
	}),
);

const FIELDS = {
	partner_ids: 'Only these partners, 1 to 500, separated by commas, whatever the state of their membership.',
	status: 'Only partners whose membership is in this state. Without `partner_ids`: `active`.',
	group_id: 'Only partners of this group.',
	method: 'Only partners with this payout method now; `none`: without payout details.',
	search: PARTNER_SEARCH,
	before: "Only commissions made before: a day of the program's time zone (`2026-01-31`) or a time.",
	minimum_cents:
		'Only who would then be paid at least that much, in minor units of the currency. By default what the program has as `payout_minimum_cents`, in its own currency.',
} as const;

export const due = underProgram('Payouts', '/payouts/due', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listDue',
		summary: 'List what is due',
		description:
			'What `POST .../payouts/runs` with the same fields would pay each partner now, in the order of partners. A page may have fewer rows than `limit` and still a next one.',
		query: fieldsOf(DueListQuery, {
			...NEXT_FIELDS,
			...FIELDS,
			show: '`due`: who would get a payout; `left_out`: who has something and would get none.',
		}),
		answers: { 200: { description: 'A page of accounts.', schema: pageOf(Due, 'Accounts.', NextMeta) } },
		examples: [
			{ name: 'due', summary: 'Who is due', query: { limit: '2' } },
			{ name: 'left-out', summary: 'Who is left out', query: { show: 'left_out', limit: '2' } },
		],
	},
	{
		method: 'get',
		path: '/sums',
		atLeast: 'member',
		id: 'sumDue',
		summary: 'Sum up what is due',
		description:
			'What such a run would pay in all. It reads every commission of the program that is not paid yet: ask when you are about to pay, not every second.',
		query: fieldsOf(DueQuery, FIELDS),
		answers: { 200: { description: 'The sums.', schema: answerOf(DueSums, 'The sums.') } },
		examples: [{ name: 'sums', summary: 'From 1.00 on', query: { minimum_cents: '100' } }],
	},
]);
