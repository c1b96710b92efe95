import { expect, test, vi } from 'vitest';
import { parseWebAddress } from '../../src/domain/web-address.ts';

test.each([
	['https://shop.example/?aff=pat', 'https://shop.example/?aff=pat'],
	['http://localhost:3000', 'http://localhost:3000/'],
	['https:/shop.example/a', 'https://shop.example/a'],
	['https:shop.example', 'https://shop.example/'],
	['https:\\\\shop.example\\a', 'https://shop.example/a'],
	['https://ada:secret@shop.example/', 'https://ada:secret@shop.example/'],
	['https://müller.example/', 'https://xn--mller-kva.example/'],
	[`https://shop.example/${'a'.repeat(4_000)}`, `https://shop.example/${'a'.repeat(4_000)}`],
	[`https://shop.example?${'a'.repeat(4_000)}`, `https://shop.example/?${'a'.repeat(4_000)}`],
])('%s is an address', (text, href) => {
	expect(parseWebAddress(text)?.href).toBe(href);
});

test.each(['', 'shop.example', '/relative', '//shop.example', 'ftp://shop.example/', 'javascript:alert(1)', 'https://', 'https://a b/'])(
	'%j is not',
	(text) => {
		expect(parseWebAddress(text)).toBeUndefined();
	},
);

test.each([
	`https://${'一'.repeat(4_000)}/`,
	`https:${'一'.repeat(4_000)}`,
	`https:////${'一'.repeat(4_000)}`,
	`https:\\${'一'.repeat(4_000)}?aff=pat`,
	`https://${'%E4%B8%80'.repeat(1_000)}#x`,
	`https://a@${'a\u0301\u0323'.repeat(1_000)}`,
])('an impossible host is not parsed: %#', (text) => {
	const read = vi.spyOn(URL, 'parse');
	expect(parseWebAddress(text)).toBeUndefined();
	expect(read).not.toHaveBeenCalled();
	vi.restoreAllMocks();
});
