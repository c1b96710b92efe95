import { expect, test } from 'vitest';
import { DEPTH_LIMIT, isTooDeep } from '../../src/domain/json-depth.ts';

function nested(depth: number, wrap: (value: unknown) => unknown): unknown {
	let value: unknown = 1;
	for (let level = 0; level < depth; level += 1) value = wrap(value);
	return value;
}

test.each<[string, (value: unknown) => unknown]>([
	['lists', (value) => [value]],
	['objects', (value) => ({ value })],
	['lists next to others', (value) => [null, 'text', value, 2]],
])('%s may be nested as deep as the limit, and no deeper', (_what, wrap) => {
	expect(isTooDeep(nested(DEPTH_LIMIT, wrap))).toBe(false);
	expect(isTooDeep(nested(DEPTH_LIMIT + 1, wrap))).toBe(true);
});

test('the documented limit is the real one: 32 levels', () => expect(DEPTH_LIMIT).toBe(32));

test.each([[null], [undefined], ['x'.repeat(1_000)], [1], [{}], [[]], [{ a: null }]])('%j is not nested too deep', (value) => {
	expect(isTooDeep(value)).toBe(false);
});

test('a wide value, or one deeper than any stack, is checked too', () => {
	expect(isTooDeep(Array.from({ length: 100_000 }, () => null))).toBe(false);
	expect(isTooDeep(nested(100_000, (value) => [value]))).toBe(true);
});
