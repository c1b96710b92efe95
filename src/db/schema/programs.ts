import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { workspaces } from './accounts.ts';
import { belongsTo } from './reference.ts';

export const programs = sqliteTable(
	'programs',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		workspaceId: belongsTo('workspace_id', () => workspaces.id),
		name: text('name').notNull(),
		domain: text('domain'),
		/** Decision 40. A changed domain must be verified again. */
		domainVerifiedAt: integer('domain_verified_at'),
		/** ISO 4217, upper case. A trigger refuses to change it after the first sale. */
		currency: text('currency').notNull(),
		/** The attribution window. */
		cookieWindowDays: integer('cookie_window_days').notNull(),
		/** IANA name, for days in reports. A trigger refuses to change it after the first event. */
		timeZone: text('time_zone').notNull(),
		active: integer('active', { mode: 'boolean' }).notNull(),
		/** Refuses a customer_key from a page. */
		serverLeadsOnly: integer('server_leads_only', { mode: 'boolean' }).notNull(),
		/** Keeps customers' addresses in clear text, beside the hash for matching. */
		keepEmails: integer('keep_emails', { mode: 'boolean' }).notNull(),
		/** The default minimum, in minor units of the program's currency. */
		payoutMinimumCents: integer('payout_minimum_cents').notNull().default(0),
		/** A renewal without keys is attributed like the first sale of its subscription (decision 33). */
		renewalsFollowCheckout: integer('renewals_follow_checkout', { mode: 'boolean' }).notNull().default(false),
		/** A coupon precedes the sale's click, but never the customer's partner. */
		couponWins: integer('coupon_wins', { mode: 'boolean' }).notNull().default(false),
		partnerPostbacks: integer('partner_postbacks', { mode: 'boolean' }).notNull().default(true),
		/** Each line of a cart follows its own commission rule (decision 53). */
		rulesByLine: integer('rules_by_line', { mode: 'boolean' }).notNull().default(false),
		/** Null keeps clicks for ever. A trigger keeps it a week longer than the attribution window. */
		clickRetentionDays: integer('click_retention_days'),
		/** Null if clicks are kept for ever. */
		retireClicksAt: integer('retire_clicks_at'),
		/** The search for old clicks begins here, because before this instant it found only clicks of customers; usually 0. */
		oldClicksFrom: integer('old_clicks_from').notNull().default(0),
		createdAt: integer('created_at').notNull(),
		/** Decision 59. A trigger keeps an archived program inactive, so tracking only checks `active`. */
		archivedAt: integer('archived_at'),
		/** Whether a restored program becomes active again. */
		activeBeforeArchive: integer('active_before_archive', { mode: 'boolean' }),
	},
	(table) => [
		index('programs_by_workspace').on(table.workspaceId, table.id),
		// Finds the program of a link on its domain.
		index('programs_by_domain').on(table.domain),
		index('programs_retiring')
			.on(table.retireClicksAt)
			.where(sql`${table.retireClicksAt} IS NOT NULL`),
		check('programs_currency_form', sql`${table.currency} GLOB '[A-Z][A-Z][A-Z]'`),
		check('programs_window_range', sql`${table.cookieWindowDays} BETWEEN 1 AND 3650`),
	],
);

/** `api_token`. A rotated key works until its overlap ends. */
export const programKeys = sqliteTable(
	'program_keys',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		/** SHA-256 of the key, hex. */
		tokenHash: text('token_hash').notNull().unique(),
		/** The first characters, so that people recognise the key. */
		prefix: text('prefix').notNull(),
		/** Encrypted by AES-GCM with the Worker's secret, for the audited reveal. */
		sealedToken: text('sealed_token').notNull(),
		createdAt: integer('created_at').notNull(),
		expiresAt: integer('expires_at'),
		/** At most once an hour. */
		lastUsedAt: integer('last_used_at'),
	},
	(table) => [
		// Only one key per program has no expiry, so that one of two concurrent rotations fails.
		uniqueIndex('program_keys_one_current')
			.on(table.programId)
			.where(sql`${table.expiresAt} IS NULL`),
		index('program_keys_by_program').on(table.programId),
	],
);

/** Origins that may call the browser routes: `https://shop.example`, `https://*.shop.example`, `http://localhost:*`. */
export const allowedOrigins = sqliteTable(
	'allowed_origins',
	{
		programId: belongsTo('program_id', () => programs.id),
		origin: text('origin').notNull(),
	},
	(table) => [primaryKey({ columns: [table.programId, table.origin] }), index('allowed_origins_by_origin').on(table.origin)],
);
