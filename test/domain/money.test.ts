import { expect, test } from 'vitest';
import { toMajorUnits } from '../../src/domain/money.ts';

test('minor units become major units by the ISO 4217 exponent', () => {
	expect(toMajorUnits(1999, 'USD')).toBe(19.99);
	expect(toMajorUnits(500, 'JPY')).toBe(500);
	expect(toMajorUnits(1234, 'KWD')).toBe(1.234);
});
