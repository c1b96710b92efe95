import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import {
	isProcessorId,
	keysIn,
	namedIds,
	namedKeys,
	namesIn,
	nextSweepAt,
	ownIdsIn,
	payerIdsIn,
	quoted,
	containsId,
	textsIn,
	withoutNames,
} from '../../../src/domain/people/erasure.ts';

test.each([
	['user-1001', ['user-1001']],
	['user-1001-order-5', ['user-1001']],
	['order/user-1001', ['user-1001']],
	['user-10011 user-1001', ['user-1001']],
	['42', ['42']],
	['cust_1_2', ['nobody', 'cust_1_2']],
])('%j contains %j', (text, ids) => {
	expect(containsId(text, ids)).toBe(true);
});

test.each([
	['user-10011', ['user-1001']],
	['xuser-1001', ['user-1001']],
	['order-42', ['42']],
	['order-1', []],
	['ébene', ['bene']],
])('%j does not contain %j', (text, ids) => {
	expect(containsId(text, ids)).toBe(false);
});

test('a string is found in a JSON text as a value, however it is escaped', () => {
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

test('a key is found only under its field name, with any spacing and escaping', () => {
	for (const body of [{ metadata: { tracker_customer_key: 'Zoë' } }, { client_reference_id: 'Zoë' }])
		for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2), JSON.stringify(body).replace('ë', '\\u00eb')])
			expect(isIn(text, 'Zoë')).toBe(true);
	const other = JSON.stringify({ currency: 'usd', object: 'event', metadata: { tracker_customer_key: 'usd-1' } });
	for (const key of ['usd', 'event', 'object', 'metadata', 'tracker_customer_key']) expect(isIn(other, key)).toBe(false);
});

test("the payer's ids are found anywhere in a body, but no email addresses, and nothing in metadata", () => {
	const body = {
		customer: 'cus_1',
		data: [{ billing_details: { email: 'a@b.example', name: 'A' }, receipt_email: null, customer: '', customer_account: 'acct_3' }],
		customer_details: { customer: { id: 'cus_2' }, email: 'c@d.example' },
		metadata: { customer: 'cus_4' },
		custom: { customer: 'cus_1 or cus_2' },
	};
	expect(payerIdsIn(body)).toEqual(['cus_1', 'acct_3']);
	expect(payerIdsIn({ data: { customer_id: 'ctm_5', custom_data: { customer_id: 'ctm_6' } }, customer_id: 'C-7' })).toEqual(['ctm_5']);
	expect(payerIdsIn(null)).toEqual([]);
	expect(payerIdsIn('cus_1')).toEqual([]);
});

test("a backend's own ids count only under their field names: an order number is somebody else's postal code", () => {
	const body = {
		type: 'renewal',
		data: { payment_id: '10115', subscription_id: 'plan-7', product_id: '8', metadata: { payment_id: '9' } },
	};
	expect(ownIdsIn(body)).toEqual(['10115', 'plan-7']);
	expect(namedIds(['10115']).some((word) => JSON.stringify(body).includes(word))).toBe(true);
	expect(namedIds(['10115']).some((word) => JSON.stringify({ postal_code: '10115' }).includes(word))).toBe(false);
});

test('the texts of a body are its values at any depth', () => {
	expect(textsIn({ a: 'b', c: [{ d: 'e' }, 1, null, 'f'] })).toEqual(['b', 'e', 'f']);
	expect([textsIn('a'), textsIn(null)]).toEqual([['a'], []]);
});

test("a body's keys are those in its metadata, not the reference of a link", () => {
	expect(keysIn({ data: { object: { metadata: { tracker_customer_key: 'a' }, client_reference_id: 'b' } } })).toEqual(['a']);
	expect(keysIn([{ customer_key: 'c' }, { customer_key: 1 }])).toEqual(['c', '1']);
	const named = namedKeys(['42']).filter((word) => '{"tracker_customer_key":42}'.includes(word));
	expect(named).toEqual(['"tracker_customer_key":42']);
});

test.each([
	['pi_3abcdef', true],
	['cs_test_a1b2c3', true],
	['10115', false],
	['order-1001', false],
	['Berlin', false],
	['a_b', false],
])("%s may be a processor's id: %s", (id, expected) => {
	expect(isProcessorId(id)).toBe(expected);
});

const othersBody = (address: string, click: string, reference: string) => ({
	customer_details: { email: address, name: 'a+b@shop.example.org' },
	other: `maria+b@shop.example, ${address}`,
	metadata: { tracker_click_id: click, of: 'cust_1_234' },
	client_reference_id: reference,
	description: 'Zoë',
});

test('in rows about other people only the exact names are replaced', () => {
	const [clickId, pseudonym] = ['cust_1_23', 'erased_0'];
	const names = { keys: ['Zoë', 'usd'], emails: ['a+b@shop.example'], pseudonyms: [[clickId, pseudonym]] as const };
	for (const space of [undefined, 2]) {
		const text = withoutNames(JSON.stringify(othersBody('A+b@Shop.example', clickId, 'Zoë'), null, space), names);
		expect(JSON.parse(text)).toEqual(othersBody('erased@erased.invalid', pseudonym, 'erased'));
		expect(withoutNames(text, names)).toBe(text);
	}
});

test('a search is repeated after growing pauses, until it ends after 15 days', () => {
	const times: number[] = [];
	for (let now: number | null = 0; now !== null; now = nextSweepAt(0, now)) times.push(now);
	expect(times.slice(0, 4)).toEqual([0, MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS]);
	expect(times.at(-1)).toBe(15 * DAY_MS);
	expect(times.length).toBeLessThan(20);
	expect(nextSweepAt(0, 15 * DAY_MS - 1)).toBe(15 * DAY_MS);
});

test('the names in a body are its keys and references, and click ids anywhere, each once', () => {
	const metadata = { tracker_customer_key: 'a', tracker_click_id: 'cust_1_2' };
	const body = { data: { object: { metadata, client_reference_id: 'b', url: 'https://shop.example/?click=cust_3_4&again=cust_1_2' } } };
	expect(namesIn(body)).toEqual({ keys: ['a', 'b'], clickIds: ['cust_1_2', 'cust_3_4'] });
	const many = Array.from({ length: 60 }, (_, index) => ({ customer_key: `k${index}`, at: `cust_${index}_1` }));
	expect([namesIn(many).keys.length, namesIn(many).clickIds.length]).toEqual([50, 50]);
});
