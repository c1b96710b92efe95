import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import {
	FailedPayout,
	NewPayout,
	PAYOUT_COLUMNS,
	type payouts as payoutRoutes,
	PayoutQuery,
	PreviewQuery,
	SentPayout,
	SentPayouts,
} from '../../../http/management/payouts/payouts.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
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
	notFound('Partner {id}', 'The partner is not in this program.'),
];

const PAYOUT_ID = { payoutId: "The payout's id." };

const MARKED = 'The partner is notified. Marking transfers no money: send it yourself.';

const SENT_FIELDS = {
	reference: 'The reference of the payment, such as the number of a transfer or batch. The partner sees it.',
	sent_at:
		"When it was sent: a day in the program's time zone (`2026-01-31`) or a time, not before the payout was created. Defaults to now.",
} as const;

const NOTHING = 'Payout {id} has an amount of 0, so there is nothing to send';

const SENT_ERRORS = [
	invalid('sent_at is in the future', '`sent_at` is in the future.'),
	invalid('sent_at is before payout {id} was made, at {instant}', '`sent_at` is too early.'),
	notFound('Payout {id}'),
	conflict('Payout {id} was already sent', 'The payout was marked as sent.'),
	conflict('Payout {id} has failed. Its amount will be in the next payout', 'The payout was marked as failed, which is final.'),
	conflict(NOTHING, 'All of it was deducted for a debt.'),
];

export const payouts = underProgram('Payouts', '/payouts', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'makePayouts',
		summary: 'Pay commissions',
		description:
			"Marks commissions as paid: one payout per partner and currency, all or nothing. Pays either `commission_ids`, or all commissions that can be paid (approved ones, and what is left of partly refunded ones) and match the other fields; `{}` pays everything that is due. A partner's debt is deducted. An amount returned by a failed refund or payout or a won dispute is paid in addition, or alone. No money is transferred: a payout is a record until you mark it as sent or failed.",
		body: bodyOf('NewPayout', 'The commissions to pay.', NewPayout, {
			commission_ids: 'The ids of 1 to 500 commissions. Cannot be combined with other fields.',
			partner_ids: 'Only these partners, 1 to 500.',
			before:
				"Only commissions created before this day of the program's time zone (`2026-01-31`) or time, which without an offset is in that zone. Amounts returned to the balance have no such limit.",
			minimum_cents: {
				text: `Only partners who are then paid at least this amount, in minor units of the currency, 0 to ${MAX_AMOUNT_CENTS.toLocaleString('en')}. Defaults to the program's \`payout_minimum_cents\`, in its own currency.`,
			},
		}),
		answers: {
			201: {
				description: 'The payouts that were made; none if nothing is due.',
				schema: answerOfRoute<typeof payoutRoutes, '/', '$post'>()(pageOf(Payout, 'The payouts.')),
				csv: `\`${PAYOUT_COLUMNS}\``,
			},
		},
		errors: [
			invalid('commission_ids cannot be combined with partner_ids, before or minimum_cents', 'Other fields were sent with it.'),
			...PREVIEW_ERRORS,
			notFound('Commission {id}', 'The commission does not exist in this program.'),
			conflict(
				'Commission {id} is {status}: only approved commissions and the rest of partly refunded ones can be paid',
				'The commission has another status.',
			),
			conflict('Commission {id} is refunded and was already paid', 'It was paid before the refund.'),
			conflict('Commission {id} is refunded and has nothing left to pay', 'The refund deducted all of it.'),
			conflict('Commission {id} is partly refunded and the rest is on hold until {instant}', 'The hold of the rest has not ended.'),
		],
		examples: [
			{ name: 'chosen', summary: 'One commission', body: { commission_ids: [3] } },
			{ name: 'everything', summary: 'Everything that is due, at least 1.00', body: { minimum_cents: 100 } },
			{ name: 'paid', summary: 'The commission is already paid', body: { commission_ids: [3] }, status: 409 },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listPayouts',
		summary: 'List payouts',
		description:
			'The payouts of a program, newest first. `Accept: text/csv` returns all that match as CSV, up to 1,000,000 lines, unless a `limit` is sent.',
		query: fieldsOf(PayoutQuery, {
			...PAGE_FIELDS,
			status: 'Only payouts with this status.',
			partner_id: 'Only payouts to this partner.',
			currency: 'Only payouts in this currency, an ISO 4217 code in any letter case.',
			method: 'Only payouts to partners who are now paid by this method; `none`: those without payout details.',
		}),
		answers: {
			200: {
				description: 'A page of payouts.',
				schema: answerOfRoute<typeof payoutRoutes, '/', '$get'>()(pageOf(Payout, 'Payouts, newest first.')),
				csv: `\`${PAYOUT_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'payouts', summary: 'The newest two', query: { limit: '2' } },
			{ name: 'made', summary: 'Payouts to be sent', query: { status: 'made', limit: '2' } },
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
			'What `POST .../payouts` with the same fields would pay now, and which partners would be left out and why. Nothing is written or reserved: commissions that are approved, refunded or paid before you pay change the result.',
		query: fieldsOf(PreviewQuery, {
			partner_ids: 'Only these partners, 1 to 500, separated by commas.',
			before: "Only commissions created before this day of the program's time zone (`2026-01-31`) or time.",
			minimum_cents:
				"Only partners who would then be paid at least this amount, in minor units of the currency. Defaults to the program's `payout_minimum_cents`, in its own currency.",
		}),
		answers: {
			200: {
				description: 'The preview.',
				schema: answerOfRoute<typeof payoutRoutes, '/preview', '$get'>()(answerOf(PayoutPreview, 'The payouts that would be made.')),
			},
		},
		errors: PREVIEW_ERRORS,
		examples: [{ name: 'preview', summary: 'Everything that is due, at least 1.00', query: { minimum_cents: '100' } }],
	},
	{
		method: 'post',
		path: '/sent',
		atLeast: 'admin',
		id: 'markPayoutsSent',
		summary: 'Mark payouts as sent',
		description: `Marks several payouts, such as those of one file; all or nothing. ${MARKED}`,
		body: bodyOf('SentPayouts', 'The payouts, and the reference of the payment.', SentPayouts, {
			payout_ids: 'The ids of 1 to 500 payouts.',
			...SENT_FIELDS,
		}),
		answers: {
			200: {
				description: 'The payouts are marked as sent.',
				schema: answerOfRoute<typeof payoutRoutes, '/sent', '$post'>()(answerOf(z.array(Payout), 'The payouts, newest first.')),
			},
		},
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
		answers: {
			200: {
				description: 'The payout.',
				schema: answerOfRoute<typeof payoutRoutes, '/:payoutId', '$get'>()(answerOf(ReadPayout, 'The payout.')),
			},
		},
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
		body: bodyOf('SentPayout', 'The reference of the payment.', SentPayout, SENT_FIELDS),
		answers: {
			200: {
				description: 'The payout is marked as sent.',
				schema: answerOfRoute<typeof payoutRoutes, '/:payoutId/sent', '$post'>()(answerOf(Payout, 'The payout.')),
			},
		},
		errors: SENT_ERRORS,
		examples: [
			{ name: 'sent', summary: 'A transfer', params: { payoutId: 3 }, body: { reference: 'transfer 4711' } },
			{ name: 'again', summary: 'The payout was already sent', params: { payoutId: 3 }, body: {}, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/:payoutId/failed',
		atLeast: 'admin',
		id: 'markPayoutFailed',
		summary: 'Mark a payout as failed',
		description:
			"The money did not arrive or was returned, even if the payout was marked as sent. This is final: the amount is added back to the partner's balance once, its commissions stay paid, and the next payout pays it. The partner is notified, with the reason.",
		params: PAYOUT_ID,
		body: bodyOf('FailedPayout', 'The reason.', FailedPayout, { reason: 'Why it failed; the partner sees it. At most 500 characters.' }),
		answers: {
			200: {
				description: 'The payout is marked as failed.',
				schema: answerOfRoute<typeof payoutRoutes, '/:payoutId/failed', '$post'>()(answerOf(Payout, 'The payout.')),
			},
		},
		errors: [
			notFound('Payout {id}'),
			conflict('Payout {id} has already failed', 'The payout was already marked as failed.'),
			conflict(NOTHING, 'All of it was deducted for a debt.'),
		],
		examples: [
			{ name: 'failed', summary: 'The transfer came back', params: { payoutId: 3 }, body: { reason: 'The account is closed' } },
			{
				name: 'again',
				summary: 'The payout has already failed',
				params: { payoutId: 3 },
				body: { reason: 'The account is closed' },
				status: 409,
			},
		],
	},
]);
