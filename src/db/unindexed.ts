import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * `column = value`, for use beside a condition whose index finds fewer rows. D1 has no statistics for SQLite's planner: without the `+`
 * it may read all rows with that value, for example the whole program's instead of one partner's.
 */
export function unindexed(column: SQLiteColumn, value: number): SQL {
	return sql`+${column} = ${value}`;
}
