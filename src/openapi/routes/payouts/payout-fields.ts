import * as z from 'zod/mini';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { Cents, Count, CurrencyCode, Id, Instant, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

export const Payout = named(
	'Payout',
	'One payment to one partner in one currency.',
	z.object({
		id: is(Id, 'Id of the payout.'),
		status: is(
			z.enum(PAYOUT_STATUSES),
			'`made`: to be sent; `sent`; `failed`: its amount was credited to the balance again; `settled`: its amount is 0, so there is nothing to send.',
		),
		partner: is(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') }), 'Who is paid.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		amount_cents: is(Cents, 'What the partner is to be paid, in minor units.'),
		amount_reason: is(Text, 'Why it is that much, in plain words.'),
		recovered_cents: is(Cents, 'Deducted for an earlier debt, in minor units.'),
		commission_cents: is(Cents, 'What the commissions had left, in minor units.'),
		surplus_cents: is(
			Cents,
			'Credited back because a refund or payout failed or a dispute was won, and paid in addition, in minor units. `amount_cents` + `recovered_cents` = `commission_cents` + `surplus_cents`.',
		),
		commission_count: is(Count, 'How many commissions it pays.'),
		commission_ids: is(
			z.array(Id),
			'Numbers of these commissions, in order. Lists, and the answers to a mark, have the first 20. `GET .../commissions?payout_id=` lists them all.',
		),
		created_at: is(Instant, 'When it was made, UTC.'),
		sent_at: is(z.nullable(Instant), 'When the money was sent, UTC, as entered when marking it; null: not yet.'),
		reference: is(z.nullable(Text), 'What it is found by where it was sent: the number of a transfer or batch.'),
		failed_at: is(z.nullable(Instant), 'When it was marked as failed, UTC.'),
		failure_reason: is(z.nullable(Text), 'The reason entered when it was marked as failed.'),
	}),
);

export const ReadPayout = named(
	'ReadPayout',
	'A payout with what it paid.',
	z.object({
		...Payout.shape,
		commissions: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the commission.'),
					status: is(Text, 'Its state now.'),
					amount_cents: is(Cents, 'Amount earned, in minor units.'),
					deducted_cents: is(Cents, 'Nominal deductions by refunds so far, in minor units.'),
					paid_cents: is(Cents, 'What it had left when it was paid, in minor units.'),
					transaction_id: is(Text, 'The sale, as the shop names it.'),
					created_at: is(Instant, 'When it was earned, UTC.'),
				}),
			),
			'What it paid: the first 500 commissions. `GET .../commissions?payout_id=` lists them all.',
		),
		ledger_entries: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the entry.'),
					kind: is(
						z.enum(['payout', 'recovery', 'surplus', 'return']),
						'`payout`: a commission was paid; `recovery`: a debt was deducted from it; `surplus`: an amount credited back earlier was paid; `return`: the payout failed, and its amount was credited again.',
					),
					commission_id: is(z.nullable(Id), 'Id of the commission; null: the entry belongs to the payout alone.'),
					amount_cents: is(z.int(), "The change of the partner's balance, in minor units; negative: deducted."),
					balance_after_cents: is(z.int(), 'The balance after it, in minor units.'),
					created_at: is(Instant, 'When it was written, UTC.'),
				}),
			),
			'Its ledger entries, oldest first: those for its commissions, and others.',
		),
	}),
);

const { currency, commission_cents, surplus_cents } = Payout.shape;

const PLANNED = {
	partner: is(
		z.object({
			id: is(Id, 'Id of the partner.'),
			name: is(Text, 'Name of the partner in the workspace.'),
			status: is(z.enum(['active', 'suspended', 'ended']), 'Status of the membership. Earnings from before it ended are still due.'),
			payout_method: is(
				z.nullable(z.enum(PAYOUT_METHODS)),
				'The payout method that the partner entered; null: not entered, so no file can contain the payout.',
			),
		}),
		'Who would be paid.',
	),
	currency,
	amount_cents: is(Cents, 'What the partner would be paid, in minor units.'),
	recovered_cents: is(Cents, 'What would be deducted for an earlier debt, in minor units.'),
	commission_cents,
	surplus_cents,
	commission_count: is(Count, 'How many commissions can be paid and match.'),
	commission_ids: is(z.array(Id), 'Numbers of these commissions, in order.'),
};

export const PayoutPreview = named(
	'PayoutPreview',
	'What a payout would pay.',
	z.object({
		payouts: is(
			z.array(z.object({ ...PLANNED, amount_reason: is(Text, 'Why it is that much, in plain words.') })),
			'The payouts that would be made.',
		),
		left_out: is(
			z.array(
				z.object({
					...PLANNED,
					reason: is(
						z.enum(['below_minimum', 'in_debt', 'nothing_approved']),
						'`below_minimum`: less would be paid than `minimum_cents`; `in_debt`: a debt leaves nothing, or less than that; `nothing_approved`: nothing that matches can be paid yet.',
					),
					reason_text: is(Text, 'The same in plain words.'),
				}),
			),
			'Partners with money on hold or a debt who would not be paid: the first 500.',
		),
		left_out_count: is(Count, 'How many they are.'),
	}),
);
