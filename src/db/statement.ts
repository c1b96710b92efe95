import { Column, is, SQL, type SQLWrapper } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { DrizzleD1Database } from 'drizzle-orm/d1';

export type Database = DrizzleD1Database & { $client: D1Database };

type Query = BatchItem<'sqlite'>;

/** A statement as it is sent. */
export interface Bound<Answer = unknown> {
	readonly sql: string;
	readonly params: readonly unknown[];
	/** How many columns its rows have; undefined where Drizzle does not know. */
	readonly columns: number | undefined;
	/** The text to send where it stands alone: with a name for each column, by which D1 tells them apart. */
	readonly alone: string;
	/** What its rows mean, which are given as arrays. Without `columns`: what D1's own answer means. */
	readonly read: (answer: unknown) => Answer;
}

export type Statement = Query | Bound;
/** A statement that gives rows. */
export type Read = (Query & PromiseLike<unknown[]>) | Bound<unknown[]>;
export type AnswerOf<Sent> = Sent extends Bound<infer Answer> ? Answer : Sent extends Query ? Sent['_']['result'] : never;

/** Makes the text of a statement in another way than Drizzle's own. */
export type Render = (query: SQLWrapper) => { sql: string; params: unknown[] };

/** What Drizzle knows of a statement; not all of it is in its public types. */
interface DrizzleQuery {
	getQuery(): { sql: string; params: unknown[] };
	mapResult(answer: unknown, isFromBatch?: boolean): unknown;
	readonly fields?: readonly Field[];
}

interface Field {
	readonly path: readonly string[];
	readonly field: unknown;
}

export function boundOf<Sent extends Statement>(statement: Sent, render?: Render): Bound<AnswerOf<Sent>>;
export function boundOf(statement: Statement, render?: Render): Bound {
	if ('alone' in statement) return statement;
	const query = (statement as unknown as { _prepare(): DrizzleQuery })._prepare();
	const { sql, params } = render ? render(statement as unknown as SQLWrapper) : query.getQuery();
	const { fields } = query;
	if (!fields) return { sql, params, columns: undefined, alone: sql, read: (answer) => query.mapResult(answer, true) };
	const readFlat = flatReader(fields);
	return {
		sql,
		params,
		columns: fields.length,
		alone: hasOwnNames(fields) ? sql : `WITH found (${columnNames(fields.length)}) AS (${sql}) SELECT * FROM found`,
		read: (rows) => (readFlat ? readFlat(rows as unknown[][]) : query.mapResult(rows)),
	};
}

/** Drizzle's own batch() mixes up the columns of a join where two have one name, as D1 answers batches with objects. */
function hasOwnNames(fields: readonly Field[]): boolean {
	const names = fields.map(({ field }) => (is(field, Column) ? field.name : undefined));
	return fields.length < 2 || (!names.includes(undefined) && new Set(names).size === names.length);
}

function columnNames(count: number): string {
	return Array.from({ length: count }, (_, index) => `c${index}`).join(', ');
}

interface Decoder {
	mapFromDriverValue(value: unknown): unknown;
}

/** Reads rows without nested objects, as Drizzle does but without asking of each cell again what it is; undefined for others. */
function flatReader(fields: readonly Field[]): ((rows: unknown[][]) => unknown[]) | undefined {
	const decoders = fields.map(({ field }) => decoderOf(field));
	const names = fields.flatMap(({ path }) => (path.length === 1 ? path : []));
	if (names.length < fields.length || decoders.includes(undefined)) return undefined;
	return (rows) =>
		rows.map((row) => {
			const read: Record<string, unknown> = {};
			for (const [index, name] of names.entries()) {
				const value = row[index];
				read[name] = value === null ? null : decoders[index]?.mapFromDriverValue(value);
			}
			return read;
		});
}

function decoderOf(field: unknown): Decoder | undefined {
	if (is(field, Column)) return field;
	const of = is(field, SQL.Aliased) ? field.sql : field;
	return is(of, SQL) ? (of as unknown as { readonly decoder: Decoder }).decoder : undefined;
}

/** Several reads as one statement, whose one row holds the rows of each as JSON. */
export interface Together<Reads> {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly readRow: (row: Readonly<Record<string, string>>) => Found<Reads>;
}

/** What several reads answer, by their names. */
export type Found<Reads> = { [Name in keyof Reads]: AnswerOf<NonNullable<Reads[Name]>> };

/** How many arguments D1 lets a function have. */
const COLUMNS_PER_ROW = 32;

/** Throws where D1 would refuse what a read asks for. */
export function together<Reads extends Readonly<Record<string, Read>>>(reads: Reads, render: Render): Together<Reads> {
	const parts = Object.entries(reads).map(([name, asked]) => {
		const { sql, params, columns, read } = boundOf<Statement>(asked, render);
		if (columns === undefined || columns > COLUMNS_PER_ROW)
			throw new Error(`The columns of ${name} are too many, or Drizzle does not know them`);
		return { name, sql, params, cells: columnNames(columns), read };
	});
	const tables = parts.map(({ sql, cells }, index) => `r${index} (${cells}) AS (${sql})`);
	const rows = parts.map(({ cells }, index) => `(SELECT json_group_array(json_array(${cells})) FROM r${index}) AS r${index}`);
	return {
		sql: `WITH ${tables.join(', ')} SELECT ${rows.join(', ')}`,
		params: parts.flatMap(({ params }) => params),
		readRow: (row) =>
			Object.fromEntries(parts.map(({ name, read }, index) => [name, read(rowsIn(row[`r${index}`] ?? '[]'))])) as Found<Reads>,
	};
}

function rowsIn(json: string): unknown[][] {
	const rows: unknown[][] = JSON.parse(json);
	return rows.map((row) => row.map(asText));
}

/** A column that is JSON itself comes as text everywhere else; here SQLite may have nested it. */
function asText(cell: unknown): unknown {
	return typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell;
}
