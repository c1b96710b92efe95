import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

// The parts of search texts (domain/search-text.ts) by which rows are found: an ordinary table for each kind of row, because a database
// with an FTS5 table cannot be exported, and so not backed up. Triggers make them of `search_text`. WITHOUT ROWID, which Drizzle cannot
// say: see the migration search_inside_words. No foreign keys: nothing that is named here is ever deleted.

/** One row for each part of a partner's search text, in each of its programs. */
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
