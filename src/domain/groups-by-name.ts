interface Group<Item> {
	readonly names: ReadonlySet<string>;
	readonly items: readonly Item[];
}

/** Groups items that share a name, directly or through others, in order. */
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
