import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGuessable } from '../../../src/domain/people/guessable-password.ts';

const grace = { email: 'grace.hopper@shop.example', name: 'Grace Brewster Hopper' };

describe('guessable', () => {
	test.each([
		['listed passwords', 'qwertyuiop', 'manchester', '1029384756', 'correcthorsebatterystaple', 'a1b2c3d4e5'],
		['in any letter case and width', 'ManChester', 'ｍａｎｃｈｅｓｔｅｒ'],
		['with digits and signs around them', 'manchester1', '!!Manchester2026!!', 'Sunshine123', '#dragon#2026#', '1000monkey'],
		[
			'keyboard rows with additions',
			'1234567890',
			'123456789a',
			'qwerty12345',
			'qwertqwert99',
			'1q2w3e4r5t6y',
			'Passwort2026',
			'MyPassword1',
		],
		['with signs and digits instead of letters', 'P@ssw0rd1234', 'Passw0rd1!', 'p@$$w0rd123', 'M4nch3st3r', '5un5h1ne!!', 'H0pp3r-Gr4ce'],
		['more keyboard rows', 'abcdefghij', 'qazwsxedcrfv', 'zaq12wsxcde3'],
		['what the service is called', 'affiliate-tracker', 'Affiliate2026!', 'partnerpartner', 'tracker-admin'],
		['the address', 'grace.hopper@shop.example', 'GRACE.HOPPER@SHOP.EXAMPLE', 'shop.example.1906'],
		['the name', 'Grace Brewster Hopper', 'gracehopper', 'Hopper-Grace-1906', 'hopperhopper', 'brewster1906', 'ilovegrace'],
	])('%s', (_what, ...passwords) => {
		expect(passwords.filter((password) => !isGuessable(password, grace))).toEqual([]);
	});
});

test.each([
	'correct horse battery',
	'a long enough password',
	'manchester under rain',
	'grace bought three teapots',
	'dragon of the shop window',
	'8273 6451 8273 0099',
	'x9$Kp2!vQz',
	'4 h0r$e 1n the @ttic',
	'пароль из трёх слов',
	'三つの言葉を並べる長い文',
])('not guessable: %s', (password) => {
	expect(isGuessable(password, grace)).toBe(false);
});

test('names with fewer than three usable letters are ignored', () => {
	expect(isGuessable('boat by boat', { email: 'b@b.co', name: 'Bo' })).toBe(false);
	expect(isGuessable('boat-by-boat-we-go', { email: 'x@y.zz', name: '-- ' })).toBe(false);
	expect(isGuessable('boat bob 1', { email: 'x@y.zz', name: 'Bob' })).toBe(true);
});

test('three random words of a stranger are fine for anyone', () => {
	const word = fc.constantFrom('teapot', 'window', 'quince', 'fjord', 'lumber', 'mosaic');
	const person = fc.record({ email: fc.emailAddress(), name: fc.string() });
	fc.assert(
		fc.property(fc.uniqueArray(word, { minLength: 3, maxLength: 3 }), person, (words, who) => {
			fc.pre(
				!words.some((one) =>
					[who.email, who.name].some((text) =>
						text
							.toLowerCase()
							.split(/[^a-z]+/)
							.some((part) => part.length >= 3 && one.includes(part)),
					),
				),
			);
			expect(isGuessable(words.join(' '), who)).toBe(false);
		}),
	);
});

test('a name with digits is guessable for that person', () => {
	const name = fc.stringMatching(/^[a-zà-öø-þ]{3,20}$/);
	fc.assert(
		fc.property(name, fc.nat(99_999_999), (own, digits) => {
			expect(isGuessable(`${own.toUpperCase()}${digits}`, { email: 'nobody@else.example', name: own })).toBe(true);
		}),
	);
});
