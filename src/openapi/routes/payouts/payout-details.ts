import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import {
	NewPayoutDetails,
	type ownPayoutDetails as ownRoutes,
	type payoutDetailsOfPartner as partnerRoutes,
} from '../../../http/management/payouts/payout-details.ts';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Instant, nothing, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor, underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';

const Method = is(z.enum(PAYOUT_METHODS), 'How the partner is paid.');

export const MaskedDetails = named(
	'MaskedDetails',
	"A partner's payout details, masked.",
	z.object({
		method: Method,
		summary: is(Text, 'Enough to recognize the account.'),
		changed_at: is(Instant, 'When they were last changed, UTC.'),
	}),
);

const text = z.nullable(Text);
const PayoutDetails = named(
	'PayoutDetails',
	'Where a partner is paid. Fields that the method does not use are null.',
	z.object({
		method: Method,
		email: is(text, 'The address of the PayPal or Wise account.'),
		holder: is(text, "The account holder's name."),
		receiver_type: is(z.nullable(z.enum(['person', 'business'])), 'The type of the Wise account holder.'),
		currency: is(text, 'The currency of the bank account, an ISO 4217 code.'),
		iban: is(text, 'IBAN without spaces.'),
		bic: is(text, 'BIC of the bank.'),
		country: is(text, 'The two-letter country code, for an account without an IBAN.'),
		account_number: is(text, 'The account number, for an account without an IBAN.'),
		routing_code: is(text, 'The national bank code: routing number, sort code or BSB.'),
	}),
);

const NONE = notFound('Payout details', 'There are none, or the partner is not in this program.');

const own = routesFor({ tag: 'Payouts', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/partner-accounts/:partnerId/payout-details',
		id: 'readPayoutDetails',
		summary: 'Read your payout details',
		description: 'Masked, so that a stolen session does not reveal the account.',
		params: { partnerId: "The partner's id." },
		answers: {
			200: {
				description: 'The details, masked.',
				schema: answerOfRoute<typeof ownRoutes, '/', '$get'>()(answerOf(MaskedDetails, 'The details, masked.')),
			},
		},
		errors: [notFound('Partner account', 'You have no such partner account.'), notFound('Payout details', 'There are none.')],
		examples: [{ name: 'own', summary: 'Your own', as: 'partner', params: { partnerId: 1 } }],
	},
	{
		method: 'delete',
		path: '/api/v1/partner-accounts/:partnerId/payout-details',
		id: 'removePayoutDetails',
		summary: 'Remove your payout details',
		description: 'Requires your password again. You are notified, as after a change.',
		params: { partnerId: "The partner's id." },
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The details are removed.', schema: answerOfRoute<typeof ownRoutes, '/', '$delete'>()(nothing) } },
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			notFound('Partner account', 'You have no such partner account.'),
			notFound('Payout details', 'There are none.'),
		],
		examples: [{ name: 'gone', summary: 'Removed', as: 'partner', params: { partnerId: 1 }, body: { password: 'correct horse battery' } }],
	},
	{
		method: 'put',
		path: '/api/v1/partner-accounts/:partnerId/payout-details',
		id: 'changePayoutDetails',
		summary: 'Set your payout details',
		description:
			"Only for the person who accepted the partner's invitation. The details are stored encrypted and replace any earlier ones. They are shown in full only to an owner or admin of the workspace who enters their password, and in the files for batch payments. Requires your password again. You are notified of the change in the app and, if email is on, by email.",
		params: { partnerId: "The partner's id, as in `GET /api/v1/me`." },
		body: bodyOf('NewPayoutDetails', 'The password, and the details that the method requires.', NewPayoutDetails, {
			password: 'Your password. At most 200 characters.',
			method:
				'`paypal`: `email`. `wise`: `email`, `holder` and optionally `receiver_type`. `bank`: `holder`, `currency` and either `iban` or `country`, `account_number` and `routing_code`; `bic` is optional with either.',
			email: 'The email address of the PayPal or Wise account. At most 127 characters.',
			holder: "The account holder's name. One line of at most 120 characters.",
			receiver_type: 'The type of the Wise account holder. Defaults to `person`.',
			currency: 'The currency of the bank account, an ISO 4217 code in any letter case.',
			iban: 'IBAN, with or without spaces. Country, length and check digits must be correct.',
			bic: 'BIC of the bank, 8 or 11 characters.',
			country: 'The two-letter country code, for an account without an IBAN.',
			account_number: 'The account number, for an account without an IBAN: 4 to 34 digits and letters.',
			routing_code: 'The national bank code: routing number, sort code or BSB. 3 to 20 digits and letters.',
		}),
		answers: {
			200: {
				description: 'The details are changed.',
				schema: answerOfRoute<typeof ownRoutes, '/', '$put'>()(answerOf(MaskedDetails, 'The details, masked.')),
			},
		},
		errors: [
			invalid('{field} is required for {method}', 'The method requires this field.'),
			invalid('Send iban, or country, account_number and routing_code', 'Neither form of a bank account is complete.'),
			invalid('{field} is not used with these details', 'The method does not use this field.'),
			invalid('{field} is not a valid IBAN: a character is wrong or missing', 'Country, length or check digits are wrong.'),
			invalid('{field} is not a valid BIC: a BIC has 8 or 11 letters and digits', 'The BIC is malformed.'),
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			notFound('Partner account', 'You have no such partner account.'),
		],
		examples: [
			{
				name: 'paypal',
				summary: 'PayPal',
				as: 'partner',
				params: { partnerId: 1 },
				body: { password: 'correct horse battery', method: 'paypal', email: 'pat@people.example' },
			},
			{
				name: 'wise',
				summary: 'Wise',
				as: 'partner',
				params: { partnerId: 1 },
				body: { password: 'correct horse battery', method: 'wise', email: 'pat@people.example', holder: 'Pat Example' },
			},
			{
				name: 'mistyped',
				summary: 'An IBAN with a wrong digit',
				as: 'partner',
				params: { partnerId: 1 },
				body: { password: 'correct horse battery', method: 'bank', holder: 'Pat', currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 01' },
				status: 400,
			},
			{
				name: 'iban',
				summary: 'A bank account in Europe',
				as: 'partner',
				params: { partnerId: 1 },
				body: { password: 'correct horse battery', method: 'bank', holder: 'Pat', currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 00' },
			},
		],
	},
]);

const ofPartner = underProgram('Payouts', '/partners/:partnerId/payout-details', [
	{
		method: 'post',
		path: '/ask',
		atLeast: 'admin',
		id: 'askPayoutDetails',
		summary: 'Ask a partner for payout details',
		description:
			'Emails the person behind the partner a link to where they enter their payout details. All programs of the workspace together ask a partner at most once in seven days. Recorded in the audit log.',
		params: { partnerId: "The partner's id." },
		answers: {
			200: {
				description: 'The email is being sent.',
				schema: answerOfRoute<typeof partnerRoutes, '/ask', '$post'>()(
					answerOf(
						z.object({ partner_id: is(Id, "The partner's id."), asked_at: is(Instant, 'When the partner was asked, UTC.') }),
						'Who was asked, and when.',
					),
				),
			},
		},
		errors: [
			notFound('Partner', 'The partner is not in this program.'),
			conflict('This service sends no email, so it cannot ask. Ask the partner yourself', 'Email is off.'),
			conflict('The partner has entered payout details', 'There is nothing to ask for.'),
			conflict('Nobody has accepted the invitation yet. Invite the partner again instead', 'No person signs in as the partner.'),
			conflict('The partner has unsubscribed from emails. Ask them in another way', 'The person receives no notifications by email.'),
			conflict('The partner was already asked. You can ask again from {instant}', 'The last time was less than seven days ago.'),
		],
		examples: [{ name: 'ask', summary: 'Email is off', params: { partnerId: 1 }, status: 409 }],
	},
	{
		method: 'post',
		path: '/reveal',
		atLeast: 'admin',
		id: 'revealPayoutDetails',
		summary: "Show a partner's payout details",
		description: 'The unmasked details. Requires your password again and is recorded in the audit log.',
		params: { partnerId: "The partner's id." },
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: {
			200: {
				description: 'The details.',
				schema: answerOfRoute<typeof partnerRoutes, '/reveal', '$post'>()(answerOf(PayoutDetails, 'The details.')),
			},
		},
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			NONE,
			conflict(
				'These payout details can no longer be decrypted. The partner must enter them again',
				'A secret was removed from SECRETS too early, or the row was tampered with.',
			),
		],
		examples: [
			{ name: 'reveal', summary: 'The details of partner 1', params: { partnerId: 1 }, body: { password: 'correct horse battery' } },
		],
	},
]);

export const payoutDetails = [...own, ...ofPartner];
