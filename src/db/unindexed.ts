import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * `column = value`, if another condition's index finds fewer rows. SQLite has no statistics on D1, so without the `+` it may read all rows
 * with that value, for example the whole program's instead of one partner's.
 */
export function unindexed(column: SQLiteColumn, value: number): SQL {
	return sql`+${column} = ${value}`;
}
