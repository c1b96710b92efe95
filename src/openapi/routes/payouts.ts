import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { NewPayout, PAYOUT_COLUMNS, PayoutQuery, PreviewQuery } from '../../http/management/payouts.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../answers.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { bodyOf, fieldsOf } from '../operation.ts';
import { underProgram } from '../under.ts';

export const Payout = named(
	'Payout',
	'One payment to one partner in one currency.',
	z.object({
		id: is(Id, 'Number of the payout.'),
		partner: is(z.object({ id: is(Id, 'Number of the partner.'), name: is(Text, 'What the workspace calls it.') }), 'Who is paid.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		amount_cents: is(Cents, 'What the partner is to be paid, in minor units.'),
		amount_reason: is(Text, 'Why it is that much, in plain words.'),
		recovered_cents: is(Cents, 'What was kept back for an earlier debt, in minor units.'),
		commission_cents: is(Cents, 'What the commissions had left, in minor units.'),
		surplus_cents: is(
			Cents,
			'What was given back because a refund failed or a dispute was won, and is paid beside them, in minor units. `amount_cents` + `recovered_cents` = `commission_cents` + `surplus_cents`.',
		),
		commission_ids: is(z.array(Id), 'Numbers of the commissions that it pays, in order.'),
		created_at: is(Instant, 'When it was made, UTC.'),
	}),
);

const { partner, currency, commission_cents, surplus_cents } = Payout.shape;

const PLANNED = {
	partner,
	currency,
	amount_cents: is(Cents, 'What the partner would be paid, in minor units.'),
	recovered_cents: is(Cents, 'What would be kept back for an earlier debt, in minor units.'),
	commission_cents,
	surplus_cents,
	commission_ids: is(z.array(Id), 'Numbers of the commissions that can be paid and match, in order.'),
};

const PayoutPreview = named(
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
			'Who has something, be it on hold or a debt, but would not be paid: the first 500.',
		),
		left_out_count: is(Count, 'How many they are.'),
	}),
);

const PREVIEW_ERRORS = [
	invalid('More than 10000 commissions match: narrow the payout down with partner_ids or before', 'One request pays at most 10,000.'),
	notFound('Partner {id}', 'The partner is none of this program.'),
];

export const payouts = underProgram('Payouts', '/payouts', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'makePayouts',
		summary: 'Pay commissions',
		description:
			'Marks commissions as paid: one payout per partner and currency, all or nothing. Either those of `commission_ids`, or all that can be paid (approved ones, and what is left of partly refunded ones) and match the other fields; `{}` pays all that is due. A debt of the partner is recovered from it. What a failed refund or a won dispute gave back after it was paid is paid with it, or alone. No money is moved: a payout is the record of it.',
		body: bodyOf('NewPayout', 'What is paid.', NewPayout, {
			commission_ids: 'Numbers of 1 to 500 commissions. Stands alone.',
			partner_ids: 'Only of these partners, 1 to 500.',
			before:
				"Only commissions made before, and what was given back at any time: a day of the program's time zone (`2026-01-31`) or a time, which without an offset is one of that zone.",
			minimum_cents: {
				text: `Only who is then paid at least that much, in minor units of the currency, 0 to ${MAX_AMOUNT_CENTS.toLocaleString('en')}. By default 0.`,
			},
		}),
		answers: {
			201: {
				description: 'The payouts that were made; none where nothing is due.',
				schema: pageOf(Payout, 'The payouts.'),
				csv: `\`${PAYOUT_COLUMNS}\``,
			},
		},
		errors: [
			invalid('commission_ids stands alone: leave out partner_ids, before and minimum_cents', 'Other fields were sent beside it.'),
			...PREVIEW_ERRORS,
			notFound('Commission {id}', 'The program has no such commission.'),
			conflict(
				'Commission {id} is {status}: only approved commissions, and what is left of partly refunded ones, can be paid',
				'It is in another state.',
			),
			conflict('Commission {id} is refunded and was paid already', 'It was paid before the refund.'),
			conflict('Commission {id} is refunded and nothing of it is left to pay', 'The refund took all of it.'),
			conflict('Commission {id} is refunded and what is left of it is on hold until {instant}', 'Its hold has not ended.'),
		],
		examples: [
			{ name: 'chosen', summary: 'One commission', body: { commission_ids: [3] } },
			{ name: 'everything', summary: 'All that is due, from 1.00 on', body: { minimum_cents: 100 } },
			{ name: 'paid', summary: 'It is paid', body: { commission_ids: [3] }, status: 409 },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listPayouts',
		summary: 'List payouts',
		description: 'Newest first; as CSV with `Accept: text/csv`.',
		query: fieldsOf(PayoutQuery, { ...PAGE_FIELDS, partner_id: 'Only those of this partner.' }),
		answers: { 200: { description: 'A page of payouts.', schema: pageOf(Payout, 'Payouts, newest first.'), csv: `\`${PAYOUT_COLUMNS}\`` } },
		examples: [
			{ name: 'payouts', summary: 'The newest two', query: { limit: '2' } },
			{ name: 'csv', summary: 'As CSV', query: { limit: '2' }, headers: { Accept: 'text/csv' } },
		],
	},
	{
		method: 'get',
		path: '/preview',
		atLeast: 'member',
		id: 'previewPayouts',
		summary: 'Preview payouts',
		description:
			'What `POST .../payouts` with the same fields would pay now, and who would be left out and why. Nothing is written. It is held by nobody: what is approved, refunded or paid in between changes it.',
		query: fieldsOf(PreviewQuery, {
			partner_ids: 'Only of these partners, 1 to 500, separated by commas.',
			before: "Only commissions made before: a day of the program's time zone (`2026-01-31`) or a time.",
			minimum_cents: 'Only who would then be paid at least that much, in minor units of the currency. By default 0.',
		}),
		answers: { 200: { description: 'The preview.', schema: answerOf(PayoutPreview, 'What would be paid.') } },
		errors: PREVIEW_ERRORS,
		examples: [{ name: 'preview', summary: 'All that is due, from 1.00 on', query: { minimum_cents: '100' } }],
	},
]);
