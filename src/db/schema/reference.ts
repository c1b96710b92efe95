import { integer, type SQLiteColumn } from 'drizzle-orm/sqlite-core';

export function belongsTo<Name extends string>(name: Name, id: () => SQLiteColumn) {
	return integer(name).notNull().references(id);
}
