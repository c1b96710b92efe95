import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { belongsTo } from './reference.ts';

/** Which notifications a person also wants by email, if they chose; else domain/people/mail-preference.ts decides. */
export const mailPreferences = sqliteTable(
	'mail_preferences',
	{
		userId: integer('user_id')
			.primaryKey()
			.references(() => users.id),
		/** False: none at all, including future kinds. */
		notifications: integer('notifications', { mode: 'boolean' }).notNull(),
		/** JSON of the chosen kinds: true or false. */
		kinds: text('kinds').notNull(),
	},
	(table) => [check('mail_preferences_kinds_json', sql`json_valid(${table.kinds})`)],
);

/**
 * A person's next email about their notifications after one id, up to another. Without any in between the row only keeps the earliest
 * time of the next email, and is deleted after that.
 */
export const dueEmails = sqliteTable(
	'letters_due',
	{
		userId: belongsTo('user_id', () => users.id),
		pace: text('pace', { enum: ['soon', 'daily'] }).notNull(),
		afterId: integer('after_id').notNull(),
		upToId: integer('up_to_id').notNull(),
		/** A sender moves it ahead as a lease, so that nobody else sends, and it is tried again if the sender fails. */
		dueAt: integer('due_at').notNull(),
		tries: integer('tries').notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.pace] }), index('letters_due_by_time').on(table.dueAt)],
);

/** Up to which notification emails were planned: one row, since email was first on. */
export const emailProgress = sqliteTable(
	'letter_progress',
	{
		id: integer('id').primaryKey(),
		upToId: integer('up_to_id').notNull(),
	},
	(table) => [check('letter_progress_one', sql`${table.id} = 1`)],
);
