import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users, workspaces } from './accounts.ts';
import { partners } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/**
 * Pending effects of committed changes: notifications and metric deltas. The batch of the change writes a row, and the batch that applies
 * it deletes it. Reports add pending deltas to the daily rows.
 */
export const outbox = sqliteTable(
	'outbox',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** The op_id of the change, with a suffix if it has several rows. So it is known before the write. */
		id: text('id').notNull(),
		/** `commission_created`: a sale that earned a commission. */
		kind: text('kind', {
			enum: [
				'lead_recorded',
				'sale_recorded',
				'commission_created',
				'sale_refunded',
				'duplicate_found',
				'commission_approved',
				'commission_rejected',
				'payout_made',
				'payout_sent',
				'payout_failed',
				'application_received',
				'click_stored',
				'partner_joined',
				'partner_suspended',
				'partners_dated',
			],
		}).notNull(),
		/** Depends on the kind: the customer of a lead or click, the partner of `partner_...`, the program of `partners_dated`. */
		subjectId: integer('subject_id').notNull(),
		/** JSON of MetricDelta[] (domain/reporting/metric-deltas.ts), or null. */
		moves: text('moves'),
		/** The values of the breakdown; null if there are none. */
		referralLinkId: integer('referral_link_id'),
		productId: text('product_id'),
		country: text('country'),
		source: text('source'),
		createdAt: integer('created_at').notNull(),
		/** How many times cron has failed to apply it. The pause doubles each time. */
		failures: integer('failures').notNull().default(0),
	},
	// A report reads the pending rows of one program. WITHOUT ROWID, which Drizzle cannot express: see migrations/0018.
	(table) => [
		primaryKey({ columns: [table.programId, table.id] }),
		check('outbox_moves_json', sql`${table.moves} IS NULL OR json_valid(${table.moves})`),
	],
);

/** In-app messages to a partner, or to a user as a member of a workspace. */
export const notifications = sqliteTable(
	'notifications',
	{
		id: integer('id').primaryKey(),
		partnerId: integer('partner_id').references(() => partners.id),
		userId: integer('user_id').references(() => users.id),
		programId: belongsTo('program_id', () => programs.id),
		kind: text('kind', {
			enum: [
				'commission_created',
				'commission_reversed',
				'commission_reinstated',
				'commission_rejected',
				'payout_made',
				'payout_sent',
				'payout_failed',
				'payout_details_changed',
				'payout_file_made',
				'application_received',
				'webhook_disabled',
				'postback_disabled',
				'membership_suspended',
				'membership_resumed',
				'membership_ended',
				'manual_review',
				'processor_silent',
				'reversal_refused',
			],
		}).notNull(),
		/** JSON: ids, cents, currency, reason. */
		detail: text('detail').notNull(),
		/** The outbox row that caused it and was deleted in the same batch; for a refused refund, its pseudonym. */
		outboxId: text('outbox_id').notNull(),
		createdAt: integer('created_at').notNull(),
		readAt: integer('read_at'),
	},
	(table) => [
		// Separates read from unread, so that one index lists both. Drizzle cannot express its expressions: see the migration
		// notifications_in_fewer_rows.
		index('notifications_by_partner')
			.on(table.partnerId, sql`${table.readAt} IS NULL`, table.id)
			.where(sql`${table.partnerId} IS NOT NULL`),
		index('notifications_by_user')
			.on(table.userId, sql`${table.readAt} IS NULL`, table.id)
			.where(sql`${table.userId} IS NOT NULL`),
		// Several events may report the same refund.
		uniqueIndex('notifications_refusal_once')
			.on(table.userId, table.outboxId)
			.where(sql`${table.kind} = 'reversal_refused'`),
		check('notifications_one_reader', sql`(${table.partnerId} IS NULL) <> (${table.userId} IS NULL)`),
		check('notifications_detail_json', sql`json_valid(${table.detail})`),
	],
);

/** Queue messages that failed for good, until an owner replays or dismisses them, or their work turns out to be done. */
export const deadLetters = sqliteTable(
	'dead_letters',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		/** The platform's message id, or the job's, so that a redelivery is not stored again. */
		messageId: text('message_id').notNull().unique(),
		workspaceId: integer('workspace_id').references(() => workspaces.id),
		programId: integer('program_id').references(() => programs.id),
		/** The message, JSON. */
		body: text('body').notNull(),
		reason: text('reason').notNull(),
		createdAt: integer('created_at').notNull(),
		/** When it was replayed, dismissed or found done. */
		replayedAt: integer('replayed_at'),
		/** Null while it is open, and for replays older than this column. */
		outcome: text('outcome', { enum: ['replayed', 'done', 'dismissed'] }),
	},
	(table) => [
		index('dead_letters_by_workspace').on(table.workspaceId, table.id),
		index('dead_letters_waiting')
			.on(table.programId)
			.where(sql`${table.replayedAt} IS NULL`),
		check('dead_letters_body_json', sql`json_valid(${table.body})`),
	],
);
