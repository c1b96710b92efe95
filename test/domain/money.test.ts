import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	apportion,
	decimalText,
	exponentOf,
	isCurrency,
	MAX_AMOUNT_CENTS,
	moneyText,
	proportionOf,
	shareOf,
	toMajorUnits,
} from '../../src/domain/money.ts';

const amounts = fc.integer({ min: 0, max: MAX_AMOUNT_CENTS });

test('minor units become major units by the ISO 4217 exponent', () => {
	expect(toMajorUnits(1999, 'USD')).toBe(19.99);
	expect(toMajorUnits(500, 'JPY')).toBe(500);
	expect(toMajorUnits(1234, 'KWD')).toBe(1.234);
	expect(toMajorUnits(0, 'USD')).toBe(0);
	expect(toMajorUnits(-5, 'USD')).toBe(-0.05);
	expect(toMajorUnits(MAX_AMOUNT_CENTS, 'USD')).toBe(999_999_999.99);
});

test('written amounts are exact to the last decimal', () => {
	fc.assert(
		fc.property(amounts, fc.constantFrom('USD', 'JPY', 'KWD'), (cents, currency) => {
			const [whole = '0', decimals = ''] = String(toMajorUnits(cents, currency)).split('.');
			expect(BigInt(whole + decimals.padEnd(exponentOf(currency), '0'))).toBe(BigInt(cents));
		}),
		{ numRuns: 2000 },
	);
});

test('an amount is shown with all decimals of its currency', () => {
	expect([decimalText(1990, 'USD'), decimalText(500, 'JPY'), decimalText(1200, 'KWD')]).toEqual(['19.90', '500', '1.200']);
	expect([moneyText(0, 'USD'), moneyText(-5, 'EUR')]).toEqual(['0.00 USD', '-0.05 EUR']);
});

test('exponents are those of ISO 4217, not of Intl', () => {
	expect(['JPY', 'KRW', 'ISK', 'UGX', 'VND'].map(exponentOf)).toEqual([0, 0, 0, 0, 0]);
	expect(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(exponentOf)).toEqual([3, 3, 3, 3, 3, 3, 3]);
	expect(['CLF', 'UYW'].map(exponentOf)).toEqual([4, 4]);
	expect(['USD', 'EUR', 'HUF', 'TWD', 'MGA'].map(exponentOf)).toEqual([2, 2, 2, 2, 2]);
});

test('currencies are known in upper case', () => {
	expect(['USD', 'EUR', 'JPY', 'KWD'].map(isCurrency)).toEqual([true, true, true, true]);
	// New currencies are accepted and withdrawn ones refused, whatever the platform's version.
	expect(['SLE', 'XCG', 'ZWG', 'CLF'].map(isCurrency)).toEqual([true, true, true, true]);
	expect(['SLL', 'ANG', 'HRK'].map(isCurrency)).toEqual([false, false, false]);
	expect(['usd', '', 'US', 'ZZZ', 'USDX', 'US$'].map(isCurrency)).toEqual([false, false, false, false, false, false]);
});

describe('shares are rounded half up', () => {
	test.each([
		[9999, 2000, 2000],
		[1, 5000, 1],
		[1, 4999, 0],
		[3, 5000, 2],
		[10_000, 0, 0],
		[10_000, 10_000, 10_000],
		[333, 1, 0],
		[5000, 1, 1],
		[MAX_AMOUNT_CENTS, 9999, 99_989_999_999],
		[MAX_AMOUNT_CENTS, 10_000, MAX_AMOUNT_CENTS],
	])('of %i at %i basis points: %i', (cents, basisPoints, share) => expect(shareOf(cents, basisPoints)).toBe(share));

	test('for any integers: the nearest one, off by at most a half', () => {
		fc.assert(
			fc.property(amounts, amounts, fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }), (cents, part, whole) => {
				const share = BigInt(proportionOf(cents, Math.min(part, whole), whole));
				const twiceTheError = 2n * (BigInt(cents) * BigInt(Math.min(part, whole)) - share * BigInt(whole));
				expect(twiceTheError < BigInt(whole) && twiceTheError >= -BigInt(whole)).toBe(true);
				expect(share <= BigInt(cents)).toBe(true);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('an amount split by weight', () => {
	test.each([
		['what is left goes to the largest remainder', 10, [3, 3, 1], [4, 4, 2]],
		['of equal remainders, the earlier is rounded up', 10, [1, 1, 1, 1], [3, 3, 2, 2]],
		['no weight, no part', 7, [0, 3, 0], [0, 7, 0]],
		['nothing is split into nothing', 0, [1, 2], [0, 0]],
	])('%s', (_, cents, weights, parts) => expect(apportion(cents, weights)).toEqual(parts));

	test('sums to the amount, and no part is a whole cent off its share', () => {
		const weights = fc.array(amounts, { minLength: 1, maxLength: 20 }).filter((list) => list.some((weight) => weight > 0));
		fc.assert(
			fc.property(amounts, weights, (cents, list) => {
				const parts = apportion(cents, list);
				const whole = list.reduce((sum, weight) => sum + BigInt(weight), 0n);
				expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents);
				for (const [index, part] of parts.entries()) {
					const error = BigInt(part) * whole - BigInt(cents) * BigInt(list[index] ?? 0);
					expect(-whole < error && error < whole).toBe(true);
				}
			}),
			{ numRuns: 2000 },
		);
	});
});
