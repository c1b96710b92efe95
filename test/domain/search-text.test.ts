import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedText, searchPatternsOf, searchTextOf } from '../../src/domain/search-text.ts';
import { anyText } from '../support/any-text.ts';

test.each([
	['ZOË', 'zoe'],
	['zoe\u0308', 'zoe'],
	['Łódź', 'lodz'],
	['STRASSE', 'strasse'],
	['Straße', 'strasse'],
	['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
	['ＡＢＣ', 'abc'],
	['\uFB01sh', 'fish'],
	['İstanbul', 'istanbul'],
	['ışık', 'isik'],
	['עִבְרִית', 'עברית'],
	['\u200Fשלום\u200E', 'שלום'],
	['👩‍🚀 Ada', '👩🚀 ada'],
	['a\u00A0b', 'a b'],
])('%j is searched as %j', (text, folded) => {
	expect(foldedText(text)).toBe(folded);
});

const text = anyText({ maxLength: 40 });

test('texts are normalized one character at a time', () => {
	fc.assert(
		fc.property(text, text, (a, b) => {
			expect(foldedText(a + b)).toBe(foldedText(a) + foldedText(b));
		}),
	);
});

test('a normalized text stays the same when normalized again', () => {
	fc.assert(
		fc.property(text, (any) => {
			expect(foldedText(foldedText(any))).toBe(foldedText(any));
		}),
	);
});

const MATCHES = [
	['Maria Lopez', 'maria l', 'field'],
	['Maria Lopez', 'LÓPEZ', 'word'],
	['Maria Lopez', 'ari', 'part'],
	['maria.lopez@mail.example', 'lopez@m', 'word'],
	['maria.lopez@mail.example', 'z@mail', 'part'],
	["Conan O'Brien", 'brien', 'word'],
	['🎉Party', 'party', 'word'],
	['🎉Party', '🎉', 'field'],
	['spring-sale_24', 'sale_2', 'word'],
	['Maria Lopez', 'marialopez', undefined],
] as const;

test.each(MATCHES)('%j matches %j: %s', (name, search, expected) => {
	const [stored, patterns] = [searchTextOf(['x', name]), searchPatternsOf(search)];
	expect((['field', 'word', 'part'] as const).find((kind) => patterns && stored.includes(patterns[kind]))).toBe(expected);
});

test('each part of a search is a part of every text that matches', () => {
	const characters = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), { minLength: 3, maxLength: 30 });
	fc.assert(
		fc.property(characters, fc.nat(), fc.nat(), (name, from, length) => {
			const start = from % name.length;
			const search = name.slice(start, start + 1 + (length % (name.length - start))).join('');
			const stored = searchTextOf([name.join('')]);
			const patterns = searchPatternsOf(search);
			for (const part of patterns ? [patterns.part, ...patterns.parts] : []) expect(stored).toContain(part);
			expect(patterns?.parts.length ?? 0).toBeLessThanOrEqual(5);
		}),
	);
});

test('only invisible characters are not a search', () => {
	expect(searchPatternsOf('\u200D\u0301')).toBeUndefined();
});

test.each([
	['ab', []],
	['abc', ['abc']],
	['a b', ['a \t', ' \tb']],
	['abcdefghijklmnop', ['abc', 'def', 'ghi', 'jkl', 'mno']],
])('for %j the parts %j are looked up', (search, parts) => {
	expect(searchPatternsOf(search)?.parts).toEqual(parts);
});
