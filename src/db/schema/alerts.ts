import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** A problem of the service, from its first observation to its end. */
export const alerts = sqliteTable(
	'alerts',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		kind: text('kind', {
			enum: ['dead_letters', 'outbox_stuck', 'processor_events_late', 'postbacks_late', 'cron_silent', 'database_full', 'processor_silent'],
		}).notNull(),
		/** The kind and, if there can be several problems of it, which one. If two ticks see one problem, only one writes it. */
		key: text('key').notNull(),
		/** Set if the problem concerns a single program. */
		programId: integer('program_id').references(() => programs.id),
		/** JSON of the first observation (domain/monitoring/alert.ts). */
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

/** One message per start or end of an alert and recipient. Rows stay, so that nobody is notified twice. */
export const alertMessages = sqliteTable(
	'alert_messages',
	{
		alertId: belongsTo('alert_id', () => alerts.id),
		phase: text('phase', { enum: ['begun', 'over'] }).notNull(),
		/** The user who gets an email; 0 for the service's webhook. */
		recipient: integer('recipient').notNull(),
		/** A sender postpones it as a lease, so that nobody else sends the message, and it is retried if the sender fails. */
		dueAt: integer('due_at').notNull(),
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
