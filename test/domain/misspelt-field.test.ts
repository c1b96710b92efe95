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

test('it is misspelt even if its correct name was sent too, because its value is still ignored', () => {
	expect(meantBy('subscriptionId', 'subscription_id')).toEqual(['subscriptionId > subscription_id']);
	expect(misspeltFields({ subscriptionId: 'a', subscription_id: 'b' }, KNOWN).map(warningOf)).toEqual([
		'subscriptionId is not a field of this call and was ignored: subscription_id was used.',
	]);
	expect(misspeltFields({ subscriptionId: 'a', subscription_id: null }, KNOWN).map(warningOf)).toEqual([
		'subscriptionId is not a field of this call and was ignored: did you mean subscription_id?',
	]);
	expect(misspeltFields({ additional_data: { test_mode: true, testMode: false } }, KNOWN).map(warningOf)).toEqual([
		'additional_data.testMode is not a field of this call and was ignored: additional_data.test_mode was used.',
	]);
});

test('a field that was not sent is the more likely one', () => {
	expect(misspeltFields({ custom_ky: 1, custom_key: 1 }, ['custom_key', 'custom_kyx']).map(({ meant }) => meant)).toEqual(['custom_kyx']);
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
