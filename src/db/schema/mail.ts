import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { belongsTo } from './reference.ts';

/** Which notifications somebody wants by e-mail too, where they chose: else domain/mail-preference.ts says so. */
export const mailPreferences = sqliteTable(
	'mail_preferences',
	{
		userId: integer('user_id')
			.primaryKey()
			.references(() => users.id),
		/** False: none at all, nor of kinds to come. */
		notifications: integer('notifications', { mode: 'boolean' }).notNull(),
		/** JSON, yes or no by kind: of those that were chosen. */
		kinds: text('kinds').notNull(),
	},
	(table) => [check('mail_preferences_kinds_json', sql`json_valid(${table.kinds})`)],
);

/**
 * The next letter of somebody: it tells of their notifications after one id, up to another. A row without any between keeps the time
 * before which no letter follows the last one; it is gone when that is over.
 */
export const dueEmails = sqliteTable(
	'letters_due',
	{
		userId: belongsTo('user_id', () => users.id),
		pace: text('pace', { enum: ['soon', 'daily'] }).notNull(),
		afterId: integer('after_id').notNull(),
		upToId: integer('up_to_id').notNull(),
		/** Who takes it to send it sets this ahead, so that nobody else does, and that it is tried again if they fail. */
		dueAt: integer('due_at').notNull(),
		/** How often it was taken. */
		tries: integer('tries').notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.pace] }), index('letters_due_by_time').on(table.dueAt)],
);

/** How far the notifications were looked through for letters: one row, since mail was first on. */
export const emailProgress = sqliteTable(
	'letter_progress',
	{
		id: integer('id').primaryKey(),
		upToId: integer('up_to_id').notNull(),
	},
	(table) => [check('letter_progress_one', sql`${table.id} = 1`)],
);
