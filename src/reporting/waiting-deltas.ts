import { type SQL, sql } from 'drizzle-orm';
import { STORED_DIMENSIONS, type StoredDimension } from '../domain/reporting/changed-figures.ts';

// SQL parts that read the outbox's metric deltas, to apply them to the daily rows or to include them in reports.

export const MOVED_COLUMNS = [
	'leads',
	'open_leads',
	'conversions',
	'partners',
	'sales',
	'revenue_cents',
	'refunded_cents',
	'commission_cents',
	'deducted_cents',
] as const;
export type DeltaColumn = (typeof MOVED_COLUMNS)[number];

export function eachColumn<Column extends string>(
	columns: readonly Column[],
	expressionOf: (column: Column) => string = (column) => column,
): SQL {
	return sql.raw(columns.map(expressionOf).join(', '));
}

/** Missing figures are 0. */
export function selectFigures<Column extends string>(columns: readonly Column[], keys: SQL, values: Partial<Record<Column, SQL>>): SQL {
	const figures = columns.map((column) => sql`${values[column] ?? sql`0`} AS ${sql.raw(column)}`);
	return sql`SELECT ${keys}, ${sql.join(figures, sql`, `)}`;
}

/** Waiting rows of the statement's `program`, a table with id and currency. */
export const WAITING_OF_PROGRAM = sql`program AS p CROSS JOIN outbox o ON o.program_id = p.id`;

/** Outbox rows `o`, each with its program `p`. */
export function withProgram(outboxRows: SQL): SQL {
	return sql`${outboxRows} CROSS JOIN programs p ON p.id = o.program_id`;
}

/** Deltas `m` of outbox rows `o` with their programs `p`, for the expressions below. */
export function deltasOf(outboxRows: SQL): SQL {
	return sql`${outboxRows} CROSS JOIN json_each(o.moves) AS m`;
}

export const DAY = sql`m.value ->> 'day'`;
/** Counts are in the program's currency. */
export const CURRENCY = sql`coalesce(m.value ->> 'currency', p.currency)`;
export const IS_IN_TOTALS = sql`m.value ->> 'onlyValues' IS NULL`;

/** A delta's figure for a column: `openLeads` for `open_leads`. */
export function figureOf(column: DeltaColumn): string {
	const figure = column.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase());
	return `coalesce(m.value ->> '${figure}', 0)`;
}

/** A row's value in each dimension, or null. */
const VALUES = {
	link: 'cast(o.referral_link_id AS TEXT)',
	product: 'o.product_id',
	country: 'o.country',
	source: 'o.source',
} satisfies Record<StoredDimension, string>;

/** Repeats each delta for each dimension in which it has a value. Filters before the join, because D1 bills each joined row. */
export function deltasBy(dimensions: readonly StoredDimension[], outboxRows: SQL): SQL {
	const standing = eachColumn(dimensions, (dimension) => `'${dimension}', iif(${VALUES[dimension]} <> '', 1, NULL)`);
	return deltasOf(sql`${outboxRows} CROSS JOIN json_each(json_patch('{}', json_object(${standing}))) AS dimension`);
}

export const DIMENSION = sql`dimension.key`;
export const VALUE = sql.raw(
	`CASE dimension.key ${STORED_DIMENSIONS.map((dimension) => `WHEN '${dimension}' THEN ${VALUES[dimension]}`).join(' ')} END`,
);

export const BROKEN_DOWN_COLUMNS = MOVED_COLUMNS.filter((column) => column !== 'open_leads' && column !== 'partners');

/** Only sales have a product. */
export function brokenDownFigureOf(column: DeltaColumn): string {
	const ofSales = column !== 'leads' && column !== 'conversions';
	return ofSales ? figureOf(column) : `iif(dimension.key = 'product', 0, ${figureOf(column)})`;
}
