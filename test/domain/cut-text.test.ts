import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from '../../src/domain/cut-text.ts';
import { anyText } from '../support/any-text.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;

test.each([
	['', 3, ''],
	['abc', 3, 'abc'],
	['abcd', 3, 'abc'],
	['äöü', 4, 'äö'],
	['äöü', 3, 'ä'],
	['a€', 3, 'a'],
	['€', 3, '€'],
	['ab😀', 5, 'ab'],
	['ab😀', 6, 'ab😀'],
	['xx😀', 3, 'xx'],
	['x'.repeat(34) + '😀', 35, 'x'.repeat(34)],
	['\ud800b', 4, '\ufffdb'],
	['\ud800b', 3, '\ufffd'],
	['\ud800b', 2, ''],
	['a\udfff', 512, 'a\ufffd'],
	['ab\ud800', 5, 'ab\ufffd'],
])('%j within %d bytes is %j', (text, limit, cut) => {
	expect(cutText(text, limit)).toBe(cut);
});

test('any text stays well-formed, is cut to its beginning within the limit, and no shorter than necessary', () => {
	fc.assert(
		fc.property(anyText({ maxLength: 40 }), fc.integer({ min: 1, max: 100 }), (text, limit) => {
			const whole = text.toWellFormed();
			const cut = cutText(text, limit);
			expect(cut.isWellFormed()).toBe(true);
			expect(whole.startsWith(cut)).toBe(true);
			expect(bytesOf(cut)).toBeLessThanOrEqual(limit);
			const [next] = whole.slice(cut.length);
			if (next !== undefined) expect(bytesOf(cut + next)).toBeGreaterThan(limit);
		}),
	);
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (units, limit) => {
			const text = String.fromCharCode(...units);
			const cut = cutText(text, limit);
			expect(text.toWellFormed().startsWith(cut)).toBe(true);
			expect(bytesOf(cut)).toBeLessThanOrEqual(limit);
		}),
	);
});
