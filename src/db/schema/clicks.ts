import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { referralLinks } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// Days (`*_day`, `*_date`) are YYYY-MM-DD in the program's time zone.

export const affiliateClickEvents = sqliteTable(
	'affiliate_click_events',
	{
		/** `cust_<number>_<number>`, signed (domain/attribution/click-id.ts). */
		clickId: text('click_id').primaryKey(),
		/** The id in the list of events, assigned from click_count. */
		id: integer('id').notNull(),
		programId: belongsTo('program_id', () => programs.id),
		referralLinkId: belongsTo('referral_link_id', () => referralLinks.id),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** A crawler that ran the page's script. Stored, but not counted. */
		isBot: integer('is_bot', { mode: 'boolean' }).notNull(),
		clickedAt: integer('clicked_at').notNull(),
		clickDay: text('click_day').notNull(),
		pageUrl: text('page_url'),
		pageTitle: text('page_title'),
		referrerUrl: text('referrer_url'),
		sessionId: text('session_id'),
		userAgent: text('user_agent'),
		language: text('language'),
		timezone: text('timezone'),
		/** Reported by the platform. The visitor's address is never stored. */
		country: text('country'),
		/** The referrer's host (domain/attribution/source.ts) or `other`. Null: direct or unknown. */
		source: text('source'),
		/** The partner added it to the link. Erased with the rest of the row. */
		subId: text('sub_id'),
	},
	// By far the largest table. WITHOUT ROWID, so that a click writes only two rows. Drizzle cannot express that: see the migration
	// clicks_in_two_rows.
	(table) => [
		index('affiliate_click_events_by_program').on(table.programId, table.clickedAt, table.id),
		index('affiliate_click_events_tests')
			.on(table.programId, table.isTest, table.clickedAt, table.id)
			.where(sql`${table.isTest} = 1`),
	],
);

/** All clicks ever stored, tests included. A single row, updated once per queue batch. */
export const clickCount = sqliteTable(
	'click_count',
	{
		id: integer('id').primaryKey(),
		clicks: integer('clicks').notNull(),
	},
	(table) => [check('click_count_one_row', sql`${table.id} = 1`)],
);

/**
 * Days whose clicks were moved into files (clicks/click-files.ts), or deleted if no bucket is bound. Clicks of customers stay, and so do
 * late clicks until the day is retired again.
 */
export const retiredClickDays = sqliteTable(
	'retired_click_days',
	{
		programId: belongsTo('program_id', () => programs.id),
		day: text('day').notNull(),
		/** All retired clicks of the day. */
		clicks: integer('clicks').notNull(),
		files: integer('files').notNull(),
		/** The size of all files. */
		bytes: integer('bytes').notNull(),
		/** The last time. */
		retiredAt: integer('retired_at').notNull(),
		/** Deleted clicks are in no file, and nobody knows their ids. */
		deleted: integer('deleted').notNull().default(0),
	},
	// WITHOUT ROWID, so that a day is one row: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.day] })],
);
