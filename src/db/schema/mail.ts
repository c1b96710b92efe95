import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { belongsTo } from './reference.ts';

/** Which notifications a person also wants by email. domain/people/mail-preference.ts decides what they have not selected. */
export const mailPreferences = sqliteTable(
	'mail_preferences',
	{
		userId: integer('user_id')
			.primaryKey()
			.references(() => users.id),
		/** False for no emails at all, including future kinds. */
		notifications: integer('notifications', { mode: 'boolean' }).notNull(),
		/** JSON of the selected kinds: true or false. */
		kinds: text('kinds').notNull(),
	},
	(table) => [check('mail_preferences_kinds_json', sql`json_valid(${table.kinds})`)],
);

/**
 * A person's next email about notifications, from one id up to another. If there are none in between, the row only holds the earliest time
 * of the next email, and is deleted after that.
 */
export const dueEmails = sqliteTable(
	'letters_due',
	{
		userId: belongsTo('user_id', () => users.id),
		pace: text('pace', { enum: ['soon', 'daily'] }).notNull(),
		afterId: integer('after_id').notNull(),
		upToId: integer('up_to_id').notNull(),
		/** A sender postpones it as a lease: nobody else sends the email, and it is retried if the sender fails. */
		dueAt: integer('due_at').notNull(),
		tries: integer('tries').notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.pace] }), index('letters_due_by_time').on(table.dueAt)],
);

/** The last notification for which emails were planned. One row, written when email was first switched on. */
export const emailProgress = sqliteTable(
	'letter_progress',
	{
		id: integer('id').primaryKey(),
		upToId: integer('up_to_id').notNull(),
	},
	(table) => [check('letter_progress_one', sql`${table.id} = 1`)],
);
