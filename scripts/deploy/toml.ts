import { experimental_readRawConfig } from 'wrangler';
import { Failure } from '../../testing/failure.ts';
import { isList, isTable, type Table, type Value } from './merge.ts';

/** Reads the file with wrangler's own parser. */
export function readToml(file: string): Table {
	try {
		const table: Value = JSON.parse(JSON.stringify(experimental_readRawConfig({ config: file }).rawConfig));
		return isTable(table) ? table : {};
	} catch (error) {
		throw new Failure(`Could not read ${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
}

export function toToml(table: Table, path: readonly string[] = []): string {
	const entries = Object.entries(table);
	const lines = entries.filter(([, value]) => isInline(value)).map(([key, value]) => `${keyOf(key)} = ${inline(value)}\n`);
	const tables = entries.flatMap(([key, value]) => {
		if (isInline(value)) return [];
		const name = [...path, key].map((part) => keyOf(part)).join('.');
		if (isTable(value)) return [`${holdsValues(value) ? `\n[${name}]\n` : ''}${toToml(value, [...path, key])}`];
		return isList(value) ? value.map((item) => `\n[[${name}]]\n${isTable(item) ? fields(item) : ''}`) : [];
	});
	return [...lines, ...tables].join('');
}

/** The fields of a table in a list, with nested tables written inline. */
function fields(table: Table): string {
	return Object.entries(table)
		.map(([key, value]) => `${keyOf(key)} = ${inline(value)}\n`)
		.join('');
}

function holdsValues(table: Table): boolean {
	const values = Object.values(table);
	return values.length === 0 || values.some((value) => isInline(value));
}

/** Whether the value fits on the same line as its key. Only tables and lists of tables do not. */
function isInline(value: Value): boolean {
	return !isTable(value) && !(isList(value) && value.length > 0 && value.every((item) => isTable(item)));
}

function inline(value: Value): string {
	if (isList(value)) return `[${value.map((item) => inline(item)).join(', ')}]`;
	if (!isTable(value)) return quoted(value);
	return `{ ${Object.entries(value)
		.map(([key, item]) => `${keyOf(key)} = ${inline(item)}`)
		.join(', ')} }`;
}

function keyOf(key: string): string {
	return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

/** TOML strings are JSON strings, except that TOML requires DEL to be escaped. */
function quoted(value: string | number | boolean | null): string {
	return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007f`);
}
