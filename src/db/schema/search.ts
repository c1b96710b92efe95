import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

// The parts of search texts (domain/search-text.ts), filled from `search_text` by triggers. Ordinary tables, because a database with FTS5
// cannot be exported and so cannot be backed up. WITHOUT ROWID, which Drizzle cannot express: see the migration search_inside_words. No
// foreign keys, because the rows they refer to are never deleted.

/** One row per part of a partner's search text and program. */
export const partnerParts = sqliteTable(
	'partner_parts',
	{ programId: integer('program_id').notNull(), part: text('part').notNull(), partnerId: integer('partner_id').notNull() },
	(table) => [primaryKey({ columns: [table.programId, table.part, table.partnerId] })],
);

export const linkParts = sqliteTable(
	'link_parts',
	{ programId: integer('program_id').notNull(), part: text('part').notNull(), linkId: integer('link_id').notNull() },
	(table) => [primaryKey({ columns: [table.programId, table.part, table.linkId] })],
);

export const couponParts = sqliteTable(
	'coupon_parts',
	{ programId: integer('program_id').notNull(), part: text('part').notNull(), couponId: integer('coupon_id').notNull() },
	(table) => [primaryKey({ columns: [table.programId, table.part, table.couponId] })],
);
