import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import {
	FailedPayout,
	NewPayout,
	PAYOUT_COLUMNS,
	PayoutQuery,
	PreviewQuery,
	SentPayout,
	SentPayouts,
} from '../../http/management/payouts.ts';
import { PAYOUT_STATUSES } from '../../domain/payout-state.ts';
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
		status: is(
			z.enum(PAYOUT_STATUSES),
			'`made`: to be sent; `sent`; `failed`: its amount was given back; `settled`: it pays nothing, so that there is nothing to send.',
		),
		partner: is(z.object({ id: is(Id, 'Number of the partner.'), name: is(Text, 'What the workspace calls it.') }), 'Who is paid.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		amount_cents: is(Cents, 'What the partner is to be paid, in minor units.'),
		amount_reason: is(Text, 'Why it is that much, in plain words.'),
		recovered_cents: is(Cents, 'What was kept back for an earlier debt, in minor units.'),
		commission_cents: is(Cents, 'What the commissions had left, in minor units.'),
		surplus_cents: is(
			Cents,
			'What was given back because a refund or payout failed or a dispute was won, and is paid beside them, in minor units. `amount_cents` + `recovered_cents` = `commission_cents` + `surplus_cents`.',
		),
		commission_ids: is(z.array(Id), 'Numbers of the commissions that it pays, in order.'),
		created_at: is(Instant, 'When it was made, UTC.'),
		sent_at: is(z.nullable(Instant), 'When the money was sent, UTC, as whoever sent it says; null: not yet.'),
		reference: is(z.nullable(Text), 'What it is found by where it was sent: the number of a transfer or batch.'),
		failed_at: is(z.nullable(Instant), 'When it was marked as failed, UTC.'),
		failure_reason: is(z.nullable(Text), 'Why it failed, as whoever marked it says.'),
	}),
);

const ReadPayout = named(
	'ReadPayout',
	'A payout with what it paid.',
	z.object({
		...Payout.shape,
		commissions: is(
			z.array(
				z.object({
					id: is(Id, 'Number of the commission.'),
					status: is(Text, 'Its state now.'),
					amount_cents: is(Cents, 'What was earned, in minor units.'),
					deducted_cents: is(Cents, 'What refunds have taken from it until now, nominally, in minor units.'),
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
					id: is(Id, 'Number of the entry.'),
					kind: is(
						z.enum(['payout', 'recovery', 'surplus', 'return']),
						'`payout`: a commission was paid; `recovery`: of that a debt was recovered; `surplus`: what had been given back was paid; `return`: the payout failed, and gives its amount back.',
					),
					commission_id: is(z.nullable(Id), 'Number of the commission; null: the entry belongs to the payout alone.'),
					amount_cents: is(z.int(), "What it did to the partner's balance, in minor units; below zero: it was taken from it."),
					balance_after_cents: is(z.int(), 'The balance after it, in minor units.'),
					created_at: is(Instant, 'When it was written, UTC.'),
				}),
			),
			'What it moved, oldest first: for these commissions, and beside them.',
		),
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

const PAYOUT_ID = { payoutId: 'Number of the payout.' };

const TOLD = 'The partner is told. A mark is no transfer: send the money yourself.';

const SENT_FIELDS = {
	reference: 'What it is found by where it was sent, such as the number of a transfer or batch. The partner is told it.',
	sent_at: "When it was sent: a day of the program's time zone (`2026-01-31`) or a time, not before the payout was made. By default now.",
} as const;

const NOTHING = 'Payout {id} pays nothing, so that there is nothing to send';

const SENT_ERRORS = [
	invalid('sent_at is in the future', '`sent_at` is still to come.'),
	invalid('sent_at is before payout {id} was made, at {instant}', '`sent_at` is too early.'),
	notFound('Payout {id}'),
	conflict('Payout {id} is sent already', 'It was marked as sent.'),
	conflict('Payout {id} has failed: its amount goes out with the next payout', 'It was marked as failed, which is final.'),
	conflict(NOTHING, 'All of it recovered a debt.'),
];

export const payouts = underProgram('Payouts', '/payouts', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'makePayouts',
		summary: 'Pay commissions',
		description:
			'Marks commissions as paid: one payout per partner and currency, all or nothing. Either those of `commission_ids`, or all that can be paid (approved ones, and what is left of partly refunded ones) and match the other fields; `{}` pays all that is due. A debt of the partner is recovered from it. What a failed refund or payout or a won dispute gave back is paid with it, or alone. No money is moved: a payout is the record of it, until you mark it as sent or failed.',
		body: bodyOf('NewPayout', 'What is paid.', NewPayout, {
			commission_ids: 'Numbers of 1 to 500 commissions. Stands alone.',
			partner_ids: 'Only of these partners, 1 to 500.',
			before:
				"Only commissions made before, and what was given back at any time: a day of the program's time zone (`2026-01-31`) or a time, which without an offset is one of that zone.",
			minimum_cents: {
				text: `Only who is then paid at least that much, in minor units of the currency, 0 to ${MAX_AMOUNT_CENTS.toLocaleString('en')}. By default what the program has as \`payout_minimum_cents\`, in its own currency.`,
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
		query: fieldsOf(PayoutQuery, {
			...PAGE_FIELDS,
			status: 'Only those in this state.',
			partner_id: 'Only those of this partner.',
			currency: 'Only those in this currency, an ISO 4217 code in any letter case.',
			method: 'Only of partners who are paid like this now; `none`: who have not said.',
		}),
		answers: { 200: { description: 'A page of payouts.', schema: pageOf(Payout, 'Payouts, newest first.'), csv: `\`${PAYOUT_COLUMNS}\`` } },
		examples: [
			{ name: 'payouts', summary: 'The newest two', query: { limit: '2' } },
			{ name: 'made', summary: 'What is to be sent', query: { status: 'made', limit: '2' } },
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
			minimum_cents:
				'Only who would then be paid at least that much, in minor units of the currency. By default what the program has as `payout_minimum_cents`, in its own currency.',
		}),
		answers: { 200: { description: 'The preview.', schema: answerOf(PayoutPreview, 'What would be paid.') } },
		errors: PREVIEW_ERRORS,
		examples: [{ name: 'preview', summary: 'All that is due, from 1.00 on', query: { minimum_cents: '100' } }],
	},
	{
		method: 'post',
		path: '/sent',
		atLeast: 'admin',
		id: 'markPayoutsSent',
		summary: 'Mark payouts as sent',
		description: `Several at once, such as those of one file; all or nothing. ${TOLD}`,
		body: bodyOf('SentPayouts', 'Which, and how they are found where they were sent.', SentPayouts, {
			payout_ids: 'Numbers of 1 to 500 payouts.',
			...SENT_FIELDS,
		}),
		answers: { 200: { description: 'They are sent.', schema: answerOf(z.array(Payout), 'The payouts, newest first.') } },
		errors: SENT_ERRORS,
		examples: [
			{ name: 'unknown', summary: 'One of them is unknown', body: { payout_ids: [1, 999] }, status: 404 },
			{ name: 'batch', summary: 'Sent as one batch', body: { payout_ids: [1], reference: 'batch 2026-11' } },
		],
	},
	{
		method: 'get',
		path: '/:payoutId',
		atLeast: 'member',
		id: 'readPayout',
		summary: 'Read a payout',
		description: 'One payout, with its commissions and what it moved.',
		params: PAYOUT_ID,
		answers: { 200: { description: 'The payout.', schema: answerOf(ReadPayout, 'The payout.') } },
		errors: [notFound('Payout')],
		examples: [{ name: 'payout', summary: 'A payout', params: { payoutId: 1 } }],
	},
	{
		method: 'post',
		path: '/:payoutId/sent',
		atLeast: 'admin',
		id: 'markPayoutSent',
		summary: 'Mark a payout as sent',
		description: `The money is on its way. ${TOLD}`,
		params: PAYOUT_ID,
		body: bodyOf('SentPayout', 'How it is found where it was sent.', SentPayout, SENT_FIELDS),
		answers: { 200: { description: 'It is sent.', schema: answerOf(Payout, 'The payout.') } },
		errors: SENT_ERRORS,
		examples: [
			{ name: 'sent', summary: 'A transfer', params: { payoutId: 3 }, body: { reference: 'transfer 4711' } },
			{ name: 'again', summary: 'It is sent already', params: { payoutId: 3 }, body: {}, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/:payoutId/failed',
		atLeast: 'admin',
		id: 'markPayoutFailed',
		summary: 'Mark a payout as failed',
		description:
			"The money did not arrive, or came back, also where it was marked as sent. That is final: the amount is in the partner's balance again, once, its commissions stay paid, and the next payout pays it. The partner is told, with the reason.",
		params: PAYOUT_ID,
		body: bodyOf('FailedPayout', 'Why.', FailedPayout, { reason: 'Why it failed, for the partner to read. At most 500 characters.' }),
		answers: { 200: { description: 'It failed.', schema: answerOf(Payout, 'The payout.') } },
		errors: [
			notFound('Payout {id}'),
			conflict('Payout {id} has failed already', 'It was marked as failed.'),
			conflict(NOTHING, 'All of it recovered a debt.'),
		],
		examples: [
			{ name: 'failed', summary: 'The transfer came back', params: { payoutId: 3 }, body: { reason: 'The account is closed' } },
			{ name: 'again', summary: 'It has failed already', params: { payoutId: 3 }, body: { reason: 'The account is closed' }, status: 409 },
		],
	},
]);
