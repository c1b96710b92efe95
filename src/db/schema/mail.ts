import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { belongsTo } from './reference.ts';

/** Notifications by email. The defaults are in domain/people/mail-preference.ts. */
export const mailPreferences = sqliteTable(
	'mail_preferences',
	{
		userId: integer('user_id')
			.primaryKey()
			.references(() => users.id),
		/** False: no emails at all, not even of future kinds. */
		notifications: integer('notifications', { mode: 'boolean' }).notNull(),
		/** JSON: true or false for each kind that the person has set. */
		kinds: text('kinds').notNull(),
	},
	(table) => [check('mail_preferences_kinds_json', sql`json_valid(${table.kinds})`)],
);

/**
 * A person's next email, about the notifications from one id to another. Without any, the row only sets the earliest time of the next
 * email, and is deleted after it.
 */
export const dueEmails = sqliteTable(
	'letters_due',
	{
		userId: belongsTo('user_id', () => users.id),
		pace: text('pace', { enum: ['soon', 'daily'] }).notNull(),
		afterId: integer('after_id').notNull(),
		upToId: integer('up_to_id').notNull(),
		/** A sender postpones it as a lease, so that nobody else sends the email, and it is retried if the sender fails. */
		dueAt: integer('due_at').notNull(),
		tries: integer('tries').notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.pace] }), index('letters_due_by_time').on(table.dueAt)],
);

/** Emails are planned up to this notification. A single row, written when email was first switched on. */
export const emailProgress = sqliteTable(
	'letter_progress',
	{
		id: integer('id').primaryKey(),
		upToId: integer('up_to_id').notNull(),
	},
	(table) => [check('letter_progress_one', sql`${table.id} = 1`)],
);
