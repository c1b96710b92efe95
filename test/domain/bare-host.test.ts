import { expect, test } from 'vitest';
import { bareHost } from '../../src/domain/bare-host.ts';

test.each([
	['shop.example.', 'shop.example'],
	['shop.example', 'shop.example'],
	['shop.example.:8443', 'shop.example:8443'],
	['https://shop.example.', 'https://shop.example'],
	['shop.example..', 'shop.example..'],
	['.', '.'],
	['', ''],
])('%s is %s', (host, bare) => {
	expect(bareHost(host)).toBe(bare);
});
