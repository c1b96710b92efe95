import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { namedKeys, nextSweepAt, payerIdsIn, quoted, tells } from '../../src/domain/erasure.ts';

test.each([
	['user-1001', ['user-1001']],
	['user-1001-order-5', ['user-1001']],
	['order/user-1001', ['user-1001']],
	['user-10011 user-1001', ['user-1001']],
	['42', ['42']],
	['cust_1_2', ['nobody', 'cust_1_2']],
])('%j tells %j', (text, ids) => {
	expect(tells(text, ids)).toBe(true);
});

test.each([
	['user-10011', ['user-1001']],
	['xuser-1001', ['user-1001']],
	['order-42', ['42']],
	['order-1', []],
	['ébene', ['bene']],
])('%j does not tell %j', (text, ids) => {
	expect(tells(text, ids)).toBe(false);
});

test('a string is found in a JSON text in which it is a value, however that is escaped', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (id) => {
			const json = JSON.stringify({ of: [id] });
			const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
			const words = quoted([id]);
			expect(words.some((word) => json.includes(word)) && words.some((word) => ascii.includes(word))).toBe(true);
		}),
	);
	expect(quoted(['a', 'a'])).toEqual(['"a"']);
});

function isIn(text: string, key: string): boolean {
	return namedKeys([key]).some((word) => text.includes(word));
}

test('a key is found under its name alone, however the text is spaced and escaped', () => {
	for (const body of [{ metadata: { tracker_customer_key: 'Zoë' } }, { client_reference_id: 'Zoë' }])
		for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2), JSON.stringify(body).replace('ë', '\\u00eb')])
			expect(isIn(text, 'Zoë')).toBe(true);
	const other = JSON.stringify({ currency: 'usd', object: 'event', metadata: { tracker_customer_key: 'usd-1' } });
	for (const key of ['usd', 'event', 'object', 'metadata', 'tracker_customer_key']) expect(isIn(other, key)).toBe(false);
});

test('a body tells ids and addresses of who pays, wherever they stand', () => {
	const body = {
		customer: 'cus_1',
		data: [{ billing_details: { email: 'a@b.example', name: 'A' }, receipt_email: null, customer: '' }],
		customer_details: { customer: { id: 'cus_2' }, email: 'c@d.example' },
	};
	expect(payerIdsIn(body)).toEqual(['cus_1', 'a@b.example', 'c@d.example']);
	expect(payerIdsIn(null)).toEqual([]);
	expect(payerIdsIn('cus_1')).toEqual([]);
});

test('a search is repeated after ever longer pauses, until it is over after 15 days', () => {
	const times: number[] = [];
	for (let now: number | null = 0; now !== null; now = nextSweepAt(0, now)) times.push(now);
	expect(times.slice(0, 4)).toEqual([0, MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS]);
	expect(times.at(-1)).toBe(15 * DAY_MS);
	expect(times.length).toBeLessThan(20);
	expect(nextSweepAt(0, 15 * DAY_MS - 1)).toBe(15 * DAY_MS);
});
