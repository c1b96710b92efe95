import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCustomerPosition, parseCustomerPosition } from '../../src/domain/customer-position.ts';

test('a cursor leads back to its position', () => {
	fc.assert(
		fc.property(fc.nat(), fc.integer({ min: 1 }), (at, id) => {
			expect(parseCustomerPosition(formatCustomerPosition({ at, id }))).toEqual({ at, id });
		}),
	);
});

test.each(['', '1', '1.', '.1', '1.0', '1.01', '-1.1', '1.1.1', ' 1.1', 'x.1', '1.x', '1e3.1', '1234567890123456.1', '1.1234567890123456'])(
	'%j is none',
	(text) => {
		expect(parseCustomerPosition(text)).toBeUndefined();
	},
);
