import { expect, test } from 'vitest';
import { isMissingValue } from '../../../src/domain/attribution/customer-key.ts';

test.each(['undefined', 'null', 'NaN', '[object Object]', ' null ', 'erased_0123456789abcdef01234567'])(
	'%j is not a key: it comes from a missing value, or replaces an erased one',
	(key) => {
		expect(isMissingValue(key)).toBe(true);
	},
);

test.each([
	'user-undefined',
	'nullable',
	'NaN-1',
	'Null',
	'NULL',
	'nan',
	'0',
	'none',
	'[object Array]',
	'erased_1',
	'erased_0123456789abcdef012345678',
	'undefined '.repeat(2),
])('%j may be a key', (key) => {
	expect(isMissingValue(key)).toBe(false);
});
