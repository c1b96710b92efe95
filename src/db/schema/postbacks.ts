import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { partnerPrograms } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** A URL of a partner's system that receives their leads and sales, one per membership. */
export const postbacks = sqliteTable(
	'postbacks',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerProgramId: belongsTo('partner_program_id', () => partnerPrograms.id),
		/** With placeholders (domain/webhooks/postback.ts). */
		url: text('url').notNull(),
		/** JSON list. */
		events: text('events').notNull(),
		createdAt: integer('created_at').notNull(),
		/** The program disabled it, it answered 410, or it failed for too long. */
		disabledAt: integer('disabled_at'),
		disabledFor: text('disabled_for', { enum: ['program', 'gone', 'failing'] }),
		/** Since the last success. */
		failures: integer('failures').notNull().default(0),
		failingSince: integer('failing_since'),
		/** No calls before this time, because recent ones failed. */
		restsUntil: integer('rests_until'),
		/** Final. Its deliveries are purged over time. */
		deletedAt: integer('deleted_at'),
	},
	(table) => [
		uniqueIndex('postbacks_one_of_membership')
			.on(table.partnerProgramId)
			.where(sql`${table.deletedAt} IS NULL`),
		index('postbacks_by_program')
			.on(table.programId)
			.where(sql`${table.deletedAt} IS NULL AND ${table.disabledAt} IS NULL`),
		check('postbacks_events_list', sql`json_type(${table.events}) = 'array'`),
		check('postbacks_disabled_for', sql`(${table.disabledAt} IS NULL) = (${table.disabledFor} IS NULL)`),
		check('postbacks_failing_since', sql`(${table.failures} = 0) = (${table.failingSince} IS NULL)`),
	],
);

/**
 * Calls to a postback, written in the batch that applies the change. Click and sub_id are read when the call is sent, so that an erasure
 * covers them too.
 */
export const postbackDeliveries = sqliteTable(
	'postback_deliveries',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		postbackId: belongsTo('postback_id', () => postbacks.id),
		/** The outbox row that caused it; `lead` for a lead, because a customer signs up once. */
		operation: text('operation').notNull(),
		event: text('event', { enum: ['lead', 'sale', 'reversed', 'reinstated'] }).notNull(),
		/** The lead's customer, the sale's or rejection's commission, or the refund; 0 for a test. */
		subjectId: integer('subject_id').notNull(),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		customerId: integer('customer_id'),
		amountCents: integer('amount_cents').notNull(),
		currency: text('currency').notNull(),
		state: text('state', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
		attempts: integer('attempts').notNull().default(0),
		/** When it is due or, during a call, when another sender may take over. */
		nextAttemptAt: integer('next_attempt_at'),
		lastAttemptAt: integer('last_attempt_at'),
		/** The last attempt: its status, and the beginning of the response or the error. */
		lastStatus: integer('last_status'),
		lastResponse: text('last_response'),
		lastError: text('last_error', { enum: ['status', 'redirect', 'timeout', 'unreachable', 'address', 'disabled'] }),
		createdAt: integer('created_at').notNull(),
	},
	(table) => [
		uniqueIndex('postback_deliveries_once').on(table.postbackId, table.operation, table.event, table.subjectId),
		index('postback_deliveries_by_postback').on(table.postbackId, table.id),
		index('postback_deliveries_due')
			.on(table.postbackId, table.nextAttemptAt)
			.where(sql`${table.state} = 'pending'`),
		check('postback_deliveries_state_known', sql`${table.state} IN ('pending', 'delivered', 'failed')`),
		check('postback_deliveries_pending_due', sql`(${table.state} = 'pending') = (${table.nextAttemptAt} IS NOT NULL)`),
		check('postback_deliveries_response_length', sql`length(${table.lastResponse}) <= 1024`),
	],
);
