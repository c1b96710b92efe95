import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RefundReport, reportedOf } from '../../../src/domain/refunds/refunded-amount.ts';

// Refunds reported for several sales that turn out to be one payment (decision 16).

const sale = (...reports: readonly (readonly [refundId: string | null, cents: number | null])[]) => ({
	reportedRefundCents: reports.reduce((sum, [, cents]) => sum + (cents ?? 0), 0),
	reports: reports.map(([refundId, cents]): RefundReport => ({ refundId, cents })),
});

test.each([
	['refunds of one sale', 3_000, [sale(['x', 1_000], ['y', 2_000])]],
	['different refunds of two sales', 3_000, [sale(['x', 1_000]), sale(['y', 2_000])]],
	['one refund, reported for both sales', 1_000, [sale(['x', 1_000]), sale(['x', 1_000])]],
	['one refund, reported for the second sale with more', 2_500, [sale(['x', 1_000]), sale(['x', 2_500])]],
	['one refund, reported for the second sale with less', 2_500, [sale(['x', 2_500]), sale(['x', 1_000])]],
	['one refund and another', 1_700, [sale(['x', 1_000]), sale(['x', 1_000], ['y', 700])]],
	['reports without an id', 1_000, [sale([null, 1_000]), sale([null, 1_000])]],
	['one report without an id and one with an id', 2_000, [sale([null, 1_000]), sale(['x', 1_000])]],
	['one refund, reported for three sales', 1_000, [sale(['x', 1_000]), sale(['x', 1_000]), sale(['x', 1_000])]],
	[
		'a sale merged with another one that reported the same refund',
		1_500,
		[sale(['y', 500]), { ...sale(['x', 1_000], ['x', 1_000]), reportedRefundCents: 1_000 }],
	],
	[
		'one refund whose amount is missing for the second sale',
		1_000,
		[sale(['x', 1_000]), { ...sale(['x', null]), reportedRefundCents: 1_000 }],
	],
	[
		'one refund whose amount is missing for the first sale',
		1_000,
		[{ ...sale(['x', null]), reportedRefundCents: 1_000 }, sale(['x', 1_000])],
	],
])('%s: %i', (_name, cents, sales) => {
	expect(reportedOf(sales)).toBe(cents);
});

test('each refund counts once, with its largest amount, in any order of sales', () => {
	const aSale = fc.uniqueArray(fc.tuple(fc.constantFrom('x', 'y', 'z', null), fc.integer({ min: 1, max: 9_999 })), {
		selector: ([refundId]) => refundId,
	});
	fc.assert(
		fc.property(fc.array(aSale, { minLength: 1, maxLength: 4 }), (sales) => {
			const most = new Map<string | null, number>();
			for (const [refundId, cents] of sales.flat()) most.set(refundId, Math.max(most.get(refundId) ?? 0, cents));
			const expected = [...most.values()].reduce((sum, cents) => sum + cents, 0);
			expect(reportedOf(sales.map((reports) => sale(...reports)))).toBe(expected);
		}),
	);
});
