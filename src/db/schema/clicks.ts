import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { referralLinks } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// Days (`*_day`, `*_date`) are YYYY-MM-DD in the program's time zone.

export const affiliateClickEvents = sqliteTable(
	'affiliate_click_events',
	{
		/** `cust_<number>_<number>`, signed: see domain/attribution/click-id.ts. */
		clickId: text('click_id').primaryKey(),
		/** Its number in the list of events, from click_count. */
		id: integer('id').notNull(),
		programId: belongsTo('program_id', () => programs.id),
		referralLinkId: belongsTo('referral_link_id', () => referralLinks.id),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** A crawler that ran the page's script. Its click is stored but not counted. */
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
		/** From the platform. The visitor's address is never stored. */
		country: text('country'),
		/**
		 * The source under which it is counted: the host of the referrer (domain/attribution/source.ts) or `other`. Null: direct or
		 * unknown.
		 */
		source: text('source'),
		/** The partner's own value in the link. Erased with the rest. */
		subId: text('sub_id'),
	},
	// The largest table by far. It is WITHOUT ROWID, which Drizzle cannot express (see clicks_in_two_rows), so that each click is written
	// to only two places.
	(table) => [
		index('affiliate_click_events_by_program').on(table.programId, table.clickedAt, table.id),
		index('affiliate_click_events_tests')
			.on(table.programId, table.isTest, table.clickedAt, table.id)
			.where(sql`${table.isTest} = 1`),
	],
);

/** How many clicks were ever stored, tests included. One row, updated once per delivery. */
export const clickCount = sqliteTable(
	'click_count',
	{
		id: integer('id').primaryKey(),
		clicks: integer('clicks').notNull(),
	},
	(table) => [check('click_count_one_row', sql`${table.id} = 1`)],
);
