import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import {
	FailedPayout,
	NewPayout,
	PAYOUT_COLUMNS,
	PayoutQuery,
	PreviewQuery,
	SentPayout,
	SentPayouts,
} from '../../../http/management/payouts/payouts.ts';
import { answerOf, PAGE_FIELDS, pageOf } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { Payout, PayoutPreview, ReadPayout } from './payout-fields.ts';

const PREVIEW_ERRORS = [
	invalid(
		'More than 10000 commissions match: start a run (POST .../payouts/runs), or narrow the payout with partner_ids or before',
		'One request pays at most 10,000. A run pays any number.',
	),
	notFound('Partner {id}', 'The partner does not belong to this program.'),
];

const PAYOUT_ID = { payoutId: 'Id of the payout.' };

const MARKED = 'Notifies the partner. It transfers no money: send the money yourself.';

const SENT_FIELDS = {
	reference: 'Its reference at the sender, such as the number of a transfer or batch. The partner can see it.',
	sent_at: "When it was sent: a day of the program's time zone (`2026-01-31`) or a time, not before the payout was made. By default now.",
} as const;

const NOTHING = 'Payout {id} has an amount of 0, so there is nothing to send';

const SENT_ERRORS = [
	invalid('sent_at is in the future', '`sent_at` is still to come.'),
	invalid('sent_at is before payout {id} was made, at {instant}', '`sent_at` is too early.'),
	notFound('Payout {id}'),
	conflict('Payout {id} was already sent', 'It was marked as sent.'),
	conflict('Payout {id} has failed. Its amount will be in the next payout', 'It was marked as failed, which is final.'),
	conflict(NOTHING, 'All of it recovered a debt.'),
];

export const payouts = underProgram('Payouts', '/payouts', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'makePayouts',
		summary: 'Pay commissions',
		description:
			"Marks commissions as paid: one payout per partner and currency, all or nothing. Either those in `commission_ids`, or all payable ones (approved commissions and the rest of partly refunded ones) that match the other fields; `{}` pays everything that is due. A partner's debt is deducted. Amounts credited back by a failed refund or payout or a won dispute are paid with it, or alone. No money is moved: a payout is a record, until you mark it as sent or failed.",
		body: bodyOf('NewPayout', 'What is paid.', NewPayout, {
			commission_ids: 'Numbers of 1 to 500 commissions. Stands alone.',
			partner_ids: 'Only of these partners, 1 to 500.',
			before:
				"Only commissions created before this, and amounts credited back at any time: a day in the program's time zone (`2026-01-31`) or a time. A time without an offset is in that time zone.",
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
			invalid('commission_ids cannot be combined with partner_ids, before or minimum_cents', 'Other fields were sent with it.'),
			...PREVIEW_ERRORS,
			notFound('Commission {id}', 'The commission does not exist in this program.'),
			conflict(
				'Commission {id} is {status}: only approved commissions and the rest of partly refunded ones can be paid',
				'It is in another state.',
			),
			conflict('Commission {id} is refunded and was already paid', 'It was paid before the refund.'),
			conflict('Commission {id} is refunded and has nothing left to pay', 'A refund has deducted all of it.'),
			conflict('Commission {id} is partly refunded and the rest is on hold until {instant}', 'Its hold has not ended.'),
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
		description: 'Newest first. With `Accept: text/csv`, a CSV of all that match, up to 1,000,000 lines, unless a `limit` is given.',
		query: fieldsOf(PayoutQuery, {
			...PAGE_FIELDS,
			status: 'Only those in this state.',
			partner_id: 'Only those of this partner.',
			currency: 'Only those in this currency, an ISO 4217 code in any letter case.',
			method: 'Only of partners with this payout method now; `none`: without payout details.',
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
			'Shows what `POST .../payouts` with the same fields would pay now, and who would be left out and why. Nothing is written or reserved: approvals, refunds and payouts in between change the result.',
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
		description: `Several at once, such as those of one file; all or nothing. ${MARKED}`,
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
		description: 'One payout, with its commissions and ledger entries.',
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
		description: `The money is on its way. ${MARKED}`,
		params: PAYOUT_ID,
		body: bodyOf('SentPayout', 'How it is found where it was sent.', SentPayout, SENT_FIELDS),
		answers: { 200: { description: 'It is sent.', schema: answerOf(Payout, 'The payout.') } },
		errors: SENT_ERRORS,
		examples: [
			{ name: 'sent', summary: 'A transfer', params: { payoutId: 3 }, body: { reference: 'transfer 4711' } },
			{ name: 'again', summary: 'It was already sent', params: { payoutId: 3 }, body: {}, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/:payoutId/failed',
		atLeast: 'admin',
		id: 'markPayoutFailed',
		summary: 'Mark a payout as failed',
		description:
			"The money did not arrive or came back, even if the payout was marked as sent. This is final: the amount is credited to the partner's balance once, the commissions stay paid, and the next payout pays the amount. The partner is notified with the reason.",
		params: PAYOUT_ID,
		body: bodyOf('FailedPayout', 'Why.', FailedPayout, { reason: 'Why it failed, for the partner to read. At most 500 characters.' }),
		answers: { 200: { description: 'It failed.', schema: answerOf(Payout, 'The payout.') } },
		errors: [
			notFound('Payout {id}'),
			conflict('Payout {id} has already failed', 'It was marked as failed.'),
			conflict(NOTHING, 'All of it recovered a debt.'),
		],
		examples: [
			{ name: 'failed', summary: 'The transfer came back', params: { payoutId: 3 }, body: { reason: 'The account is closed' } },
			{ name: 'again', summary: 'It has already failed', params: { payoutId: 3 }, body: { reason: 'The account is closed' }, status: 409 },
		],
	},
]);
