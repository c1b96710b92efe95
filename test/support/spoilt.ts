import fc from 'fast-check';

const spoiltValue = fc.oneof(
	fc.constantFrom(
		null,
		undefined,
		'',
		0,
		-1,
		1.5,
		true,
		[],
		{},
		2 ** 53,
		-(2 ** 53),
		1e300,
		'usd',
		'\u0000',
		'\ud800',
		[null],
		{ id: null },
		{ data: null },
	),
	fc.jsonValue({ maxDepth: 2 }),
);

/** Positions in a value, by number, and their replacements. */
export const spoils = fc.array(fc.tuple(fc.nat(), spoiltValue), { minLength: 1, maxLength: 4 });

/** The value with replacements at some positions, at any depth. */
export function withSpoilt(value: unknown, changes: readonly (readonly [number, unknown])[]): unknown {
	return changes.reduce((spoilt, [place, other]) => replaceAt(spoilt, place, other), value);
}

function replaceAt(value: unknown, place: number, other: unknown): unknown {
	const paths = pathsIn(value);
	return replace(value, paths[place % paths.length] ?? [], other);
}

function pathsIn(value: unknown): string[][] {
	if (typeof value !== 'object' || value === null) return [[]];
	return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsIn(inner).map((path) => [key, ...path])]);
}

function replace(value: unknown, path: readonly string[], other: unknown): unknown {
	const [key, ...rest] = path;
	if (key === undefined || typeof value !== 'object' || value === null) return other;
	const entries = Object.entries(value).map(([name, inner]) => [name, name === key ? replace(inner, rest, other) : inner] as const);
	return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
