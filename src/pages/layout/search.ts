import { isPreset, type Preset } from '../ui/range.ts';

// Readers for search params. Invalid values count as missing.

/** Undefined if the value is invalid. */
type Reader<Value> = (text: unknown) => Value | undefined;

type Readers = Readonly<Record<string, Reader<unknown>>>;

export type SearchOf<Fields extends Readers> = { [Name in keyof Fields]?: ReturnType<Fields[Name]> };

export function searchOf<Fields extends Readers>(fields: Fields): (search: Readonly<Record<string, unknown>>) => SearchOf<Fields>;
export function searchOf(fields: Readers) {
	return (search: Readonly<Record<string, unknown>>) => {
		const entries = Object.entries(fields).map(([name, read]) => [name, read(search[name])] as const);
		// Missing values must be absent, because a page spreads them over its defaults. Invalid values must be undefined, because the
		// router would otherwise keep what is in the URL.
		return Object.fromEntries(entries.filter(([name, value]) => value !== undefined || search[name] !== undefined));
	};
}

export function Text(text: unknown): string | undefined {
	return typeof text === 'string' ? text : undefined;
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Reader<Value> {
	return (text) => values.find((value) => value === text);
}

export function fitting<Value>(fits: (text: unknown) => text is Value): Reader<Value> {
	return (text) => (fits(text) ? text : undefined);
}

/** A calendar day: "2026-11-22". */
export function Day(text: unknown): string | undefined {
	const isWritten = typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text);
	// `Date` would turn February 30 into March 2.
	const date = isWritten ? new Date(`${text}T00:00:00Z`) : undefined;
	return isWritten && date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

export const RangeSearch = { period: fitting<Preset>(isPreset), from: Day, to: Day };

export const ListSearch = { cursor: Text };
