import { expect, test } from 'vitest';
import { maskedEmail } from '../../../src/domain/people/masked-email.ts';

test.each([
	['grace@shop.example', 'g…@shop.example'],
	['abc@shop.example', 'a…@shop.example'],
	// Showing the first letter would reveal half of the name, or all of it.
	['ab@shop.example', '…@shop.example'],
	['a@shop.example', '…@shop.example'],
	['"a@b"@shop.example', '"…@shop.example'],
	['😀grin@shop.example', '😀…@shop.example'],
	['😀😀@shop.example', '…@shop.example'],
	['a@b@c@shop.example', 'a…@shop.example'],
])('%s is masked as %s', (email, masked) => {
	expect(maskedEmail(email)).toBe(masked);
});
