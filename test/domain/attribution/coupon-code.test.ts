import fc from 'fast-check';
import { expect, test } from 'vitest';
import { couponCodeOf } from '../../../src/domain/attribution/coupon-code.ts';

test.each([
	[' save10 ', 'SAVE10'],
	['ＳＡＶＥ１０', 'SAVE10'],
	['SAVE\u200B10', 'SAVE10'],
	['\uFEFFSAVE10', 'SAVE10'],
	['SA\u00ADVE10', 'SAVE10'],
	['SAVE\u202E10', 'SAVE10'],
	['stra\u00DFe', 'STRASSE'],
	['cafe\u0301', 'CAF\u00C9'],
	['\uFB01sh', 'FISH'],
	['', undefined],
	[' \u200B ', undefined],
	['a\nb', undefined],
	['x'.repeat(65), undefined],
	['\uD800', undefined],
])('%j is %j', (text, code) => {
	expect(couponCodeOf(text)).toBe(code);
});

test('a normalized code stays the same when normalized again', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (text) => {
			const code = couponCodeOf(text);
			if (code !== undefined) expect(couponCodeOf(code)).toBe(code);
		}),
	);
});
