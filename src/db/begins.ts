import { type SQL, sql } from 'drizzle-orm';

/** LIKE fails for long texts, because D1 limits its patterns to 50 bytes. */
export function begins(column: string, text: SQL): SQL {
	return sql`substr(${sql.raw(column)}, 1, length(${text})) = ${text}`;
}

const LAST_CHARACTER = '\u{10ffff}';

/** The same condition as a range, which can use an index on the column. */
export function isInRangeOf(column: string, text: string): SQL {
	return sql`${sql.raw(column)} >= ${text} AND ${sql.raw(column)} < ${text + LAST_CHARACTER}`;
}
