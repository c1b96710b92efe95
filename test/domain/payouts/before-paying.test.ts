import { describe, expect, test } from 'vitest';
import { minimumIn, minimumOf, requireExpected, warningOf } from '../../../src/domain/payouts/payout.ts';

// What is settled before commissions are paid: the minimum, the warning, and the number of matches.

test.each<[number | undefined, string, number]>([
	[undefined, 'USD', 500],
	[undefined, 'EUR', 0],
	[0, 'USD', 0],
	[700, 'EUR', 700],
])('of a requested minimum of %s, and 5.00 USD by default, %s gets %i', (askedCents, currency, cents) => {
	expect(minimumIn(minimumOf(askedCents, { payoutMinimumCents: 500, currency: 'USD' }), currency)).toBe(cents);
});

test('whoever pays is warned of missing payout details', () => {
	expect(warningOf({ payoutMethod: null })).toMatch(/^The partner has not entered payout details\./);
	expect(warningOf({ payoutMethod: 'wise' })).toBeUndefined();
});

describe('the matches of a filter', () => {
	test('are decided if their number is the one that the caller saw', () => {
		for (const count of [1, 2, 500]) expect(requireExpected(count, { count, limit: 500, made: 'approved' })).toBeUndefined();
	});

	test.each([
		[0, 3, '0 commissions match and can be rejected, not 3. Reload and try again'],
		[1, 2, '1 commission matches and can be rejected, not 2. Reload and try again'],
		[4, 3, '4 commissions match and can be rejected, not 3. Reload and try again'],
		[500, 499, '500 commissions match and can be rejected, not 499. Reload and try again'],
		[501, 500, 'More than 500 commissions match and can be rejected. Narrow the filter'],
	])('%d instead of %d: %s', (found, count, message) => {
		expect(() => requireExpected(found, { count, limit: 500, made: 'rejected' })).toThrow(message);
	});
});
