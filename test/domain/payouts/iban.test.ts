import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ibanProblem, parseBic, parseIban } from '../../../src/domain/payouts/iban.ts';

// Examples from the ISO 13616 registry.
const EXAMPLES = [
	'DE89370400440532013000',
	'GB29NWBK60161331926819',
	'FR1420041010050500013M02606',
	'NO9386011117947',
	'MT84MALT011000012345MTLCAST001S',
	'CH9300762011623852957',
	'NL91ABNA0417164300',
	'ES9121000418450200051332',
	'BR1800360305000010009795493C1',
	'XK051212012345678906',
];

/** Both are digits or both letters. The check digits do not detect other swaps. */
function isAlike(one = '', other = ''): boolean {
	return one !== '' && other !== '' && /\d/.test(one) === /\d/.test(other);
}

describe('an IBAN', () => {
	test.each(EXAMPLES)('is valid in %s, with spaces and in lower case too', (iban) => {
		expect(parseIban(iban)).toBe(iban);
		expect(parseIban(` ${iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ')}`)).toBe(iban);
	});

	test.each([
		'',
		'DE',
		'DE8937040044053201300',
		'DE893704004405320130000',
		'ZZ89370400440532013000',
		'8937040044053201300',
		'DE89-3704-0044-0532-0130-00',
	])('is not %j', (text) => {
		expect(parseIban(text)).toBeUndefined();
	});

	test.each([
		['DE89-3704', 'An IBAN begins with two letters and two digits, and has only letters and digits.'],
		['8937040044053201300', 'An IBAN begins with two letters and two digits, and has only letters and digits.'],
		['ZZ89370400440532013000', 'ZZ is not a country that uses IBANs.'],
		['de89 3704 0044 0532 0130 0', 'An IBAN that begins with DE has 22 characters, but this one has 21.'],
		['DE89370400440532013001', 'A character of this IBAN is wrong: its check digits do not match.'],
		['DE89 3704 0044 0532 0130 00', undefined],
	])('%j gets an explanation', (text, problem) => {
		expect(ibanProblem(text)).toBe(problem);
	});

	test('is invalid with one wrong character, or two adjacent ones swapped', () => {
		fc.assert(
			fc.property(fc.constantFrom(...EXAMPLES), fc.nat(), fc.constantFrom(...'0123456789ABCXYZ'.split('')), (iban, at, character) => {
				const index = at % iban.length;
				if (iban[index] !== character && isAlike(iban[index], character))
					expect(parseIban(`${iban.slice(0, index)}${character}${iban.slice(index + 1)}`)).toBeUndefined();
				const [one, other] = [iban[index], iban[index + 1]];
				if (index > 3 && one !== other && isAlike(one, other))
					expect(parseIban(`${iban.slice(0, index)}${other}${one}${iban.slice(index + 2)}`)).toBeUndefined();
			}),
		);
	});

	test('has exactly one valid pair of check digits for any account', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (account) => {
				const number = String(account).padStart(18, '0');
				const valid = Array.from({ length: 100 }, (_, digits) => `DE${String(digits).padStart(2, '0')}${number}`).filter(parseIban);
				// D = 13, E = 14. The check digits are 98 minus the remainder, which is calculated here independently.
				const due = 98n - (BigInt(`${number}131400`) % 97n);
				expect(valid).toContain(`DE${String(due).padStart(2, '0')}${number}`);
				expect(valid.every((iban) => BigInt(iban.slice(2, 4)) % 97n === due % 97n)).toBe(true);
			}),
			{ numRuns: 30 },
		);
	});
});

test.each([
	['deutdeff', 'DEUTDEFF'],
	// XXX ends the BIC of a head office.
	[' NEDSZAJJXXX ', 'NEDSZAJJXXX'],
	['DEUTDEF', undefined],
	['DEUTDEFFXX', undefined],
	['DEUT99FF', undefined],
])('BIC %j: %s', (text, bic) => {
	expect(parseBic(text)).toBe(bic);
});
