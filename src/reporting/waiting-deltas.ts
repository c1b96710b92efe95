import { type SQL, sql } from 'drizzle-orm';
import { STORED_DIMENSIONS, type StoredDimension } from '../domain/reporting/changed-figures.ts';

// What the outbox's moves come to (domain/moves.ts), as parts of the statements that add them to the daily rows, and of those that
// read them while they wait.

/** The columns of the daily rows that moves raise. */
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

/** A list of columns, or of what is said of each. */
export function eachColumn<Column extends string>(columns: readonly Column[], say: (column: Column) => string = (column) => column): SQL {
	return sql.raw(columns.map(say).join(', '));
}

/** A SELECT of the keys and of all figures, those that are not given being 0. */
export function selectFigures<Column extends string>(columns: readonly Column[], keys: SQL, given: Partial<Record<Column, SQL>>): SQL {
	const figures = columns.map((column) => sql`${given[column] ?? sql`0`} AS ${sql.raw(column)}`);
	return sql`SELECT ${keys}, ${sql.join(figures, sql`, `)}`;
}

/** What waits of the program that the statement calls `program`, with its id and currency: where it calls none, nothing is read. */
export const WAITING_OF_PROGRAM = sql`program AS p CROSS JOIN outbox o ON o.program_id = p.id`;

/** Outbox rows `o`, each with its program as `p`. */
export function withProgram(outboxRows: SQL): SQL {
	return sql`${outboxRows} CROSS JOIN programs p ON p.id = o.program_id`;
}

/** The moves of outbox rows `o` with their programs `p`, as rows `m`: what their columns mean is said by those below. */
export function deltasOf(outboxRows: SQL): SQL {
	return sql`${outboxRows} CROSS JOIN json_each(o.moves) AS m`;
}

export const DAY = sql`m.value ->> 'day'`;
/** Counts stand in the program's own. */
export const CURRENCY = sql`coalesce(m.value ->> 'currency', p.currency)`;
export const IS_IN_TOTALS = sql`m.value ->> 'onlyValues' IS NULL`;

/** The figure of a move for a column: `openLeads` for `open_leads`. */
export function figureOf(column: DeltaColumn): string {
	const figure = column.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase());
	return `coalesce(m.value ->> '${figure}', 0)`;
}

/** Under which value of a dimension the moves of a row stand; null: under none. */
const VALUES = {
	link: 'cast(o.referral_link_id AS TEXT)',
	product: 'o.product_id',
	country: 'o.country',
	source: 'o.source',
} satisfies Record<StoredDimension, string>;

/** The same moves once for each of some dimensions under which they stand. The others are left out before the join: D1 bills each of its rows. */
export function deltasBy(dimensions: readonly StoredDimension[], outboxRows: SQL): SQL {
	const standing = eachColumn(dimensions, (dimension) => `'${dimension}', iif(${VALUES[dimension]} <> '', 1, NULL)`);
	return deltasOf(sql`${outboxRows} CROSS JOIN json_each(json_patch('{}', json_object(${standing}))) AS dimension`);
}

export const DIMENSION = sql`dimension.key`;
export const VALUE = sql.raw(
	`CASE dimension.key ${STORED_DIMENSIONS.map((dimension) => `WHEN '${dimension}' THEN ${VALUES[dimension]}`).join(' ')} END`,
);

/** The columns of the breakdown that move. */
export const BROKEN_DOWN_COLUMNS = MOVED_COLUMNS.filter((column) => column !== 'open_leads' && column !== 'partners');

/** A figure of a move in the dimension: only sales have a product. */
export function brokenDownFigureOf(column: DeltaColumn): string {
	const ofSales = column !== 'leads' && column !== 'conversions';
	return ofSales ? figureOf(column) : `iif(dimension.key = 'product', 0, ${figureOf(column)})`;
}
