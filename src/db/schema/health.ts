import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// Facts for an integration's status that no other table holds.

/** When each cron job last completed. */
export const cronRuns = sqliteTable('cron_runs', {
	name: text('name').primaryKey(),
	ranAt: integer('ran_at').notNull(),
});

/** The last refused page origins of a program. Best-effort, after the response. */
export const refusedOrigins = sqliteTable(
	'refused_origins',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** As the browser sent it; `null` for a page without an origin. */
		origin: text('origin').notNull(),
		refusedAt: integer('refused_at').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.origin] }),
		check('refused_origins_length', sql`length(${table.origin}) BETWEEN 1 AND 267`),
	],
);

/**
 * Leads from pages that were refused because the backend had recorded the customer without a click. Counted from `since`, and reset after a
 * day without one. Best-effort, after the response.
 */
export const uncreditedLeads = sqliteTable('uncredited_leads', {
	programId: integer('program_id')
		.primaryKey()
		.references(() => programs.id),
	leads: integer('leads').notNull(),
	since: integer('since').notNull(),
	lastAt: integer('last_at').notNull(),
});

/**
 * Webhooks with a wrong signature: at most two rows per processor, counted from `since`, best-effort. Without content, because anybody may
 * have sent it.
 */
export const signatureFailures = sqliteTable(
	'signature_failures',
	{
		programId: belongsTo('program_id', () => programs.id),
		processor: text('processor').notNull(),
		/** `timestamp`: the right secret, but a time too far in the past or future. */
		kind: text('kind', { enum: ['mismatch', 'timestamp'] }).notNull(),
		/** A lower bound, because floods are not counted exactly. */
		failures: integer('failures').notNull(),
		since: integer('since').notNull(),
		lastAt: integer('last_at').notNull(),
		/** How many ms the last signed time was ahead of our clock; negative if behind. Null for a mismatch. */
		offsetMs: integer('offset_ms'),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.processor, table.kind] }),
		check('signature_failures_kind_known', sql`${table.kind} IN ('mismatch', 'timestamp')`),
		check('signature_failures_offset_given', sql`(${table.kind} = 'timestamp') = (${table.offsetMs} IS NOT NULL)`),
	],
);

/** Misspelt fields, and how many calls sent them in the last day. Best-effort, after the response. */
export const misspeltFields = sqliteTable(
	'misspelt_fields',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** `click`, `lead`, `sale` or `refund`. */
		operation: text('operation').notNull(),
		field: text('field').notNull(),
		/** The probable field. */
		meant: text('meant').notNull(),
		calls: integer('calls').notNull(),
		since: integer('since').notNull(),
		lastAt: integer('last_at').notNull(),
	},
	(table) => [primaryKey({ columns: [table.programId, table.operation, table.field] })],
);
