import { expect, test } from 'vitest';
import { hasVariety } from '../../../src/domain/people/password-variety.ts';

test.each([
	['aaaaaaaaaa', false],
	['abcdabcdab', false],
	['AaBbCcDdAa', false],
	['abcdeabcde', true],
	['😀😁😂😃😄😀😁', true],
	['😀😁😀😁😀😁😀😁😀😁', false],
	// One letter in two forms.
	['ａaa\u0301á', false],
	['', false],
])('%s: %j', (password, has) => {
	expect(hasVariety(password)).toBe(has);
});
