import { expect, test } from 'vitest';
import { hasVariety } from '../../../src/domain/people/password-variety.ts';

test.each([
	['aaaaaaaaaa', false],
	['abcdabcdab', false],
	['AaBbCcDdAa', false],
	['abcdeabcde', true],
	['😀😁😂😃😄😀😁', true],
	['😀😁😀😁😀😁😀😁😀😁', false],
	// The same letter in two Unicode forms.
	['ａaa\u0301á', false],
	['', false],
])('%s: %j', (password, has) => {
	expect(hasVariety(password)).toBe(has);
});
