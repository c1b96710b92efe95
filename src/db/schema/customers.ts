import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { coupons } from './coupons.ts';
import { partnerPrograms, referralLinks } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// Days (`*_day`, `*_date`) are YYYY-MM-DD in the program's time zone.

/** The first lead or sale creates the customer. Before that, only the click exists. */
export const customers = sqliteTable(
	'customers',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		customerKey: text('customer_key'),
		/** A trigger refuses an earlier status. */
		status: text('status', { enum: ['click', 'lead', 'conversion'] }).notNull(),
		signupDate: text('signup_date'),
		firstPurchaseDate: text('first_purchase_date'),
		/** The attribution: all columns are set, or none. A trigger locks it. */
		partnerProgramId: integer('partner_program_id').references(() => partnerPrograms.id),
		referralLinkId: integer('referral_link_id').references(() => referralLinks.id),
		clickId: text('click_id'),
		clickedAt: integer('clicked_at'),
		/** 0 for a click's first customer; 1 and up for later ones. */
		clickSequence: integer('click_sequence'),
		/** Copied from the click; null until the click is stored (clicks/store-clicks.ts fills it). */
		country: text('country'),
		source: text('source'),
		/** Copied from the click. Null if the click has none, and for customers older than this column, whose clicks have it. */
		subId: text('sub_id'),
		/** Keyed hash of the normalised address, for matching. */
		emailHash: text('email_hash'),
		/** Clear text, only if the program keeps addresses. */
		email: text('email'),
		createdAt: integer('created_at').notNull(),
		/** Incremented by every change. A trigger refuses changes based on an older revision. */
		revision: integer('revision').notNull().default(0),
		/** When the personal data was erased. Triggers refuse new data. */
		erasedAt: integer('erased_at'),
		/** The coupon that attributed the customer; the click is then a placeholder. Locked like the attribution. */
		couponId: integer('coupon_id').references(() => coupons.id),
		/** Only a page has claimed the key, so the backend may still change it. False for keys older than this column. */
		keyFromPage: integer('key_from_page', { mode: 'boolean' }).notNull().default(false),
	},
	(table) => [
		uniqueIndex('customers_one_per_key')
			.on(table.programId, table.customerKey)
			.where(sql`${table.customerKey} IS NOT NULL`),
		uniqueIndex('customers_one_per_click')
			.on(table.clickId, table.clickSequence)
			.where(sql`${table.clickId} IS NOT NULL`),
		index('customers_by_email')
			.on(table.programId, table.emailHash)
			.where(sql`${table.emailHash} IS NOT NULL`),
		// Without these indexes, a page of customers would read all of the program's events, most of them renewals.
		index('customers_by_program').on(table.programId, table.createdAt),
		index('customers_by_partner_program')
			.on(table.partnerProgramId, table.createdAt)
			.where(sql`${table.partnerProgramId} IS NOT NULL`),
		// Addresses that pages report have no hash.
		index('customers_by_clear_email')
			.on(table.programId, table.email)
			.where(sql`${table.email} IS NOT NULL`),
		check('customers_status_known', sql`${table.status} IN ('click', 'lead', 'conversion')`),
		check(
			'customers_attribution_whole',
			sql`(${table.partnerProgramId} IS NULL) = (${table.referralLinkId} IS NULL) AND (${table.referralLinkId} IS NULL) = (${table.clickId} IS NULL)
			AND (${table.clickId} IS NULL) = (${table.clickedAt} IS NULL) AND (${table.clickedAt} IS NULL) = (${table.clickSequence} IS NULL)`,
		),
		check('customers_named', sql`${table.customerKey} IS NOT NULL OR ${table.clickId} IS NOT NULL`),
		check('customers_conversion_dated', sql`(${table.status} = 'conversion') = (${table.firstPurchaseDate} IS NOT NULL)`),
	],
);

export const affiliateLeadEvents = sqliteTable(
	'affiliate_lead_events',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		/** Null for test leads. */
		customerId: integer('customer_id'),
		clickId: text('click_id'),
		customerKey: text('customer_key'),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		createdAt: integer('created_at').notNull(),
		/** The request that wrote the row, so that a retry after a lost response recognises it. */
		opId: text('op_id').notNull(),
	},
	(table) => [
		index('affiliate_lead_events_by_program').on(table.programId, table.createdAt),
		index('affiliate_lead_events_tests')
			.on(table.programId, table.isTest, table.createdAt)
			.where(sql`${table.isTest} = 1`),
		uniqueIndex('affiliate_lead_events_op_id_unique')
			.on(table.opId)
			.where(sql`${table.isTest} = 1`),
		check('affiliate_lead_events_customer_real', sql`(${table.isTest} = 1) = (${table.customerId} IS NULL)`),
	],
);
