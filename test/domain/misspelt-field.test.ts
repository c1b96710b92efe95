import fc from 'fast-check';
import { expect, test } from 'vitest';
import { misspeltFields, warningOf } from '../../src/domain/misspelt-field.ts';

const KNOWN = ['transaction_id', 'customer_key', 'subscription_id', 'currency', 'email', 'additional_data'];
const meantBy = (...fields: string[]) =>
	misspeltFields(Object.fromEntries(fields.map((field) => [field, 'x'])), KNOWN).map(({ field, meant }) => `${field} > ${meant}`);

test.each([
	['subscriptionId', 'subscription_id'],
	['SubscriptionID', 'subscription_id'],
	['subscription-id', 'subscription_id'],
	['customerkey', 'customer_key'],
	['Customer Key', 'customer_key'],
	['custmer_key', 'customer_key'],
	['customer_keys', 'customer_key'],
	['cutsomer_key', 'customer_key'],
	['customer_kex', 'customer_key'],
	['curency', 'currency'],
	['Email', 'email'],
	['additionalData', 'additional_data'],
	['testMode', 'additional_data.test_mode'],
	['test_mode', 'additional_data.test_mode'],
])('%s looks like %s', (field, meant) => {
	expect(meantBy(field)).toEqual([`${field} > ${meant}`]);
});

test.each([
	['customer_id'],
	['order_id'],
	['emails'],
	['mail'],
	['partner'],
	['customer_name'],
	['x'],
	[''],
	['__proto__'],
	['subscription'],
])("%s is the caller's own field", (field) => {
	expect(meantBy(field)).toEqual([]);
});

test('a field is not misspelt if its correct name was sent too', () => {
	expect(meantBy('subscriptionId', 'subscription_id')).toEqual([]);
});

test('a misspelt switch in additional_data is found too', () => {
	const found = misspeltFields({ additional_data: { testMode: true } }, KNOWN);
	expect(found.map(warningOf)).toEqual([
		'additional_data.testMode is not a field of this call and was ignored: did you mean additional_data.test_mode?',
	]);
	expect(misspeltFields({ additional_data: { test_mode: true, note: 1 } }, KNOWN)).toEqual([]);
});

test('a body full of them gets only a few suggestions', () => {
	const fields = Array.from({ length: 50 }, (_, dashes) => `customer${'-'.repeat(dashes + 1)}key`);
	expect(meantBy(...fields)).toHaveLength(5);
	expect(meantBy(`customer${'-'.repeat(64)}key`)).toEqual([]);
});

test('any body is checked, and a correct one has none', () => {
	fc.assert(
		fc.property(fc.anything(), (body) => {
			expect(misspeltFields(body, KNOWN).length).toBeLessThanOrEqual(5);
		}),
	);
	fc.assert(
		fc.property(fc.subarray(KNOWN), (fields) => {
			expect(meantBy(...fields)).toEqual([]);
		}),
	);
});
