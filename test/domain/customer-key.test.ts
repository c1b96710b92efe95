import { expect, test } from 'vitest';
import { isMissingValue } from '../../src/domain/customer-key.ts';

test.each(['undefined', 'null', 'NaN', '[object Object]', ' null '])('%j is what a missing value became', (key) => {
	expect(isMissingValue(key)).toBe(true);
});

test.each(['user-undefined', 'nullable', 'NaN-1', 'Null', 'NULL', 'nan', '0', 'none', '[object Array]', 'undefined '.repeat(2)])(
	'%j may be an id',
	(key) => {
		expect(isMissingValue(key)).toBe(false);
	},
);
