import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * `column = value` for rows that a better key finds. Without `+` SQLite, which has no statistics on D1, may read all rows with that
 * value: for one partner's, the whole program's.
 */
export function unindexed(column: SQLiteColumn, value: number): SQL {
	return sql`+${column} = ${value}`;
}
