import { expect, test } from 'vitest';
import { redacted } from '../../src/domain/redacted.ts';

function messageOf(json: string): string {
	try {
		JSON.parse(json);
		return '';
	} catch (error) {
		return String(error);
	}
}

test.each([
	['SyntaxError: Unexpected token \'h\', "hello, I am"... is not valid JSON', "SyntaxError: Unexpected token 'h', …... is not valid JSON"],
	['no letter to grace.o+x@people.example, nor <ada@people.example>', 'no letter to … nor <…>'],
	['prg_a1B2-_c3 and ses_x, inv_1 or rst_2 of whsec_Ab+/9= (sk_live_1, rk_test_2) pdl_ntfset_01h', '… and …, … or … of … (…, …) …'],
	['click cust_12_3456789 of it', 'click … of it'],
])('%s', (text, left) => {
	expect(redacted(text)).toBe(left);
});

test.each(['{"customer_key": grace}', 'grace', '{"a": "grace"', '["grace",]'])('%s is not in the redacted text', (json) => {
	expect(messageOf(json)).toContain('JSON');
	expect(redacted(messageOf(json))).not.toContain('grace');
});

test.each([
	'D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT',
	'D1_ERROR: no such table: commissions',
	'Error: public/api/openapi.json answered 404: was it deployed?',
])('%s stays unchanged', (text) => {
	expect(redacted(text)).toBe(text);
});
