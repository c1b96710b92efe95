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
		/** When the domain was proved to be the workspace's (decision 40); a changed domain has to be proved anew. */
		domainVerifiedAt: integer('domain_verified_at'),
		/** ISO 4217, upper case. A trigger fixes it at the first sale. */
		currency: text('currency').notNull(),
		/** The attribution window, days. */
		cookieWindowDays: integer('cookie_window_days').notNull(),
		/** IANA name; days of reports are days of this zone. A trigger fixes it at the first event. */
		timeZone: text('time_zone').notNull(),
		active: integer('active', { mode: 'boolean' }).notNull(),
		/** Refuses a customer_key from browser mode. */
		serverLeadsOnly: integer('server_leads_only', { mode: 'boolean' }).notNull(),
		/** Keeps customers' e-mail addresses in clear, beside the keyed hash used for matching. */
		keepEmails: integer('keep_emails', { mode: 'boolean' }).notNull(),
		/** Less than that, in minor units of the program's own currency, is not paid where a payout asks for no other minimum. */
		payoutMinimumCents: integer('payout_minimum_cents').notNull().default(0),
		/** A processor's renewal that says nothing of its customer belongs to the first sale of its subscription (decision 33). */
		renewalsFollowCheckout: integer('renewals_follow_checkout', { mode: 'boolean' }).notNull().default(false),
		/** A coupon goes before the click that comes with its sale; never before the partner whom the customer has. */
		couponWins: integer('coupon_wins', { mode: 'boolean' }).notNull().default(false),
		/** Whether its partners may have their own systems told what they brought. */
		partnerPostbacks: integer('partner_postbacks', { mode: 'boolean' }).notNull().default(true),
		/** Whether each line of a cart takes its own commission rule (decision 53). New programs begin with it. */
		rulesByLine: integer('rules_by_line', { mode: 'boolean' }).notNull().default(false),
		createdAt: integer('created_at').notNull(),
		/** When it was archived (decision 59). A trigger keeps an archived program inactive, so tracking only asks for `active`. */
		archivedAt: integer('archived_at'),
		/** Whether it was active when it was archived: a restored program is as it was. */
		activeBeforeArchive: integer('active_before_archive', { mode: 'boolean' }),
	},
	(table) => [
		index('programs_by_workspace').on(table.workspaceId, table.id),
		// Whose is the host that a link is followed on?
		index('programs_by_domain').on(table.domain),
		check('programs_currency_form', sql`${table.currency} GLOB '[A-Z][A-Z][A-Z]'`),
		check('programs_window_range', sql`${table.cookieWindowDays} BETWEEN 1 AND 3650`),
	],
);

/** Program keys (`api_token`). A rotated key has an end: it works until its overlap is over. */
export const programKeys = sqliteTable(
	'program_keys',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		/** SHA-256 of the key, hex. */
		tokenHash: text('token_hash').notNull().unique(),
		/** The first characters, to tell keys apart. */
		prefix: text('prefix').notNull(),
		/** The key under AES-GCM with the Worker's secret, for the audited reveal. */
		sealedToken: text('sealed_token').notNull(),
		createdAt: integer('created_at').notNull(),
		expiresAt: integer('expires_at'),
		/** At most one write an hour. */
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

/** Origins whose pages may call the browser routes: `https://shop.example`, `https://*.shop.example`, `http://localhost:*`. */
export const allowedOrigins = sqliteTable(
	'allowed_origins',
	{
		programId: belongsTo('program_id', () => programs.id),
		origin: text('origin').notNull(),
	},
	(table) => [primaryKey({ columns: [table.programId, table.origin] }), index('allowed_origins_by_origin').on(table.origin)],
);
