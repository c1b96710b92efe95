import { Column, is, isSQLWrapper, SQL, type SQLWrapper } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { DrizzleD1Database } from 'drizzle-orm/d1';

/** The part of D1's binding that statements need. A D1 session has it too. */
export type Binding = Pick<D1Database, 'prepare' | 'batch'>;

export type Database = DrizzleD1Database & { $client: Binding };

type Query = BatchItem<'sqlite'>;

export interface Bound<Answer = unknown> {
	readonly sql: string;
	readonly params: unknown[];
	/** The SQL of a statement sent alone. Its column names are unique, because D1 returns rows as objects. */
	readonly alone: string;
	readonly read: (answer: D1Result<Row>) => Answer;
	/** Converts rows that arrive as arrays, if Drizzle knows the columns. */
	readonly rows?: { readonly columns: number; readonly read: (rows: unknown[][]) => unknown };
}

type Row = Record<string, unknown>;

export type Statement = Query | Bound;
export type Read = (Query & PromiseLike<unknown[]>) | Bound<unknown[]>;
/** Named statements. An undefined one is not sent, and its result is empty. */
export type Reads = Readonly<Record<string, Read | undefined>>;
export type Found<Wanted> = { [Name in keyof Wanted]: AnswerOf<NonNullable<Wanted[Name]>> };
export type AnswerOf<Sent> =
	Sent extends Bound<infer Answer> ? Answer : Sent extends Query ? Sent['_']['result'] : Sent extends Reads ? Found<Sent> : never;

/** Renders a statement in another way than Drizzle. */
export type Render = (query: SQLWrapper) => { sql: string; params: unknown[] };

/** What Drizzle knows about a statement. Some of it is missing from its public types. */
interface DrizzleQuery {
	getQuery(): { sql: string; params: unknown[] };
	mapResult(answer: unknown, isFromBatch?: boolean): unknown;
	readonly fields?: readonly Field[];
}

interface Field {
	readonly path: readonly string[];
	readonly field: unknown;
}

export function boundOf<Sent extends Statement | Reads>(sent: Sent, render?: Render, from?: SQL): Bound<AnswerOf<Sent>>;
export function boundOf(sent: Statement | Reads, render?: Render, from?: SQL): Bound {
	if (isBound(sent)) return sent;
	if (!isSQLWrapper(sent)) return together(sent as Reads, render, from);
	const query = (sent as unknown as { _prepare(): DrizzleQuery })._prepare();
	const { sql, params } = render ? render(sent) : query.getQuery();
	const { fields } = query;
	if (!fields) return { sql, params, alone: sql, read: (answer) => query.mapResult(answer, true) };
	const read = flatReader(fields) ?? ((rows) => query.mapResult(rows));
	return {
		sql,
		params,
		alone: hasOwnNames(fields) ? sql : `WITH found (${columnNames(fields.length)}) AS (${sql}) SELECT * FROM found`,
		read: ({ results }) => read(results.map(Object.values)),
		rows: { columns: fields.length, read },
	};
}

export function isBound(sent: Statement | Reads): sent is Bound {
	return 'alone' in sent && typeof sent.alone === 'string';
}

/** Drizzle's batch() confuses equal column names of a join, because D1 returns rows as objects. */
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

/** Converts rows without nested objects as Drizzle does, but faster; undefined for other rows. */
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

export function askedOf(reads: Reads, render?: Render): { name: string; bound: Bound }[] {
	return Object.entries(reads).flatMap(([name, read]) => (read ? [{ name, bound: boundOf<Statement>(read, render) }] : []));
}

/** Results by name. Undefined reads are empty. */
export function foundOf(reads: Reads, answers: readonly unknown[]): Found<Reads> {
	const remaining = answers.values();
	return Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read ? remaining.next().value : []]));
}

/** D1's limit on the arguments of a function. */
const COLUMNS_PER_ROW = 32;

/** Combines reads into one statement, whose single row holds each result as JSON. Throws if D1 would refuse it. */
function together(reads: Reads, render: Render | undefined, from: SQL | undefined): Bound {
	const parts = askedOf(reads, render).map(({ name, bound: { sql, params, rows } }, index) => {
		if (!rows || rows.columns > COLUMNS_PER_ROW) throw new Error(`The columns of ${name} are too many, or Drizzle does not know them`);
		const [column, cells] = [`r${index}`, columnNames(rows.columns)];
		return {
			params,
			json: `(WITH found (${cells}) AS (${sql}) SELECT json_group_array(json_array(${cells})) FROM found) AS ${column}`,
			read: (row: Row) => rows.read(rowsIn(String(row[column]))),
		};
	});
	const source = from && render?.(from);
	const sql = `SELECT ${parts.map(({ json }) => json).join(', ')}${source ? ` FROM ${source.sql}` : ''}`;
	return {
		sql,
		params: [...parts, ...(source ? [source] : [])].flatMap(({ params }) => params),
		alone: sql,
		read: ({ results: [row] }) => {
			const answers = parts.map((part) => (row ? part.read(row) : []));
			return foundOf(reads, answers);
		},
	};
}

function rowsIn(json: string): unknown[][] {
	const rows: unknown[][] = JSON.parse(json);
	return rows.map((row) => row.map(asText));
}

/** Elsewhere JSON columns are strings, but SQLite may have nested them here. */
function asText(cell: unknown): unknown {
	return typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell;
}
