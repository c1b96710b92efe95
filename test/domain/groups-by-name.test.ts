import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupsByName } from '../../src/domain/groups-by-name.ts';

interface Item {
	readonly id: number;
	readonly names: readonly string[];
}

const grouped = (...named: string[]) => {
	const items = named.map((names, id) => ({ id, names: names.split('') }));
	return groupsByName(items, ({ names }) => names).map((group) => group.map(({ id }) => id));
};

describe('groups of items that share a name', () => {
	test('an item without a name is alone', () => {
		expect(grouped()).toEqual([]);
		expect(grouped('', '', 'a')).toEqual([[0], [1], [2]]);
	});

	test('items that share a name are together, in order', () => {
		expect(grouped('ab', 'c', 'b', 'cd')).toEqual([
			[0, 2],
			[1, 3],
		]);
	});

	test('a later item can join two groups', () => {
		expect(grouped('a', 'b', 'c', 'ab', 'b')).toEqual([[2], [0, 1, 3, 4]]);
	});
});

test('each item is in one group, no two groups share a name, and items that share a name keep their order', () => {
	const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 3 });
	fc.assert(
		fc.property(fc.array(names, { maxLength: 12 }), (all) => {
			const items: Item[] = all.map((some, id) => ({ id, names: some }));
			const groups = groupsByName(items, (item) => item.names);
			expect(groups.flatMap((group) => group.map(({ id }) => id)).toSorted((a, b) => a - b)).toEqual(items.map(({ id }) => id));
			const owners = groups.map((group) => new Set(group.flatMap((item) => item.names)));
			expect(owners.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(all.flat()).size);
			for (const group of groups)
				for (const name of new Set(all.flat())) {
					const having = group.filter((item) => item.names.includes(name)).map(({ id }) => id);
					expect(having).toEqual(having.toSorted((a, b) => a - b));
				}
		}),
	);
});
