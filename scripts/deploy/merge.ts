/** A value in a TOML or JSON file. */
export type Value = string | number | boolean | null | readonly Value[] | Table;
export interface Table {
	readonly [key: string]: Value;
}

/**
 * Keeps what `mine` changed since `base`, and takes everything else from `next`. Tables in a list are matched by name; any other list
 * counts as one value.
 */
export function mergeThreeWay(base: Table, mine: Table, next: Table): Table {
	const keys = [...new Set([...Object.keys(next), ...Object.keys(mine)])];
	const merged = keys.map((key) => [key, mergeValue(base[key], mine[key], next[key])] as const);
	return Object.fromEntries(merged.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined));
}

function mergeValue(base: Value | undefined, mine: Value | undefined, next: Value | undefined): Value | undefined {
	if (isSame(mine, base) || isSame(mine, next)) return next;
	if (isSame(next, base)) return mine;
	if (isTable(mine) && isTable(next)) return mergeThreeWay(isTable(base) ? base : {}, mine, next);
	const [ofMine, ofNext] = [byName(mine), byName(next)];
	if (ofMine && ofNext) return Object.values(mergeThreeWay(byName(base) ?? {}, ofMine, ofNext));
	return mine;
}

/** The tables of a list by name; undefined if one has no name or two share one. */
export function byName(list: Value | undefined): Table | undefined {
	if (!isList(list)) return undefined;
	const named = list.map((item) => [isTable(item) ? nameOf(item) : undefined, item] as const);
	const names = new Set(named.map(([name]) => name));
	if (names.has(undefined) || names.size < list.length) return undefined;
	return Object.fromEntries(named);
}

function nameOf({ binding, name, queue, pattern, type }: Table): string | undefined {
	const found = binding ?? name ?? queue ?? pattern ?? type;
	return typeof found === 'string' ? found : undefined;
}

export function isTable(value: Value | undefined): value is Table {
	return typeof value === 'object' && value !== null && !isList(value);
}

export function isList(value: Value | undefined): value is readonly Value[] {
	return Array.isArray(value);
}

/** Compares regardless of key order. */
function isSame(one: Value | undefined, other: Value | undefined): boolean {
	return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: Value | undefined): Value | undefined {
	if (isList(value)) return value.map((item) => sorted(item) ?? null);
	if (!isTable(value)) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sorted(value[key]) ?? null]),
	);
}
