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
		/** When the domain was proved (decision 40). A changed domain needs a new proof. */
		domainVerifiedAt: integer('domain_verified_at'),
		/** ISO 4217, upper case. A trigger fixes it with the first sale. */
		currency: text('currency').notNull(),
		/** The attribution window in days. */
		cookieWindowDays: integer('cookie_window_days').notNull(),
		/** IANA name, for days in reports. A trigger fixes it with the first event. */
		timeZone: text('time_zone').notNull(),
		active: integer('active', { mode: 'boolean' }).notNull(),
		/** Refuses a customer_key from pages. */
		serverLeadsOnly: integer('server_leads_only', { mode: 'boolean' }).notNull(),
		/** Keeps customers' email addresses in clear, beside the hash for matching. */
		keepEmails: integer('keep_emails', { mode: 'boolean' }).notNull(),
		/** The default payout minimum, in minor units of the program's currency. */
		payoutMinimumCents: integer('payout_minimum_cents').notNull().default(0),
		/** A renewal without its own keys belongs to the first sale of its subscription (decision 33). */
		renewalsFollowCheckout: integer('renewals_follow_checkout', { mode: 'boolean' }).notNull().default(false),
		/** A coupon goes before the click of its sale, never before the customer's partner. */
		couponWins: integer('coupon_wins', { mode: 'boolean' }).notNull().default(false),
		/** Whether partners may have postbacks. */
		partnerPostbacks: integer('partner_postbacks', { mode: 'boolean' }).notNull().default(true),
		/** Whether each line of a cart takes its own commission rule (decision 53). The default for new programs. */
		rulesByLine: integer('rules_by_line', { mode: 'boolean' }).notNull().default(false),
		createdAt: integer('created_at').notNull(),
		/** When it was archived (decision 59). A trigger keeps an archived program inactive, so tracking only checks `active`. */
		archivedAt: integer('archived_at'),
		/** Whether a restored program is active. */
		activeBeforeArchive: integer('active_before_archive', { mode: 'boolean' }),
	},
	(table) => [
		index('programs_by_workspace').on(table.workspaceId, table.id),
		// Finds the program of a host on which a link is followed.
		index('programs_by_domain').on(table.domain),
		check('programs_currency_form', sql`${table.currency} GLOB '[A-Z][A-Z][A-Z]'`),
		check('programs_window_range', sql`${table.cookieWindowDays} BETWEEN 1 AND 3650`),
	],
);

/** Program keys (`api_token`). A rotated key works until its overlap ends. */
export const programKeys = sqliteTable(
	'program_keys',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		/** SHA-256 of the key, hex. */
		tokenHash: text('token_hash').notNull().unique(),
		/** The first characters, to recognise a key. */
		prefix: text('prefix').notNull(),
		/** The key under AES-GCM with the Worker's secret, for the audited reveal. */
		sealedToken: text('sealed_token').notNull(),
		createdAt: integer('created_at').notNull(),
		expiresAt: integer('expires_at'),
		/** At most one write per hour. */
		lastUsedAt: integer('last_used_at'),
	},
	(table) => [
		// One key without an end per program: a racing rotation fails instead of leaving two.
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
