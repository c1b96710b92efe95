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
		/** Its id in the list of events, assigned from click_count. */
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
		/** Reported by the platform. The visitor's address is never stored. */
		country: text('country'),
		/**
		 * The source that the click is counted under: the host of the referrer (domain/attribution/source.ts) or `other`. Null: direct or
		 * unknown.
		 */
		source: text('source'),
		/** A value that the partner added to the link. Erased with the rest of the row. */
		subId: text('sub_id'),
	},
	// By far the largest table. It is WITHOUT ROWID, so that each click writes only two rows. Drizzle cannot express that: see the
	// migration clicks_in_two_rows.
	(table) => [
		index('affiliate_click_events_by_program').on(table.programId, table.clickedAt, table.id),
		index('affiliate_click_events_tests')
			.on(table.programId, table.isTest, table.clickedAt, table.id)
			.where(sql`${table.isTest} = 1`),
	],
);

/** The number of clicks ever stored, tests included. A single row, updated once per queue batch. */
export const clickCount = sqliteTable(
	'click_count',
	{
		id: integer('id').primaryKey(),
		clicks: integer('clicks').notNull(),
	},
	(table) => [check('click_count_one_row', sql`${table.id} = 1`)],
);
