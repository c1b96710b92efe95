import { describe, expect, test } from 'vitest';
import { shortAmount, shortCount } from '../../src/pages/format.ts';
import { compareQuery } from '../../src/pages/ui/compare.ts';
import { isAllTime } from '../../src/pages/ui/range.ts';

describe('a figure of a tile', () => {
	test.each([
		[0, 'USD', '$0.00'],
		[12_345.6, 'USD', '$12,345.60'],
		[999_999.99, 'USD', '$999,999.99'],
		[1_000_000, 'USD', '$1M'],
		[1_254_999.5, 'USD', '$1.25M'],
		[-2_500_000, 'EUR', '-€2.5M'],
		[123_456, 'JPY', '¥123,456'],
		[1_234.567, 'KWD', 'KWD 1.23K'],
	])('%d in %s is %s', (major, currency, text) => expect(shortAmount(major, currency).replaceAll('\u00a0', ' ')).toBe(text));

	test.each([
		[0, '0'],
		[999_999, '999,999'],
		[1_234_567, '1.23M'],
	])('%d is %s', (number, text) => expect(shortCount(number)).toBe(text));
});

describe('what a report requests', () => {
	test.each([
		[{}, { compare: 'previous' }],
		[{ compare: 'off', match_weekdays: 'on' }, { compare: 'previous' }],
		[{ match_weekdays: 'on' }, { compare: 'previous', match_weekdays: 'true' }],
		[
			{ compare: 'last_year', compare_from: '2026-01-01', match_weekdays: 'on' },
			{ compare: 'last_year', match_weekdays: 'true' },
		],
		[
			{ compare: 'custom', compare_from: '2026-01-01' },
			{ compare: 'custom', compare_from: '2026-01-01' },
		],
		[{ compare: 'custom' }, { compare: 'previous' }],
	] as const)('%j', (chosen, query) => expect(compareQuery(chosen)).toEqual(query));

	test.each([
		[{ period: 'all' }, true],
		[{ period: 'all', from: '2026-01-01' }, true],
		[{ period: 'all', from: '2026-01-01', to: '2026-01-31' }, false],
		[{ period: '30d' }, false],
	] as const)('%j is all time: %s', (range, isAll) => expect(isAllTime(range)).toBe(isAll));
});
