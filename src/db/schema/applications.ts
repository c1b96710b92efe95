import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { partnerGroups } from './groups.ts';
import { partners } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** The public page of a program. */
export const applicationForms = sqliteTable(
	'application_forms',
	{
		programId: integer('program_id')
			.primaryKey()
			.references(() => programs.id),
		/** The page's name in its URL, unique across all programs. */
		slug: text('slug').notNull().unique(),
		mode: text('mode', { enum: ['closed', 'by_approval', 'automatic'] }).notNull(),
		description: text('description'),
		/** The terms in force; 0 if there are none. */
		termsVersion: integer('terms_version').notNull(),
		/** The default group of approved applicants. */
		groupId: integer('group_id').references(() => partnerGroups.id),
	},
	(table) => [
		check('application_forms_slug_form', sql`length(${table.slug}) BETWEEN 3 AND 63 AND ${table.slug} NOT GLOB '*[^a-z0-9-]*'`),
		check('application_forms_mode_known', sql`${table.mode} IN ('closed', 'by_approval', 'automatic')`),
	],
);

/** The terms that applicants accept. Append-only. */
export const applicationTerms = sqliteTable(
	'application_terms',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		version: integer('version').notNull(),
		/** Empty if there are no terms from then on. */
		text: text('text').notNull(),
		createdAt: integer('created_at').notNull(),
	},
	(table) => [uniqueIndex('application_terms_once').on(table.programId, table.version)],
);

/** A trigger allows one decision per application. */
export const partnerApplications = sqliteTable(
	'partner_applications',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** The request that created it. */
		opId: text('op_id').notNull(),
		programId: belongsTo('program_id', () => programs.id),
		name: text('name').notNull(),
		email: text('email').notNull(),
		website: text('website'),
		message: text('message'),
		/** The accepted terms; 0 if there were none. */
		termsVersion: integer('terms_version').notNull(),
		/** The signed-in user with this address. */
		userId: integer('user_id').references(() => users.id),
		status: text('status', { enum: ['open', 'approved', 'declined'] }).notNull(),
		createdAt: integer('created_at').notNull(),
		decidedAt: integer('decided_at'),
		/** NULL if approved automatically. */
		decidedBy: integer('decided_by').references(() => users.id),
		/** Shown to the declined applicant. */
		reason: text('reason'),
		partnerId: integer('partner_id').references(() => partners.id),
	},
	(table) => [
		uniqueIndex('partner_applications_one_open')
			.on(table.programId, table.email)
			.where(sql`${table.status} = 'open'`),
		index('partner_applications_by_program').on(table.programId, table.id),
		index('partner_applications_by_status').on(table.programId, table.status, table.id),
		index('partner_applications_by_email').on(table.programId, table.email),
		index('partner_applications_declined')
			.on(table.decidedAt)
			.where(sql`${table.status} = 'declined'`),
		check('partner_applications_status_known', sql`${table.status} IN ('open', 'approved', 'declined')`),
		check('partner_applications_email_normalised', sql`${table.email} = lower(trim(${table.email}))`),
		check('partner_applications_decided', sql`(${table.status} = 'open') = (${table.decidedAt} IS NULL)`),
		check('partner_applications_partner', sql`(${table.status} = 'approved') = (${table.partnerId} IS NOT NULL)`),
	],
);
