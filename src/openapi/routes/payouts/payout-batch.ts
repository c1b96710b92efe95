import * as z from 'zod/mini';
import {
	BANK_COLUMNS,
	BatchFileRequest,
	BatchQuery,
	type payoutBatch as batchRoutes,
	WISE_COLUMNS,
} from '../../../http/management/payouts/payout-batch.ts';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Text } from '../../answers.ts';
import { forbidden } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';

const PAYOUT = {
	payout_id: is(Id, "The payout's id."),
	partner: is(
		z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") }),
		'The partner who is paid.',
	),
	currency: is(CurrencyCode, 'ISO 4217 code of the amount.'),
	amount_cents: is(Cents, 'The amount to pay the partner, in minor units.'),
};

const PayoutBatch = named(
	'PayoutBatch',
	'The contents of a file for batch payments.',
	z.object({
		method: is(z.enum(PAYOUT_METHODS), 'The payment method.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
		status: is(z.enum(['made', 'sent']), 'The status of the payouts.'),
		payouts: is(
			z.array(
				z.object({
					...PAYOUT,
					account: is(Text, 'The receiving account, masked.'),
					reference: is(Text, 'The reference of the payment, which the receiver also sees.'),
				}),
			),
			'The payouts in the file, oldest first.',
		),
		most_payouts: is(Count, 'The maximum number of payouts in a file.'),
		left_out: is(
			z.array(
				z.object({
					...PAYOUT,
					reason: is(
						z.enum(['no_payout_details', 'other_method', 'other_currency', 'unreadable', 'not_whole', 'file_full']),
						'`no_payout_details`: the partner has not entered any; `other_method`: the partner uses another method; `other_currency`: the account receives another currency; `unreadable`: no secret of the service decrypts the details, so the partner must enter them again; `not_whole`: PayPal accepts no decimals in this currency; `file_full`: it will be in the next file.',
					),
					reason_text: is(Text, 'The reason, in plain words.'),
				}),
			),
			'The other payouts of this status and currency: the first 500.',
		),
		left_out_count: is(Count, 'The number of payouts left out, among the up to 10,000 that were checked.'),
		next_cursor: is(
			z.nullable(Text),
			'Send it as `cursor` for the next file, even before these are marked as sent; null if there is none.',
		),
	}),
);

const FIELDS = {
	method: 'The payment method of the partners.',
	currency: 'The currency of the payouts, an ISO 4217 code in any letter case.',
	status: '`made`: payouts to be sent; `sent`: payouts already marked as sent, for another copy.',
	cursor: 'The `next_cursor` of the previous file. Defaults to the first file.',
	source_currency: 'The currency in which you pay Wise, an ISO 4217 code. Defaults to that of the payouts.',
};

export const payoutBatch = underProgram('Payouts', '/payouts/batch', [
	{
		method: 'get',
		atLeast: 'admin',
		id: 'planPayoutFile',
		summary: 'Preview a file for batch payments',
		description: `The payouts that would be in the file, and those left out with the reason; \`POST\` returns the file itself. Each file has one method and one currency. \`paypal\`: for Payouts Web (developer.paypal.com, "Use Web UI"): recipient, amount, currency, customer ID, note and wallet, without a header, at most 5,000 rows. \`wise\`: the batch template "Send by email" (wise.com, "How do I fill in my batch template?"), at most 1,000 rows. \`bank\`: columns of our own, at most 5,000 rows. Then mark the payouts as sent.`,
		query: fieldsOf(BatchQuery, FIELDS),
		answers: {
			200: {
				description: 'The contents of the file.',
				schema: answerOfRoute<typeof batchRoutes, '/', '$get'>()(answerOf(PayoutBatch, 'The contents of the file.')),
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
				summary: 'The file requires the password',
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
		summary: 'Create a file for batch payments',
		description:
			"The file contains your partners' unmasked account details. So creating it requires your password again, is recorded in the audit log, and notifies every owner in the app and by email, as they have set.",
		body: bodyOf('PayoutFileRequest', 'The password, and the payouts to include.', BatchFileRequest, {
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
