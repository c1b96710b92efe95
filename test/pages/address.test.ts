import { describe, expect, test } from 'vitest';
import { Day, fitting, oneOf, searchOf, Text } from '../../src/pages/layout/search.ts';
import { isPreset } from '../../src/pages/ui/range.ts';

function isShort(text: unknown): text is string {
	return typeof text === 'string' && text.length < 3;
}

describe('search parameters', () => {
	const read = searchOf({ cursor: Text, sort: oneOf('newest', 'oldest'), from: Day, short: fitting(isShort) });

	test('are read', () => {
		const search = { cursor: '12', sort: 'oldest', from: '2024-02-29', short: 'ab' };
		expect(read(search)).toEqual(search);
	});

	test('are undefined if invalid, so that the router does not keep what is in the URL', () => {
		for (const search of [
			{},
			{ cursor: 12, sort: 'Oldest', from: '2026-02-30', short: 'abc' },
			{ sort: ['newest'], from: '2026-2-3' },
			{ from: '2026-13-01' },
			{ from: '2026-01-01T00:00:00Z' },
		])
			expect(read(search)).toStrictEqual(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])));
	});

	test('are absent if missing or unknown to the page', () => expect(read({ other: 'x' })).toStrictEqual({}));

	test('are no names that every object has', () =>
		expect(['toString', '3m', 7, undefined].map(isPreset)).toEqual([false, false, false, false]));
});
