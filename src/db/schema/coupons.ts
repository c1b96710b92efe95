import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { partnerPrograms } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** A code that a customer gives at the checkout, and by which a partner is known. Triggers keep its program and partner. */
export const coupons = sqliteTable(
	'coupons',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerProgramId: belongsTo('partner_program_id', () => partnerPrograms.id),
		/** As codes are compared: domain/coupon-code.ts. */
		code: text('code').notNull(),
		createdAt: integer('created_at').notNull(),
		/** Since when it counts for nothing; another one may have the code then. A trigger refuses one in use of a membership that ended. */
		archivedAt: integer('archived_at'),
		/** What the coupon is found by (domain/search-text.ts). Null: cron is to fill it in. */
		searchText: text('search_text'),
	},
	(table) => [
		uniqueIndex('coupons_one_per_code')
			.on(table.programId, table.code)
			.where(sql`${table.archivedAt} IS NULL`),
		index('coupons_without_search_text')
			.on(table.programId)
			.where(sql`${table.searchText} IS NULL`),
		index('coupons_by_program').on(table.programId, table.id),
		index('coupons_by_partner_program').on(table.partnerProgramId, table.id),
		check('coupons_code_form', sql`length(${table.code}) BETWEEN 1 AND 64 AND ${table.code} = trim(upper(${table.code}))`),
	],
);

/**
 * Which code stands behind an id of a payment processor's, as it told: its events of a payment name the id alone. The code may be no
 * coupon of the program, or become one later.
 */
export const couponIds = sqliteTable(
	'coupon_ids',
	{
		programId: belongsTo('program_id', () => programs.id),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		processor: text('processor').notNull(),
		processorId: text('processor_id').notNull(),
		code: text('code').notNull(),
	},
	(table) => [primaryKey({ columns: [table.programId, table.isTest, table.processor, table.processorId] })],
);
