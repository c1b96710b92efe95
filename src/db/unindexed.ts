import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * `column = value`, for rows that a better key finds. Without `+` SQLite, which has no statistics here, may read every row that has the
 * value: all of a program, say, for the few of one partner.
 */
export function unindexed(column: SQLiteColumn, value: number): SQL {
	return sql`+${column} = ${value}`;
}
