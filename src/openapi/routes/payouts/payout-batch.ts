import * as z from 'zod/mini';
import { BANK_COLUMNS, BatchFileRequest, BatchQuery, WISE_COLUMNS } from '../../../http/management/payouts/payout-batch.ts';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Text } from '../../answers.ts';
import { forbidden } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';

const PAYOUT = {
	payout_id: is(Id, 'Id of the payout.'),
	partner: is(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') }), 'Who is paid.'),
	currency: is(CurrencyCode, 'ISO 4217 code of the amount.'),
	amount_cents: is(Cents, 'What the partner is to be paid, in minor units.'),
};

const PayoutBatch = named(
	'PayoutBatch',
	'What a file for batch payments would have.',
	z.object({
		method: is(z.enum(PAYOUT_METHODS), 'How they are paid.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		status: is(z.enum(['made', 'sent']), 'The state of the payouts.'),
		payouts: is(
			z.array(
				z.object({
					...PAYOUT,
					account: is(Text, 'Where it goes, masked.'),
					reference: is(Text, 'What the payment is found by, at the receiver too.'),
				}),
			),
			'The payouts that are in it, oldest first.',
		),
		most_payouts: is(Count, 'How many a file has at most.'),
		left_out: is(
			z.array(
				z.object({
					...PAYOUT,
					reason: is(
						z.enum(['no_payout_details', 'other_method', 'other_currency', 'unreadable', 'not_whole', 'file_full']),
						'`no_payout_details`: the partner has not entered any; `other_method`: they use another method; `other_currency`: their account is in another currency; `unreadable`: their details can no longer be decrypted and must be entered again; `not_whole`: PayPal accepts no decimals in this currency; `file_full`: it will be in the next file.',
					),
					reason_text: is(Text, 'The same in plain words.'),
				}),
			),
			'The others of that state and currency: the first 500.',
		),
		left_out_count: is(Count, 'Their number among the up to 10,000 payouts that were read.'),
		next_cursor: is(
			z.nullable(Text),
			'Send it as `cursor` for the next file, without waiting until these are marked as sent; null: there is none.',
		),
	}),
);

const FIELDS = {
	method: 'By which the partners are paid.',
	currency: 'Of the payouts, an ISO 4217 code in any letter case.',
	status: '`made`: what is to be sent; `sent`: what was marked as sent, for another copy.',
	cursor: 'The `next_cursor` of the file before. Left out: the first file.',
	source_currency: 'What you pay Wise in, an ISO 4217 code. By default that of the payouts.',
};

export const payoutBatch = underProgram('Payouts', '/payouts/batch', [
	{
		method: 'get',
		atLeast: 'admin',
		id: 'planPayoutFile',
		summary: 'Read what a file for batch payments would have',
		description: `Shows what the file would contain, and what is left out and why. \`POST\` returns the file itself. A file has one method and one currency. \`paypal\`: for Payouts Web (developer.paypal.com, "Use Web UI"): recipient, amount, currency, customer ID, note and wallet, without a header, at most 5,000 rows. \`wise\`: the batch template "Send by email" (wise.com, "How do I fill in my batch template?"), at most 1,000 rows. \`bank\`: our own columns, at most 5,000 rows. Mark the payouts as sent afterwards.`,
		query: fieldsOf(BatchQuery, FIELDS),
		answers: {
			200: {
				description: 'What the file has.',
				schema: answerOf(PayoutBatch, 'What the file has.'),
			},
		},
		errors: [
			forbidden(
				'The file contains unmasked payout details, so your password is required: POST {"password", "method", "currency"} to this path',
				'`Accept` is `text/csv`.',
			),
		],
		examples: [
			{ name: 'paypal', summary: 'By PayPal, in dollars', query: { method: 'paypal', currency: 'USD' } },
			{
				name: 'csv',
				summary: 'The file asks for the password',
				query: { method: 'paypal', currency: 'USD' },
				headers: { Accept: 'text/csv' },
				status: 403,
			},
		],
	},
	{
		method: 'post',
		atLeast: 'admin',
		id: 'exportPayouts',
		summary: 'Make a file for batch payments',
		description:
			"The file contains your partners' unmasked payout details. So it requires your password, is recorded in the audit log, and notifies every owner in the app and, by their choice, by email.",
		body: bodyOf('PayoutFileRequest', 'The password, and what the file is to have.', BatchFileRequest, {
			password: 'Your password. At most 200 characters.',
			...FIELDS,
		}),
		answers: {
			200: {
				description: `CSV. \`wise\`: \`${WISE_COLUMNS}\`; \`bank\`: \`${BANK_COLUMNS}\`; \`paypal\`: no header.`,
				media: 'text/csv',
				headers: { 'Content-Disposition': 'The name of the file.' },
			},
		},
		errors: [WRONG_PASSWORD, TOO_MANY_TRIES],
		examples: [
			{ name: 'paypal', summary: 'By PayPal', body: { password: 'correct horse battery', method: 'paypal', currency: 'USD' } },
			{ name: 'wrong', summary: 'With a wrong password', body: { password: 'battery', method: 'paypal', currency: 'USD' }, status: 403 },
		],
	},
]);
