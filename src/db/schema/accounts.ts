import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { belongsTo } from './reference.ts';

// In all tables, instants are ms since the epoch, UTC.

export const users = sqliteTable(
	'users',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** Trimmed, lower case. */
		email: text('email').notNull().unique(),
		name: text('name').notNull(),
		/** scrypt, with its parameters and salt. */
		passwordHash: text('password_hash').notNull(),
		createdAt: integer('created_at').notNull(),
		deactivatedAt: integer('deactivated_at'),
		/** When the user first opened a link emailed to this address. NULL: anybody may have entered it (decision 57). */
		emailProvedAt: integer('email_proved_at'),
	},
	(table) => [check('users_email_normalised', sql`${table.email} = lower(trim(${table.email}))`)],
);

export const sessions = sqliteTable(
	'sessions',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** SHA-256 of the token, which is never stored. */
		tokenHash: text('token_hash').notNull().unique(),
		userId: belongsTo('user_id', () => users.id),
		createdAt: integer('created_at').notNull(),
		expiresAt: integer('expires_at').notNull(),
		/** Updated at most once an hour. NULL: not used since sign-in. */
		lastUsedAt: integer('last_used_at'),
		/** Where the sign-in came from. NULL if unknown. */
		network: text('network'),
		userAgent: text('user_agent'),
	},
	(table) => [index('sessions_by_user').on(table.userId)],
);

/** A link that sets a password without the old one. Using it deletes it, and creating one deletes expired ones. */
export const passwordResets = sqliteTable('password_resets', {
	/** SHA-256 of the token. */
	tokenHash: text('token_hash').primaryKey(),
	userId: belongsTo('user_id', () => users.id),
	createdAt: integer('created_at').notNull(),
	expiresAt: integer('expires_at').notNull(),
	/** Sent by email only. A token printed by the command line does not prove the address. */
	mailed: integer('mailed', { mode: 'boolean' }).notNull().default(false),
});

export const workspaces = sqliteTable('workspaces', {
	id: integer('id').primaryKey({ autoIncrement: true }),
	name: text('name').notNull(),
	createdAt: integer('created_at').notNull(),
});

/** A trigger protects the last active owner. */
export const members = sqliteTable(
	'members',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		workspaceId: belongsTo('workspace_id', () => workspaces.id),
		userId: belongsTo('user_id', () => users.id),
		role: text('role', { enum: ['owner', 'admin', 'member'] }).notNull(),
		/** When the person joined, or last rejoined. */
		createdAt: integer('created_at').notNull(),
		/** Also set for removed members. */
		deactivatedAt: integer('deactivated_at'),
		/** Another invitation can bring a removed member back. */
		removedAt: integer('removed_at'),
	},
	(table) => [
		uniqueIndex('members_one_per_user').on(table.workspaceId, table.userId),
		index('members_by_user').on(table.userId),
		check('members_role_known', sql`${table.role} IN ('owner', 'admin', 'member')`),
	],
);

/** A single-use link for a member (role) or a partner (partner_id). A trigger refuses changes after it was accepted or withdrawn. */
export const invitations = sqliteTable(
	'invitations',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		tokenHash: text('token_hash').notNull().unique(),
		workspaceId: belongsTo('workspace_id', () => workspaces.id),
		email: text('email').notNull(),
		role: text('role', { enum: ['owner', 'admin', 'member'] }),
		/** No foreign key, because partners refer to workspaces. */
		partnerId: integer('partner_id'),
		invitedBy: belongsTo('invited_by', () => users.id),
		createdAt: integer('created_at').notNull(),
		expiresAt: integer('expires_at').notNull(),
		acceptedAt: integer('accepted_at'),
		acceptedBy: integer('accepted_by').references(() => users.id),
		/** Also set if another invitation replaced it. */
		withdrawnAt: integer('withdrawn_at'),
	},
	(table) => [
		index('invitations_by_workspace').on(table.workspaceId),
		// Limits the emails sent to an address.
		index('invitations_by_email').on(table.email, table.createdAt),
		// Includes expired invitations, because the next one withdraws them.
		uniqueIndex('invitations_of_members_open')
			.on(table.workspaceId, table.email)
			.where(sql`${table.acceptedAt} IS NULL AND ${table.withdrawnAt} IS NULL AND ${table.role} IS NOT NULL`),
		uniqueIndex('invitations_of_partners_open')
			.on(table.partnerId)
			.where(sql`${table.acceptedAt} IS NULL AND ${table.withdrawnAt} IS NULL AND ${table.partnerId} IS NOT NULL`),
		check('invitations_as_member_or_partner', sql`(${table.role} IS NULL) <> (${table.partnerId} IS NULL)`),
		check('invitations_accepted_by_someone', sql`(${table.acceptedAt} IS NULL) = (${table.acceptedBy} IS NULL)`),
	],
);

/** Every management write. Append-only. */
export const auditEntries = sqliteTable(
	'audit_entries',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		at: integer('at').notNull(),
		workspaceId: integer('workspace_id').references(() => workspaces.id),
		programId: integer('program_id'),
		userId: integer('user_id').references(() => users.id),
		/** noun.verb, for example `program_key.reveal`. */
		action: text('action').notNull(),
		subjectId: integer('subject_id'),
		/** JSON of the change; never a secret. */
		detail: text('detail').notNull(),
		/** The client address, as reported by the platform. */
		address: text('address'),
	},
	(table) => [
		index('audit_entries_by_workspace').on(table.workspaceId, table.id),
		index('audit_entries_by_action').on(table.workspaceId, table.action, table.id),
		index('audit_entries_by_user').on(table.workspaceId, table.userId, table.id),
		index('audit_entries_by_program').on(table.workspaceId, table.programId, table.id),
		// Finds the ids around a date.
		index('audit_entries_by_time').on(table.workspaceId, table.at),
		// Finds earlier sign-ins of an account.
		index('audit_entries_of_sign_ins')
			.on(table.userId, table.at)
			.where(sql`${table.action} IN ('session.start', 'user.sign_up')`),
		// Finds entries about a person's own account, which has no workspace.
		index('audit_entries_of_accounts')
			.on(sql`coalesce(${table.userId}, ${table.subjectId})`, table.id)
			.where(sql`${table.workspaceId} IS NULL`),
		check('audit_entries_detail_json', sql`json_valid(${table.detail})`),
	],
);
