import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users, workspaces } from './accounts.ts';
import { partnerGroups } from './groups.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** A partner belongs to one workspace. */
export const partners = sqliteTable(
	'partners',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		workspaceId: belongsTo('workspace_id', () => workspaces.id),
		name: text('name').notNull(),
		email: text('email').notNull(),
		/**
		 * Who accepted the invitation; a matching address alone grants no access. A trigger refuses another person until this one is
		 * detached.
		 */
		userId: integer('user_id').references(() => users.id),
		createdAt: integer('created_at').notNull(),
		/** For searches (domain/search-text.ts). Null until cron fills it in. */
		searchText: text('search_text'),
		/** When they were last asked by email for their payout details. */
		detailsAskedAt: integer('details_asked_at'),
	},
	(table) => [
		uniqueIndex('partners_one_per_email').on(table.workspaceId, table.email),
		index('partners_without_search_text')
			.on(table.workspaceId)
			.where(sql`${table.searchText} IS NULL`),
		index('partners_by_user').on(table.userId),
		check('partners_email_normalised', sql`${table.email} = lower(trim(${table.email}))`),
	],
);

/** A membership. `suspended`: sales are recorded but earn nothing. */
export const partnerPrograms = sqliteTable(
	'partner_programs',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerId: belongsTo('partner_id', () => partners.id),
		status: text('status', { enum: ['active', 'suspended', 'ended'] }).notNull(),
		createdAt: integer('created_at').notNull(),
		/** In the program's time zone, also after that changes. Null, and so not counted, until cron fills it. */
		createdDay: text('created_day'),
		/** Why it was suspended, resumed or ended, as shown to the partner. */
		statusReason: text('status_reason'),
		/** The group's rules apply if the partner has none. NULL after the membership has ended. */
		groupId: integer('group_id').references(() => partnerGroups.id),
	},
	(table) => [
		uniqueIndex('partner_programs_once').on(table.programId, table.partnerId),
		index('partner_programs_by_partner').on(table.partnerId),
		index('partner_programs_by_creation').on(table.programId, table.createdAt),
		index('partner_programs_by_group')
			.on(table.groupId, table.partnerId)
			.where(sql`${table.groupId} IS NOT NULL`),
		check('partner_programs_status_known', sql`${table.status} IN ('active', 'suspended', 'ended')`),
	],
);

/** A trigger allows a link to lose its partner, but not to change it. */
export const referralLinks = sqliteTable(
	'referral_links',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: integer('program_id').references(() => programs.id),
		partnerProgramId: integer('partner_program_id').references(() => partnerPrograms.id),
		/** The partner-program that lost the link and keeps its earlier clicks. A trigger refuses to change it. */
		formerPartnerProgramId: integer('former_partner_program_id').references(() => partnerPrograms.id),
		/** The `aff` value, unique across programs and never reused. */
		shortLink: text('short_link').notNull().unique(),
		destinationUrl: text('destination_url'),
		createdAt: integer('created_at').notNull(),
		archivedAt: integer('archived_at'),
		/** For searches (domain/search-text.ts). Null until cron fills it. */
		searchText: text('search_text'),
	},
	(table) => [
		index('referral_links_without_search_text')
			.on(table.programId)
			.where(sql`${table.searchText} IS NULL`),
		index('referral_links_by_program').on(table.programId, table.id),
		index('referral_links_by_partner_program').on(table.partnerProgramId),
		index('referral_links_by_former_partner_program')
			.on(table.formerPartnerProgramId)
			.where(sql`${table.formerPartnerProgramId} IS NOT NULL`),
		check(
			'referral_links_short_link_form',
			sql`length(${table.shortLink}) BETWEEN 1 AND 64 AND ${table.shortLink} NOT GLOB '*[^A-Za-z0-9_-]*'`,
		),
	],
);

/** Minor units. Only the ledger's trigger writes it. */
export const partnerProgramBalances = sqliteTable(
	'partner_program_balances',
	{
		partnerProgramId: integer('partner_program_id').notNull(),
		currency: text('currency').notNull(),
		balanceCents: integer('balance_cents').notNull(),
		/** The last ledger entry that changed it. */
		lastEntryId: integer('last_entry_id').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.partnerProgramId, table.currency] }),
		foreignKey({ columns: [table.partnerProgramId], foreignColumns: [partnerPrograms.id] }),
	],
);
