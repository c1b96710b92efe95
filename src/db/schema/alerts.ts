import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** What is or was wrong with the service: a row from when it was first seen until it was over. */
export const alerts = sqliteTable(
	'alerts',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		kind: text('kind', {
			enum: ['dead_letters', 'outbox_stuck', 'processor_events_late', 'postbacks_late', 'cron_silent', 'database_full', 'processor_silent'],
		}).notNull(),
		/** The kind, and of what it is one of several: of two ticks that see the same one writes it. */
		key: text('key').notNull(),
		/** Of one that concerns a program alone. */
		programId: integer('program_id').references(() => programs.id),
		/** JSON of what was seen then: figures and instants (domain/alert.ts). */
		facts: text('facts').notNull(),
		beganAt: integer('began_at').notNull(),
		endedAt: integer('ended_at'),
	},
	(table) => [
		uniqueIndex('alerts_open')
			.on(table.key)
			.where(sql`${table.endedAt} IS NULL`),
		check('alerts_facts_json', sql`json_valid(${table.facts})`),
		check('alerts_end_after_beginning', sql`${table.endedAt} >= ${table.beganAt}`),
	],
);

/** Who is told of the beginning and of the end of an alert, each once. The row stays, so that nobody is told again. */
export const alertMessages = sqliteTable(
	'alert_messages',
	{
		alertId: belongsTo('alert_id', () => alerts.id),
		phase: text('phase', { enum: ['begun', 'over'] }).notNull(),
		/** The user who gets a letter; 0: the webhook of the service. */
		recipient: integer('recipient').notNull(),
		/** Who takes it to send it sets this ahead, so that nobody else does, and that it is tried again if they fail. */
		dueAt: integer('due_at').notNull(),
		/** How often it was taken. */
		tries: integer('tries').notNull().default(0),
		sentAt: integer('sent_at'),
	},
	(table) => [
		primaryKey({ columns: [table.alertId, table.phase, table.recipient] }),
		index('alert_messages_due')
			.on(table.dueAt)
			.where(sql`${table.sentAt} IS NULL`),
		check('alert_messages_phase_known', sql`${table.phase} IN ('begun', 'over')`),
	],
);
