import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users, workspaces } from './accounts.ts';
import { partnerGroups } from './groups.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** A partner belongs to one workspace; its balance is the sum of its partner-program balances. */
export const partners = sqliteTable(
	'partners',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		workspaceId: belongsTo('workspace_id', () => workspaces.id),
		name: text('name').notNull(),
		email: text('email').notNull(),
		/** The person who accepted the invitation; an equal e-mail address alone opens nothing. A trigger keeps them until they are taken off. */
		userId: integer('user_id').references(() => users.id),
		createdAt: integer('created_at').notNull(),
		/** What the partner is found by (domain/search-text.ts). Null: cron is to fill it in. */
		searchText: text('search_text'),
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

/** A partner in a program. `suspended`: sales are recorded, nothing is earned; `ended`: the membership is over. */
export const partnerPrograms = sqliteTable(
	'partner_programs',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerId: belongsTo('partner_id', () => partners.id),
		status: text('status', { enum: ['active', 'suspended', 'ended'] }).notNull(),
		createdAt: integer('created_at').notNull(),
		/** Its day in the program's time zone; follows a change of the zone. Null is not counted, and filled in by cron. */
		createdDay: text('created_day'),
		/** Why it was suspended, resumed or ended, as the partner was told. */
		statusReason: text('status_reason'),
		/** Whose rules hold where the partner has none. NULL once the membership has ended. */
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

/** `short_link` is the `aff` value. A trigger keeps a link's partner: it may be taken away, never exchanged. */
export const referralLinks = sqliteTable(
	'referral_links',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: integer('program_id').references(() => programs.id),
		partnerProgramId: integer('partner_program_id').references(() => partnerPrograms.id),
		/** The one that was taken away: the clicks of its time stay its own. A trigger keeps it. */
		formerPartnerProgramId: integer('former_partner_program_id').references(() => partnerPrograms.id),
		/** Unique across programs; never reused. */
		shortLink: text('short_link').notNull().unique(),
		destinationUrl: text('destination_url'),
		createdAt: integer('created_at').notNull(),
		archivedAt: integer('archived_at'),
		/** What the link is found by (domain/search-text.ts). Null: cron is to fill it in. */
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

/** The stored balance per currency, minor units. Only the ledger's trigger writes it. */
export const partnerProgramBalances = sqliteTable(
	'partner_program_balances',
	{
		partnerProgramId: integer('partner_program_id').notNull(),
		currency: text('currency').notNull(),
		balanceCents: integer('balance_cents').notNull(),
		/** The ledger entry that led to this balance. */
		lastEntryId: integer('last_entry_id').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.partnerProgramId, table.currency] }),
		foreignKey({ columns: [table.partnerProgramId], foreignColumns: [partnerPrograms.id] }),
	],
);
