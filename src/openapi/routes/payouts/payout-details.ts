import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import { NewPayoutDetails } from '../../../http/management/payouts/payout-details.ts';
import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { answerOf, Instant, nothing, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor, underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';

const Method = is(z.enum(PAYOUT_METHODS), 'How the partner is paid.');

export const MaskedDetails = named(
	'MaskedDetails',
	'Where a partner is paid, masked.',
	z.object({
		method: Method,
		summary: is(Text, 'Enough to know the account again.'),
		changed_at: is(Instant, 'When they were last changed, UTC.'),
	}),
);

const text = z.nullable(Text);
const PayoutDetails = named(
	'PayoutDetails',
	"A partner's payout details. Fields that the method does not use are null.",
	z.object({
		method: Method,
		email: is(text, 'The address of the PayPal or Wise account.'),
		holder: is(text, 'The name that the account is under.'),
		receiver_type: is(z.nullable(z.enum(['person', 'business'])), "The type of the Wise account's owner."),
		currency: is(text, "ISO 4217 code of the bank account's currency."),
		iban: is(text, 'IBAN, without blanks.'),
		bic: is(text, 'BIC of the bank.'),
		country: is(text, 'The two letters of the country of an account without an IBAN.'),
		account_number: is(text, 'Id of the account, without an IBAN.'),
		routing_code: is(text, 'What finds the bank in its country: routing number, sort code, BSB.'),
	}),
);

const NONE = notFound('Payout details', 'The partner has none, or does not belong to this program.');

const own = routesFor({ tag: 'Payouts', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/partner-accounts/:partnerId/payout-details',
		id: 'readPayoutDetails',
		summary: 'Read where you are paid',
		description: 'Your own, masked: whoever has stolen a session learns no account by them.',
		params: { partnerId: 'Id of the partner.' },
		answers: { 200: { description: 'The details, masked.', schema: answerOf(MaskedDetails, 'The details, masked.') } },
		errors: [notFound('Partner account', 'You are not this partner.'), notFound('Payout details', 'There are none.')],
		examples: [{ name: 'own', summary: 'Your own', as: 'partner', params: { partnerId: 1 } }],
	},
	{
		method: 'delete',
		path: '/api/v1/partner-accounts/:partnerId/payout-details',
		id: 'removePayoutDetails',
		summary: 'Take away where you are paid',
		description: 'Asks for your password once more. You are notified, as of a change.',
		params: { partnerId: 'Id of the partner.' },
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'They are gone.', schema: nothing } },
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			notFound('Partner account', 'You are not this partner.'),
			notFound('Payout details', 'There are none.'),
		],
		examples: [{ name: 'gone', summary: 'Gone', as: 'partner', params: { partnerId: 1 }, body: { password: 'correct horse battery' } }],
	},
	{
		method: 'put',
		path: '/api/v1/partner-accounts/:partnerId/payout-details',
		id: 'changePayoutDetails',
		summary: 'Say where you are paid',
		description:
			'For the person who accepted the invitation of the partner. Replaces earlier details, and is stored encrypted. They are shown in full only to owners and admins of the workspace who enter their password, and in the files for batch payments. Requires your password. You are notified of the change in the app and, if email is on, by email.',
		params: { partnerId: 'Id of the partner, from `GET /api/v1/me`.' },
		body: bodyOf('NewPayoutDetails', 'The password, and what the method asks for.', NewPayoutDetails, {
			password: 'Your password. At most 200 characters.',
			method:
				'`paypal`: `email`. `wise`: `email`, `holder` and optionally `receiver_type`. `bank`: `holder`, `currency` and either `iban` or `country`, `account_number` and `routing_code`; `bic` is optional.',
			email: 'The address of the account at PayPal or Wise. At most 127 characters.',
			holder: 'The name that the account is under. One line of at most 120 characters.',
			receiver_type: "The type of the Wise account's owner. By default `person`.",
			currency: "The bank account's currency, an ISO 4217 code in any letter case.",
			iban: 'IBAN, with or without blanks. Country, length and check digits have to be right.',
			bic: 'BIC of the bank, 8 or 11 characters.',
			country: 'The two letters of the country of an account without an IBAN.',
			account_number: 'Number of an account without an IBAN, 4 to 34 digits and letters.',
			routing_code: "The bank's code in its country: routing number, sort code or BSB. 3 to 20 digits and letters.",
		}),
		answers: { 200: { description: 'They are changed.', schema: answerOf(MaskedDetails, 'The details, masked.') } },
		errors: [
			invalid('{field} is required for {method}', 'The method requires more.'),
			invalid('Send iban, or country, account_number and routing_code', 'A bank account is named by neither.'),
			invalid('{field} is not used with these details', 'The method has no use for a field.'),
			invalid('{field} is not a valid IBAN: a character is wrong or missing', 'Country, length or check digits are wrong.'),
			invalid('{field} is not a valid BIC: a BIC has 8 or 11 letters and digits', 'It has another form.'),
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			notFound('Partner account', 'You are not this partner.'),
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
		path: '/reveal',
		atLeast: 'admin',
		id: 'revealPayoutDetails',
		summary: 'Show where a partner is paid',
		description: 'In full. Asks for your password once more, and is in the audit log.',
		params: { partnerId: 'Id of the partner.' },
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The details.', schema: answerOf(PayoutDetails, 'The details.') } },
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			NONE,
			conflict(
				'These payout details can no longer be decrypted. The partner must enter them again',
				'A secret was removed from SECRETS too early, or the row was tampered with.',
			),
		],
		examples: [{ name: 'reveal', summary: 'Of partner 1', params: { partnerId: 1 }, body: { password: 'correct horse battery' } }],
	},
]);

export const payoutDetails = [...own, ...ofPartner];
