import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/**
 * The newest 1,000 refused calls of the last 30 days, best-effort, after the response. A repeat within the hour increments the count. Rows
 * are personal data: an erasure deletes those with the customer's `click_id` or `customer_key`.
 */
export const refusals = sqliteTable(
	'refusals',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		/** Hours since the epoch. */
		hour: integer('hour').notNull(),
		/** A hash of the call and its response. */
		fingerprint: text('fingerprint').notNull(),
		operation: text('operation', { enum: ['lead', 'sale', 'refund'] }).notNull(),
		/** `page`: from a browser, without the program key. */
		source: text('source', { enum: ['backend', 'page'] }).notNull(),
		status: integer('status').notNull(),
		/** A code of domain/rejection.ts. */
		code: text('code').notNull(),
		/** The `error` of the response, and how the call differs from the recorded event. */
		message: text('message').notNull(),
		/** Unchanged; null if it was missing or no identifier. */
		transactionId: text('transaction_id'),
		clickId: text('click_id'),
		customerKey: text('customer_key'),
		amountCents: integer('amount_cents'),
		currency: text('currency'),
		/** The integration has nothing to fix. */
		isRoutine: integer('is_routine', { mode: 'boolean' }).notNull(),
		/** A lower bound, because floods are not counted exactly. */
		count: integer('count').notNull(),
		firstAt: integer('first_at').notNull(),
		lastAt: integer('last_at').notNull(),
	},
	(table) => [
		uniqueIndex('refusals_once_an_hour').on(table.programId, table.hour, table.fingerprint),
		check('refusals_operation_known', sql`${table.operation} IN ('lead', 'sale', 'refund')`),
		check('refusals_source_known', sql`${table.source} IN ('backend', 'page')`),
	],
);
