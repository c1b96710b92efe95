import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** Partners who share rules. Triggers keep partners and rules in active groups of their own program. */
export const partnerGroups = sqliteTable(
	'partner_groups',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		name: text('name').notNull(),
		/** Case-folded for comparison, because SQLite's lower() only handles ASCII. */
		nameKey: text('name_key').notNull(),
		createdAt: integer('created_at').notNull(),
		archivedAt: integer('archived_at'),
	},
	(table) => [
		uniqueIndex('partner_groups_one_per_name')
			.on(table.programId, table.nameKey)
			.where(sql`${table.archivedAt} IS NULL`),
	],
);
