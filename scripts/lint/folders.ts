import { dirname, join, relative } from 'node:path';

// The linter rule folders/one-way. Its table is in .oxlintrc.json. Each row names a folder or a file and what else it may import: earlier
// rows (`src/` means all rows in that folder) and packages (`*` means any). A folder without a row belongs to its parent's row.

export interface Row {
	readonly name: string;
	readonly imports: readonly string[];
}

/** Parses the table. A row may only import earlier rows, so there can be no cycles. */
export function readTable(lines: readonly string[]): Row[] {
	const rows = lines.map((line) => {
		const [name = '', ...imports] = line.split(' ');
		return { name: name.replace(/:$/, ''), imports };
	});
	for (const [index, { name, imports }] of rows.entries()) {
		const upward = rows.slice(index).find((row) => imports.some((word) => isRow(row, word)));
		if (upward) throw new Error(`The table of folders: ${name} names ${upward.name}, which is not an earlier row`);
	}
	return rows;
}

/** The problem with a file's import; undefined if it is allowed. Paths are relative to the project's root. */
export function complaintAbout(rows: readonly Row[], file: string, specifier: string): string | undefined {
	const from = rowOf(rows, file);
	if (!from) return undefined;
	const path = specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\?.*$/, '')) : `node_modules/${specifier}`;
	if (path.startsWith('node_modules/')) {
		const name = path.slice('node_modules/'.length);
		return from.imports.some((word) => word === '*' || isWithin(name, word) || (word === 'node:' && name.startsWith(word)))
			? undefined
			: `${from.name} may not import ${name}`;
	}
	const to = rowOf(rows, path);
	if (to === from || (to && from.imports.some((word) => isRow(to, word)))) return undefined;
	return to ? `${from.name} may not import ${to.name}` : `${path} has no row`;
}

/** The row for the innermost folder that contains the file. */
export function rowOf(rows: readonly Row[], file: string): Row | undefined {
	const having = file.includes('/') ? rows.filter(({ name }) => isWithin(file, name)) : rows.filter(({ name }) => name === '.');
	return having.toSorted((a, b) => b.name.length - a.name.length)[0];
}

function isRow({ name }: Row, word: string): boolean {
	return name === word || (word.endsWith('/') && `${name}/`.startsWith(word));
}

function isWithin(path: string, folder: string): boolean {
	return path === folder || path.startsWith(`${folder}/`);
}

interface Importing {
	readonly source: { readonly value?: unknown } | null;
}

interface Linted {
	readonly filename: string;
	readonly cwd: string;
	readonly options: readonly unknown[];
	readonly report: (complaint: { readonly node: unknown; readonly message: string }) => void;
}

function create({ filename, cwd, options, report }: Linted) {
	const rows = readTable(options.map(String));
	const file = relative(cwd, filename).replaceAll('\\', '/');
	const advise = (node: unknown, complaint: string) =>
		report({ node, message: `${complaint}: see the table of folders in .oxlintrc.json` });
	const check = (node: Importing) => {
		if (typeof node.source?.value !== 'string') return;
		const complaint = complaintAbout(rows, file, node.source.value);
		if (complaint !== undefined) advise(node.source, complaint);
	};
	return {
		Program: (node: unknown) => rowOf(rows, file) ?? advise(node, `${dirname(file)} has no row`),
		ImportDeclaration: check,
		ExportNamedDeclaration: check,
		ExportAllDeclaration: check,
		ImportExpression: check,
		TSImportType: check,
	};
}

export default {
	meta: { name: 'folders' },
	rules: { 'one-way': { meta: { schema: { type: 'array', items: { type: 'string' } } }, create } },
};
