import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	differencesOf,
	differenceText,
	isSamePayment,
	type RecordedSale,
	type RepeatedSale,
} from '../../../src/domain/commissions/repeated-sale.ts';

const recorded: RecordedSale = {
	amountCents: 10_000,
	currency: 'USD',
	chargedCents: null,
	chargedCurrency: null,
	hasCoupon: false,
	buyer: { customerKey: 'ann', clickId: 'click-1' },
};
const again: RepeatedSale = { amountCents: 10_000, currency: 'USD', customerKey: 'ann', clickId: undefined };

describe('a repeated sale', () => {
	test.each<[what: string, known: Partial<RecordedSale>, sent: Partial<RepeatedSale>, differs: string[]]>([
		['the same', {}, {}, []],
		['another amount', {}, { amountCents: 9_999 }, ['amount_cents']],
		['the charged amount including tax', { chargedCents: 11_900, chargedCurrency: 'USD' }, { amountCents: 11_900 }, []],
		['neither the amount nor the charge', { chargedCents: 11_900, chargedCurrency: 'USD' }, { amountCents: 11_899 }, ['amount_cents']],
		['an amount charged in another currency', { chargedCents: 90, chargedCurrency: 'EUR' }, { amountCents: 90 }, ['amount_cents']],
		['another currency', {}, { currency: 'EUR' }, ['currency']],
		['the charge in another currency', { chargedCents: 90, chargedCurrency: 'EUR' }, { amountCents: 90, currency: 'EUR' }, ['currency']],
		['another key', {}, { customerKey: 'ben' }, ['customer']],
		['another key with the same click', {}, { customerKey: 'ben', clickId: 'click-1' }, ['customer']],
		['the key with another click, which is ignored', {}, { clickId: 'click-2' }, []],
		['the click alone', {}, { customerKey: undefined, clickId: 'click-1' }, []],
		['another click alone', {}, { customerKey: undefined, clickId: 'click-2' }, ['customer']],
		['a key for a customer who had none, with its click', { buyer: { customerKey: null, clickId: 'click-1' } }, { clickId: 'click-1' }, []],
		['a key for a customer without one', { buyer: { customerKey: null, clickId: 'click-1' } }, {}, ['customer']],
		['a key for a customer with neither key nor click', { buyer: { customerKey: null, clickId: null } }, {}, ['customer']],
		['neither key nor click, as with a coupon', {}, { customerKey: undefined }, []],
		['a click next to the coupon that attributed the sale', { hasCoupon: true }, { customerKey: undefined, clickId: 'click-2' }, []],
		['a key next to the coupon that attributed the sale', { hasCoupon: true }, { customerKey: 'ben' }, ['customer']],
		['a sale to an erased customer', { buyer: undefined }, { customerKey: 'ben', clickId: 'click-2' }, []],
		['everything different', {}, { amountCents: 1, currency: 'EUR', customerKey: 'ben' }, ['amount_cents', 'currency', 'customer']],
	])('%s', (_what, known, sent, differs) => {
		expect(differencesOf({ ...recorded, ...known }, { ...again, ...sent })).toEqual(differs);
	});

	test('names the differences with both amounts, but not the customer', () => {
		const sent = { ...again, amountCents: 4_900, customerKey: 'ben' };
		expect(differenceText(recorded, sent, differencesOf(recorded, sent))).toBe(
			'This transaction_id is already recorded with different data: 100.00 USD is recorded and you sent 49.00 USD, and the sale belongs to another customer. Nothing was changed. Send a different payment under its own transaction_id.',
		);
		const other = { ...again, customerKey: 'ben' };
		expect(differenceText(recorded, other, ['customer'])).toBe(
			'This transaction_id is already recorded with different data: the sale belongs to another customer. Nothing was changed. Send a different payment under its own transaction_id.',
		);
		expect(differenceText(recorded, { ...again, currency: 'EUR' }, ['currency'])).toContain(
			'100.00 USD is recorded and you sent 100.00 EUR',
		);
	});

	test('never reveals a key', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^key-[a-z]{8}$/), fc.stringMatching(/^key-[A-Z]{8}$/), fc.integer({ min: 1 }), (one, other, cents) => {
				const known = { ...recorded, buyer: { customerKey: one, clickId: null } };
				const sent = { ...again, amountCents: cents, customerKey: other };
				const text = differenceText(known, sent, differencesOf(known, sent));
				expect(text.includes(one) || text.includes(other)).toBe(false);
			}),
		);
	});
});

test.each<[what: string, charged: number | null, amountCents: number, chargedCents: number, currency: string, isSame: boolean]>([
	['the sale', null, 10_000, 11_900, 'USD', true],
	['the charge', 11_900, 9_000, 11_900, 'USD', true],
	['the amount with its tax', null, 8_403, 10_000, 'USD', true],
	['another amount', null, 9_000, 11_900, 'USD', false],
	['neither the amount nor the charge', 11_900, 9_000, 11_901, 'USD', false],
	['another currency', null, 10_000, 11_900, 'EUR', false],
	['the charge in another currency', 11_900, 10_000, 11_900, 'EUR', false],
])("a processor's payment of %s", (_what, charged, amountCents, chargedCents, currency, isSame) => {
	const known = { amountCents: 10_000, currency: 'USD', chargedCents: charged, chargedCurrency: charged === null ? null : 'USD' };
	expect(isSamePayment(known, { amountCents, chargedCents, currency })).toBe(isSame);
	expect(isSamePayment({ ...known, chargedCurrency: null }, { amountCents, chargedCents, currency })).toBe(isSame);
});
