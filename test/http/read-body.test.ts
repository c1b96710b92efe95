import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/http/read-body.ts';

function bodyOf(...bytes: number[]): Request {
	return new Request('https://service.example', { method: 'POST', body: new Uint8Array(bytes) });
}

const E_ACUTE = [0xc3, 0xa9];
const quoted = (...bytes: number[]) => bodyOf(0x22, ...bytes, 0x22);

describe('a body', () => {
	test('that ends within a character leaves nothing for the next one', async () => {
		await expect(readJson(bodyOf(0x22, 0xc3))).rejects.toThrow('Request body must be UTF-8');
		expect(await readJson(quoted(...E_ACUTE))).toBe('é');
	});

	test('that is not UTF-8 leaves the next one readable', async () => {
		await expect(readJson(quoted(0xff))).rejects.toThrow('Request body must be UTF-8');
		expect(await readJson(quoted(0x61))).toBe('a');
	});

	test('may begin with a byte order mark each time', async () => {
		const marked = [0xef, 0xbb, 0xbf, 0x31];
		expect([await readJson(bodyOf(...marked)), await readJson(bodyOf(...marked))]).toEqual([1, 1]);
	});
});
