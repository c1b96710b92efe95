import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clickedAt, isClickId } from '../../src/browser/click-id.ts';
import { formatClickId, parseClickId } from '../../src/domain/attribution/click-id.ts';

test('the script reads the time from every id that the service creates', () => {
	const parts = fc.record({
		referralLinkId: fc.integer({ min: 1, max: 2 ** 24 - 1 }),
		clickedAt: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 0, 1) + 2 ** 40 - 1 }),
		nonce: fc.integer({ min: 0, max: 4095 }),
		isTest: fc.boolean(),
	});
	fc.assert(
		fc.property(parts, fc.integer({ min: 0, max: 2 ** 29 - 1 }), (click, mac) => {
			const id = formatClickId(click, mac);
			expect(isClickId(id)).toBe(true);
			expect(Math.abs(clickedAt(id) - (parseClickId(id)?.clickedAt ?? 0))).toBeLessThan(2);
		}),
	);
});

describe('not a click id', () => {
	test.each([
		'',
		'cust_',
		'cust_1',
		'cust_1_',
		'cust_1_2_3',
		' cust_1_2',
		'cust_1_2;domain=x',
		'cust_1_2\n',
		`cust_1_${'2'.repeat(17)}`,
		'CUST_1_2',
		null,
		undefined,
		7,
		['cust_1_2'],
	])('%j', (text) => expect(isClickId(text)).toBe(false));
});
