import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailAddressOf } from '../../../src/domain/people/email-address.ts';

describe('an address is normalized for comparison', () => {
	test.each([
		[' Grace@People.Example ', 'grace@people.example'],
		['grace@ｐｅｏｐｌｅ.example', 'grace@people.example'],
		['grace@people．example', 'grace@people.example'],
		['grace@people。example', 'grace@people.example'],
		['grace@people.example.', 'grace@people.example'],
		['ｇｒａｃｅ＠people.example', 'grace@people.example'],
		['grace+links@people.example', 'grace+links@people.example'],
		["o'hara@people.example", "o'hara@people.example"],
		['grace@b\u00FCcher.example', 'grace@b\u00FCcher.example'],
		['grace@bu\u0308cher.example', 'grace@b\u00FCcher.example'],
	])('%j becomes %s', (text, address) => {
		expect(emailAddressOf(text)).toBe(address);
	});

	test('normalizing twice changes nothing', () => {
		fc.assert(
			fc.property(fc.emailAddress(), (text) => {
				const address = emailAddressOf(text);
				if (address !== undefined) expect(emailAddressOf(address)).toBe(address);
			}),
		);
	});
});

test.each([
	'',
	'grace',
	'grace@people',
	'gr\u200Bace@people.example',
	'gr\u00ADace@people.example',
	'grace@peo\u2060ple.example',
	'grace\u202E@people.example',
	'grace@people.example\u3164',
	'<grace@people.example>',
	'grace@[192.0.2.1]',
	'(hello)grace@people.example',
	'"grace"@people.example',
	'a@b.example,c@d.example',
	'a@b.example;c@d.example',
	'grace@people@example.com',
	'grace@people..example',
	'grace@.example',
	'gra ce@people.example',
	'grace@people.example/x',
	`${'g'.repeat(250)}@a.example`,
	'\uD800@people.example',
	'1@erased.invalid',
])('not an address: %j', (text) => {
	expect(emailAddressOf(text)).toBeUndefined();
});
