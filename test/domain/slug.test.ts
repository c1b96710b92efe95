import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlug, slugOf } from '../../src/domain/slug.ts';

test.each([
	['Example Shop', '', 'example-shop'],
	['  Crème & Brûlée!  ', '', 'creme-brulee'],
	['Bäckerei', '7k', 'backerei-7k'],
	['商店', '', 'program'],
	['商店', '7k', 'program-7k'],
	['A', '', 'program-a'],
	[`${'x'.repeat(62)} y`, '', 'x'.repeat(62)],
	['x'.repeat(80), '7k', `${'x'.repeat(60)}-7k`],
])('%j with %j becomes %s', (name, suffix, slug) => {
	expect(slugOf(name, suffix)).toBe(slug);
});

test('any name becomes a slug', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z0-9]{0,6}$/), (name, suffix) => {
			expect(isSlug(slugOf(name, suffix))).toBe(true);
		}),
	);
});

test.each(['ab', '-abc', 'abc-', 'Abc', 'a_b', 'a'.repeat(64), ''])('%j is not a slug', (text) => {
	expect(isSlug(text)).toBe(false);
});
