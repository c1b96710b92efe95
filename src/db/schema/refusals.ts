import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/**
 * Calls of a program that were refused, the newest 1,000 of 30 days, kept best-effort after the answer. The same again within the hour
 * counts one up. Personal: `click_id` and `customer_key` are a customer's, and an erase deletes their rows (the program's are few).
 */
export const refusals = sqliteTable(
	'refusals',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		/** Hours since the epoch. */
		hour: integer('hour').notNull(),
		/** Of all that was asked and answered. */
		fingerprint: text('fingerprint').notNull(),
		operation: text('operation', { enum: ['lead', 'sale', 'refund'] }).notNull(),
		/** `page`: a browser's call, without the program key. */
		source: text('source', { enum: ['backend', 'page'] }).notNull(),
		/** Of the answer. */
		status: integer('status').notNull(),
		/** Of domain/rejection.ts. */
		code: text('code').notNull(),
		/** The `error` that was answered, and what differs from what is recorded. */
		message: text('message').notNull(),
		/** As sent; null where it was missing or no identifier. */
		transactionId: text('transaction_id'),
		clickId: text('click_id'),
		customerKey: text('customer_key'),
		amountCents: integer('amount_cents'),
		currency: text('currency'),
		/** Nothing that the integration should correct. */
		isRoutine: integer('is_routine', { mode: 'boolean' }).notNull(),
		/** How often within the hour, at least: a flood is not counted to its end. */
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
