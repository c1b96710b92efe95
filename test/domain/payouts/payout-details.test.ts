import { describe, expect, test } from 'vitest';
import { payoutDetailsOf, type SentDetails, summaryOf } from '../../../src/domain/payouts/payout-details.ts';

const IBAN = 'DE89 3704 0044 0532 0130 00';
const HOLDER = { holder: 'Pat Partner' };
const ACCOUNT = { ...HOLDER, currency: 'USD', country: 'us', accountNumber: '000123456789', routingCode: '021000021' };
const NOTHING = {
	email: null,
	holder: null,
	receiverType: null,
	currency: null,
	iban: null,
	bic: null,
	country: null,
	accountNumber: null,
	routingCode: null,
};

describe('the fields of a method', () => {
	test.each<[SentDetails, object, string]>([
		[{ method: 'paypal', email: 'pat@people.example' }, { email: 'pat@people.example' }, 'PayPal p…@people.example'],
		[
			{ method: 'wise', email: 'pat@people.example', ...HOLDER },
			{ email: 'pat@people.example', ...HOLDER, receiverType: 'person' },
			'Wise p…@people.example',
		],
		[
			{ method: 'bank', ...HOLDER, currency: 'EUR', iban: IBAN, bic: 'cobadeff' },
			{ ...HOLDER, currency: 'EUR', iban: 'DE89370400440532013000', bic: 'COBADEFF' },
			'IBAN DE…3000',
		],
		[{ method: 'bank', ...ACCOUNT }, { ...ACCOUNT, country: 'US' }, 'Account …6789 (US)'],
		[{ method: 'bank', ...ACCOUNT, accountNumber: '1234' }, { ...ACCOUNT, accountNumber: '1234', country: 'US' }, 'Account …4 (US)'],
	])('%j', (sent, kept, summary) => {
		const details = payoutDetailsOf(sent);
		expect(details).toEqual({ ...NOTHING, method: sent.method, ...kept });
		expect(summaryOf(details)).toBe(summary);
	});

	test.each<[SentDetails, string]>([
		[{ method: 'paypal' }, 'email is required for paypal'],
		[{ method: 'wise', email: 'pat@people.example' }, 'holder is required for wise'],
		[{ method: 'bank', ...HOLDER, iban: IBAN }, 'currency is required for bank'],
		[{ method: 'bank', ...HOLDER, currency: 'EUR' }, 'Send iban, or country, account_number and routing_code'],
		[{ method: 'bank', ...ACCOUNT, routingCode: undefined }, 'Send iban, or country, account_number and routing_code'],
		[{ method: 'bank', ...ACCOUNT, iban: IBAN }, 'country is not used with these details'],
		[{ method: 'bank', ...ACCOUNT, receiverType: 'business' }, 'receiver_type is not used with these details'],
		[{ method: 'paypal', email: 'pat@people.example', ...HOLDER }, 'holder is not used with these details'],
		[
			{ method: 'bank', ...HOLDER, currency: 'EUR', iban: 'DE89 3704 0044 0532 0130 01' },
			'iban is not a valid IBAN: a character is wrong or missing',
		],
		[
			{ method: 'bank', ...HOLDER, currency: 'EUR', iban: IBAN, bic: 'COBA' },
			'bic is not a valid BIC: a BIC has 8 or 11 letters and digits',
		],
	])('refuses %j', (sent, message) => {
		expect(() => payoutDetailsOf(sent)).toThrow(message);
	});
});
