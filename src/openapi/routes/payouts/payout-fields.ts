import * as z from 'zod/mini';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { Cents, Count, CurrencyCode, Id, Instant, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

export const Payout = named(
	'Payout',
	'One payment to one partner in one currency.',
	z.object({
		id: is(Id, "The payout's id."),
		status: is(
			z.enum(PAYOUT_STATUSES),
			'`made`: to be sent; `sent`; `failed`: its amount was returned to the balance; `settled`: its amount is 0, so there is nothing to send.',
		),
		partner: is(
			z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") }),
			'The partner who is paid.',
		),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		amount_cents: is(Cents, 'The amount to pay the partner, in minor units.'),
		amount_reason: is(Text, 'How the amount was calculated, in plain words.'),
		recovered_cents: is(Cents, 'The amount deducted for an earlier debt, in minor units.'),
		commission_cents: is(Cents, 'What was left of the commissions, in minor units.'),
		surplus_cents: is(
			Cents,
			'The amount returned to the balance because a refund or payout failed or a dispute was won, paid in addition, in minor units. `amount_cents` + `recovered_cents` = `commission_cents` + `surplus_cents`.',
		),
		commission_count: is(Count, 'The number of commissions it pays.'),
		commission_ids: is(
			z.array(Id),
			'Ids of these commissions, in order. Lists, and responses to marking, have the first 20. `GET .../commissions?payout_id=` lists them all.',
		),
		created_at: is(Instant, 'When it was created, UTC.'),
		sent_at: is(z.nullable(Instant), 'When the money was sent, UTC, as entered by the sender; null if not sent yet.'),
		reference: is(z.nullable(Text), 'The reference of the payment, such as the number of a transfer or batch.'),
		failed_at: is(z.nullable(Instant), 'When it was marked as failed, UTC.'),
		failure_reason: is(z.nullable(Text), 'Why it failed, as entered when it was marked.'),
	}),
);

export const ReadPayout = named(
	'ReadPayout',
	'A payout with the commissions it paid.',
	z.object({
		...Payout.shape,
		commissions: is(
			z.array(
				z.object({
					id: is(Id, "The commission's id."),
					status: is(Text, 'The current status.'),
					amount_cents: is(Cents, 'The amount earned, in minor units.'),
					deducted_cents: is(Cents, 'The nominal deductions for refunds so far, in minor units.'),
					paid_cents: is(Cents, 'What was left of it when it was paid, in minor units.'),
					transaction_id: is(Text, "The sale's transaction id, as the shop reported it."),
					created_at: is(Instant, 'When it was earned, UTC.'),
				}),
			),
			'The first 500 commissions it paid. `GET .../commissions?payout_id=` lists them all.',
		),
		ledger_entries: is(
			z.array(
				z.object({
					id: is(Id, "The entry's id."),
					kind: is(
						z.enum(['payout', 'recovery', 'surplus', 'return']),
						'`payout`: a commission was paid; `recovery`: an earlier debt was deducted; `surplus`: an amount that had been returned to the balance was paid; `return`: the payout failed, and its amount was returned to the balance.',
					),
					commission_id: is(z.nullable(Id), "The commission's id; null if the entry belongs to the payout alone."),
					amount_cents: is(z.int(), "The change of the partner's balance, in minor units; negative for a deduction."),
					balance_after_cents: is(z.int(), 'The balance after the entry, in minor units.'),
					created_at: is(Instant, 'When it was recorded, UTC.'),
				}),
			),
			'The ledger entries of the payout, oldest first: for these commissions, and for the payout alone.',
		),
	}),
);

const { currency, commission_cents, surplus_cents } = Payout.shape;

const PLANNED = {
	partner: is(
		z.object({
			id: is(Id, "The partner's id."),
			name: is(Text, "The partner's name in the workspace."),
			status: is(z.enum(['active', 'suspended', 'ended']), 'The status of the membership. What was earned before it ended is still due.'),
			payout_method: is(
				z.nullable(z.enum(PAYOUT_METHODS)),
				'How the partner is paid; null if not entered: no file will include the payout.',
			),
		}),
		'The partner who would be paid.',
	),
	currency,
	amount_cents: is(Cents, 'The amount that the partner would be paid, in minor units.'),
	recovered_cents: is(Cents, 'The amount that would be deducted for an earlier debt, in minor units.'),
	commission_cents,
	surplus_cents,
	commission_count: is(Count, 'The number of matching commissions that can be paid.'),
	commission_ids: is(z.array(Id), 'Ids of these commissions, in order.'),
};

export const PayoutPreview = named(
	'PayoutPreview',
	'A preview of payouts.',
	z.object({
		payouts: is(
			z.array(
				z.object({
					...PLANNED,
					amount_reason: is(Text, 'How the amount was calculated, in plain words.'),
					warning: is(
						z.nullable(Text),
						'What to know before paying, such as missing payout details; null if nothing. The payout can be made anyway.',
					),
				}),
			),
			'The payouts that would be made.',
		),
		without_payout_method: is(Count, 'How many of these payouts go to partners without payout details.'),
		left_out: is(
			z.array(
				z.object({
					...PLANNED,
					reason: is(
						z.enum(['below_minimum', 'in_debt', 'nothing_approved']),
						'`below_minimum`: less than `minimum_cents` would be paid; `in_debt`: a debt leaves nothing, or less than that; `nothing_approved`: nothing that matches can be paid yet.',
					),
					reason_text: is(Text, 'The reason, in plain words.'),
				}),
			),
			'Partners with a balance, amounts on hold or a debt who would not be paid: the first 500.',
		),
		left_out_count: is(Count, 'The number of partners left out.'),
	}),
);
