import { describe, expect, test } from 'vitest';
import { isConvertible, refundedOf, type ReportedReversal, reportedWith } from '../../../src/domain/refunds/refunded-amount.ts';
import { MAX_AMOUNT_CENTS } from '../../../src/domain/money.ts';
import { DAYS_LATER, dispute, disputed, of, refund, SALE, total } from '../../support/reversals.ts';

// The refunded amount depends only on the set of reports (decisions 14, 16 and 19).

describe('the refunded amount of a sale of 100.00', () => {
	test.each<[string, number, readonly ReportedReversal[]]>([
		['no report', 0, []],
		['one refund', 2_500, [refund('r1', 2_500)]],
		['two refunds', 7_500, [refund('r1', 2_500), refund('r2', 5_000)]],
		['refunds and their totals', 7_500, [refund('r1', 2_500, 1), total('ch', 2_500, 1), refund('r2', 5_000, 3), total('ch', 7_500, 4)]],
		['only totals: the cumulative amount, not the sum', 7_500, [total('ch', 2_500, 1), total('ch', 7_500, 4)]],
		['a total that includes an unreported refund', 7_500, [refund('r2', 5_000, 3), total('ch', 7_500, 4)]],
		['a total and a later refund', 7_500, [total('ch', 2_500, 2), refund('r2', 5_000, 3)]],
		['totals of two charges', 3_000, [total('ch_a', 1_000, 2), total('ch_b', 2_000, 2)]],
		['a refund and a dispute', 9_000, [refund('r1', 2_500), dispute('d1', 6_500)]],
		['a won dispute', 2_500, [refund('r1', 2_500), dispute('d1', 7_500, 2, 3)]],
		['a dispute that was won and later lost', 7_500, [disputed('d1', 7_500, { undoneAt: 3, stoodAt: 4 })]],
		['a dispute that was won at the instant of its latest report', 0, [disputed('d1', 7_500, { undoneAt: 3, stoodAt: 3 })]],
		['a dispute that was won after its report', 0, [disputed('d1', 7_500, { undoneAt: 3, stoodAt: 2 })]],
		['an open dispute', 7_500, [disputed('d1', 7_500, { stoodAt: 2 })]],
		['a failed refund with later reports', 0, [{ ...refund('r1', 2_500, 1, 5), stoodAt: 9 }]],
		['a failed refund', 0, [refund('r1', 2_500, 1, 5)]],
		['a refund that failed after a total included it', 0, [total('ch', 2_500, 2), refund('r1', 2_500, 1, 5)]],
		['a total after a failed refund, which no longer includes it', 5_000, [refund('r1', 2_500, 1, 3), total('ch', 5_000, 4)]],
		['a refund that failed at the instant of a total that includes it', 0, [refund('r1', 2_500, 1, 5), total('ch', 2_500, 5)]],
		['a refund at the instant of a total that includes it', 2_500, [refund('r1', 2_500, 5), total('ch', 2_500, 5)]],
		[
			'a failed refund, repeated in the same second and reported only by the total',
			2_500,
			[refund('r1', 2_500, 1, DAYS_LATER), total('ch', 2_500, DAYS_LATER)],
		],
		[
			'the same, also reported by id',
			2_500,
			[refund('r1', 2_500, 1, DAYS_LATER), total('ch', 2_500, DAYS_LATER), refund('r2', 2_500, DAYS_LATER)],
		],
		[
			'the same, after an unreported refund',
			3_500,
			[refund('r1', 2_500, 1, DAYS_LATER), total('ch', 3_500, DAYS_LATER), refund('r2', 2_500, DAYS_LATER)],
		],
		[
			'a refund that failed in the second of a total with another refund',
			1_000,
			[refund('r1', 2_500, 1, DAYS_LATER), total('ch', 3_500, DAYS_LATER)],
		],
		['two charges, one reported by id and the other by its total', 3_000, [of('ch_a', refund('r1', 1_000)), total('ch_b', 2_000, 5)]],
		[
			'two charges, each reported by both, except one refund of the second',
			6_000,
			[of('ch_a', refund('r1', 1_000)), total('ch_a', 1_000, 5), of('ch_b', refund('r2', 2_000)), total('ch_b', 5_000, 5)],
		],
		['a refund without a charge, and the total that includes it', 2_500, [refund('r1', 2_500), total('ch', 2_500, 5)]],
		['more than the charge', 10_000, [refund('r1', 9_000), dispute('d1', 9_000)]],
	])('%s: %d', (_, cents, reversals) => {
		expect(refundedOf(SALE, reversals)).toBe(cents);
	});

	test.each<[string, number, number, readonly ReportedReversal[]]>([
		['only the endpoint', 3_000, 3_000, []],
		['both reported it', 3_000, 3_000, [refund('r1', 3_000)]],
		['the endpoint reported more', 5_000, 5_000, [refund('r1', 3_000)]],
		['the processor reported more', 3_000, 1_000, [refund('r1', 3_000)]],
		['both reported it, and it failed', 0, 3_000, [refund('r1', 3_000, 1, 2)]],
		['both reported two, and one failed', 2_000, 5_000, [refund('r1', 3_000, 1, 2), refund('r2', 2_000, 2)]],
		['a full report after a failed refund', 10_000, 10_000, [refund('r1', 10_000, 1, 2), refund('r2', 10_000, 3)]],
	])('%s: %d', (_, cents, reportedRefundCents, reversals) => {
		expect(refundedOf({ ...SALE, reportedRefundCents }, reversals)).toBe(cents);
	});

	test('is a share of the charged amount, including tax', () => {
		const net = { ...SALE, amountCents: 8_403, chargedCents: 10_000 };
		expect(refundedOf(net, [refund('r1', 2_500)])).toBe(2_101);
		expect(refundedOf(net, [refund('r1', 10_000)])).toBe(8_403);
	});

	test('is a share of the sale if the charge is unknown, and unknown in another currency', () => {
		const unknown = { ...SALE, chargedCents: null };
		expect(refundedOf(unknown, [refund('r1', 2_500)])).toBe(2_500);
		const euros = { ...refund('r1', 4_600), currency: 'EUR' };
		expect(refundedOf(unknown, [euros])).toBe(0);
		const inEuros = { ...SALE, chargedCents: 9_200, chargedCurrency: 'EUR' };
		expect(refundedOf(inEuros, [euros])).toBe(5_000);
		expect(isConvertible(unknown, [euros], 'EUR')).toBe(false);
		expect(isConvertible(inEuros, [euros], 'EUR')).toBe(true);
	});

	test('is calculated for each currency from what is known in it', () => {
		const inEuros = { ...SALE, chargedCents: 9_200, chargedCurrency: 'EUR' };
		const dollars = dispute('d1', 2_500);
		expect(refundedOf(inEuros, [{ ...refund('r1', 4_600), currency: 'EUR' }, dollars])).toBe(7_500);
		const pounds = { ...dispute('d2', 2_500), currency: 'GBP' };
		expect(refundedOf(inEuros, [dollars, pounds])).toBe(2_500);
		expect(isConvertible(inEuros, [pounds], 'GBP')).toBe(false);
	});

	test('is a share of the charged amount if that has no stored currency', () => {
		const before = { ...SALE, chargedCents: 9_200, chargedCurrency: null };
		expect(refundedOf(before, [{ ...refund('r1', 4_600), currency: 'EUR' }])).toBe(5_000);
	});

	test('is a share of the known charges until the whole charged amount is reported', () => {
		const unknown = { ...SALE, chargedCents: null, chargedCurrency: null };
		const half = of('ch_a', total('ch_a', 5_950, 5), 5_950);
		expect(refundedOf(unknown, [half])).toBe(10_000);
		expect(refundedOf(unknown, [half, of('ch_b', dispute('d1', 595), 5_950)])).toBe(5_500);
		expect(refundedOf({ ...SALE, chargedCents: 11_900 }, [half])).toBe(5_000);
		const euros = { ...half, currency: 'EUR' };
		expect(refundedOf(unknown, [euros])).toBe(10_000);
		expect(isConvertible(unknown, [euros], 'EUR')).toBe(true);
	});
});

describe('of two reports', () => {
	test.each<[string, ReportedReversal, ReportedReversal, ReportedReversal]>([
		['the greater amount counts', refund('r1', 2_500), refund('r1', 3_000), refund('r1', 3_000)],
		['the earlier instant counts', refund('r1', 2_500, 7), refund('r1', 2_500, 3), refund('r1', 2_500, 3)],
		['an undone one stays undone', refund('r1', 2_500, 1, 9), refund('r1', 2_500), refund('r1', 2_500, 1, 9)],
		[
			'the charge and its captured amount are kept',
			refund('r1', 2_500),
			of('ch', refund('r1', 2_500), 9),
			of('ch', refund('r1', 2_500), 9),
		],
		['the first instant of undoing counts', refund('r1', 2_500, 1, 9), refund('r1', 2_500, 1, 8), refund('r1', 2_500, 1, 8)],
	])('%s', (_what, one, other, joined) => {
		expect(reportedWith([one], [other])).toEqual([joined]);
		expect(reportedWith([other], [one])).toEqual([joined]);
	});

	test('a refund and a dispute with the same id are separate, and so are two ids', () => {
		const all = [refund('x', 1), dispute('x', 2), refund('y', 3)];
		expect(reportedWith([], all)).toEqual(all);
	});
});

test('the refunded amount is exact for the largest amounts', () => {
	const sale = { ...SALE, amountCents: MAX_AMOUNT_CENTS, chargedCents: MAX_AMOUNT_CENTS };
	expect(refundedOf(sale, [refund('r1', MAX_AMOUNT_CENTS - 1)])).toBe(MAX_AMOUNT_CENTS - 1);
	expect(refundedOf(sale, [refund('r1', MAX_AMOUNT_CENTS), dispute('d1', MAX_AMOUNT_CENTS)])).toBe(MAX_AMOUNT_CENTS);
});
