import { integer, type SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** The column of the row that each row belongs to. */
export function belongsTo<Name extends string>(name: Name, id: () => SQLiteColumn) {
	return integer(name).notNull().references(id);
}
