import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users, workspaces } from './accounts.ts';
import { partners } from './partners.ts';
import { programs } from './programs.ts';

/** Work that follows a committed change. Written in its batch, sent after it, sent again by cron until it is done. */
export const outbox = sqliteTable(
	'outbox',
	{
		/** `<op_id>:<n>`, known before the write. */
		id: text('id').primaryKey(),
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		kind: text('kind', { enum: ['sale_recorded', 'commission_created', 'sale_refunded', 'commission_rejected', 'payout_made'] }).notNull(),
		/** The id of the sale, commission, refund event or payout. */
		subjectId: integer('subject_id').notNull(),
		createdAt: integer('created_at').notNull(),
		/** How often the sweep has sent it again: each time it waits twice as long. */
		sends: integer('sends').notNull().default(0),
		/** Set in the batch that writes the effect, and only there. */
		doneAt: integer('done_at'),
	},
	(table) => [
		index('outbox_waiting')
			.on(table.createdAt)
			.where(sql`${table.doneAt} IS NULL`),
	],
);

/** In-app messages: to a partner, or to a user as a member of a workspace. */
export const notifications = sqliteTable(
	'notifications',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		partnerId: integer('partner_id').references(() => partners.id),
		userId: integer('user_id').references(() => users.id),
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		kind: text('kind', {
			enum: ['commission_created', 'commission_reversed', 'commission_reinstated', 'commission_rejected', 'payout_made', 'manual_review'],
		}).notNull(),
		/** JSON: ids, cents, currency, reason. */
		detail: text('detail').notNull(),
		/** The outbox row that caused it: a message delivered twice notifies once. */
		outboxId: text('outbox_id').notNull(),
		createdAt: integer('created_at').notNull(),
		readAt: integer('read_at'),
	},
	(table) => [
		uniqueIndex('notifications_once_per_partner')
			.on(table.outboxId, table.partnerId)
			.where(sql`${table.partnerId} IS NOT NULL`),
		uniqueIndex('notifications_once_per_user')
			.on(table.outboxId, table.userId)
			.where(sql`${table.userId} IS NOT NULL`),
		index('notifications_by_partner')
			.on(table.partnerId, table.id)
			.where(sql`${table.partnerId} IS NOT NULL`),
		index('notifications_by_user')
			.on(table.userId, table.id)
			.where(sql`${table.userId} IS NOT NULL`),
		index('notifications_unread_by_partner')
			.on(table.partnerId, table.id)
			.where(sql`${table.partnerId} IS NOT NULL AND ${table.readAt} IS NULL`),
		index('notifications_unread_by_user')
			.on(table.userId, table.id)
			.where(sql`${table.userId} IS NOT NULL AND ${table.readAt} IS NULL`),
		check('notifications_one_reader', sql`(${table.partnerId} IS NULL) <> (${table.userId} IS NULL)`),
		check('notifications_detail_json', sql`json_valid(${table.detail})`),
	],
);

/** What the queues gave up on, kept until an owner replays it. */
export const deadLetters = sqliteTable(
	'dead_letters',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** The platform's message id, or the job's own: a redelivery is kept once. */
		messageId: text('message_id').notNull().unique(),
		workspaceId: integer('workspace_id').references(() => workspaces.id),
		programId: integer('program_id').references(() => programs.id),
		/** The message, JSON. */
		body: text('body').notNull(),
		reason: text('reason').notNull(),
		createdAt: integer('created_at').notNull(),
		replayedAt: integer('replayed_at'),
	},
	(table) => [
		index('dead_letters_by_workspace').on(table.workspaceId, table.id),
		index('dead_letters_waiting')
			.on(table.programId)
			.where(sql`${table.replayedAt} IS NULL`),
		check('dead_letters_body_json', sql`json_valid(${table.body})`),
	],
);
