interface Group<Item> {
	readonly names: ReadonlySet<string>;
	readonly items: readonly Item[];
}

/** What shares a name, with one another or by way of a third, is one group; in it, whoever shares a name stands as it came. */
export function groupsByName<Item>(items: readonly Item[], namesOf: (item: Item) => readonly string[]): (readonly Item[])[] {
	let groups: readonly Group<Item>[] = [];
	for (const item of items) {
		const names = namesOf(item);
		const met = groups.filter((group) => names.some((name) => group.names.has(name)));
		const joined = {
			names: new Set([...met.flatMap((group) => [...group.names]), ...names]),
			items: [...met.flatMap((group) => group.items), item],
		};
		groups = [...groups.filter((group) => !met.includes(group)), joined];
	}
	return groups.map((group) => group.items);
}
