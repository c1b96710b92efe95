import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { partnerPrograms } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** A code that customers enter at checkout and that identifies a partner. Triggers refuse another program or partner. */
export const coupons = sqliteTable(
	'coupons',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerProgramId: belongsTo('partner_program_id', () => partnerPrograms.id),
		/** Normalised (domain/attribution/coupon-code.ts). */
		code: text('code').notNull(),
		createdAt: integer('created_at').notNull(),
		/**
		 * An archived coupon attributes no sales, and another coupon may use its code. A trigger refuses active coupons for ended memberships.
		 */
		archivedAt: integer('archived_at'),
		/** For searches (domain/search-text.ts). Null until cron fills it. */
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

/** A processor's coupon id and its code, because payment events contain only the id. A coupon with this code may not exist yet. */
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
