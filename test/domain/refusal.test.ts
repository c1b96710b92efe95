import { describe, expect, test } from 'vitest';
import { isLogged, isRoutine, refusedCallOf } from '../../src/domain/refusal.ts';
import { Rejection, type RejectionCode } from '../../src/domain/rejection.ts';

describe('a recorded refusal', () => {
	const nothing = { transactionId: null, clickId: null, customerKey: null, amountCents: null, currency: null };

	test('has the fields of the call as they were sent', () => {
		const sent = { transaction_id: 'a', click_id: 'cust_1_2', customer_key: 'c', amount_cents: 5, currency: 'usd', email: 'a@b.example' };
		expect(refusedCallOf('sale', 'backend', sent)).toEqual({
			operation: 'sale',
			source: 'backend',
			transactionId: 'a',
			clickId: 'cust_1_2',
			customerKey: 'c',
			amountCents: 5,
			currency: 'USD',
		});
		expect(refusedCallOf('refund', 'backend', { refund_amount_cents: 7 })).toMatchObject({ amountCents: 7 });
	});

	test.each([undefined, null, 'text', 5, [], {}])('has nothing from %j', (sent) => {
		expect(refusedCallOf('lead', 'page', sent)).toEqual({ operation: 'lead', source: 'page', ...nothing });
	});

	test.each([5, '', ' ', 'x'.repeat(256), {}, null])('has no id from %j', (value) => {
		expect(refusedCallOf('sale', 'backend', { transaction_id: value, click_id: value, customer_key: value })).toMatchObject(nothing);
	});

	test.each([1.5, '5', Number.MAX_SAFE_INTEGER + 1, Number.NaN])('has no amount from %j', (amount_cents) => {
		expect(refusedCallOf('sale', 'backend', { amount_cents }).amountCents).toBeNull();
	});

	test.each(['us', 'dollars', 5, 'U$D'])('has no currency from %j', (currency) => {
		expect(refusedCallOf('sale', 'backend', { currency }).currency).toBeNull();
	});

	test('has text that a database accepts', () => {
		expect(refusedCallOf('sale', 'backend', { transaction_id: 'a\u0000b\uD800' }).transactionId).toBe('ab\uFFFD');
		expect(refusedCallOf('sale', 'backend', { transaction_id: 'x'.repeat(255) }).transactionId).toHaveLength(255);
	});
});

test.each<[RejectionCode, isKept: boolean, isRoutineOfBackend: boolean]>([
	['invalid_input', true, false],
	['sale_customer_not_found', true, false],
	['sale_not_found', true, false],
	['transaction_recorded_elsewhere', true, false],
	['customer_unattributed', true, true],
	['paid_before_click', true, true],
	['subscribed_before_click', true, true],
	['lead_status_locked', true, true],
	['transaction_already_recorded', false, false],
	['program_key_unknown', false, false],
	['too_many_requests', false, false],
])('%s: recorded %s, routine %s; from a page everything is routine', (code, isKept, isRoutineOfBackend) => {
	expect([isLogged(new Rejection(code)), isRoutine('backend', code), isRoutine('page', code)]).toEqual([isKept, isRoutineOfBackend, true]);
});
