import { sql } from 'drizzle-orm';
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// What the status of an integration asks and no other table tells.

/** When each kind of timed work last came to its end. */
export const cronRuns = sqliteTable('cron_runs', {
	name: text('name').primaryKey(),
	ranAt: integer('ran_at').notNull(),
});

/** Origins whose pages were lately refused by a program: the last few, kept best-effort, after the answer. */
export const refusedOrigins = sqliteTable(
	'refused_origins',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** As a browser sends it; `null` of a page that has none. */
		origin: text('origin').notNull(),
		refusedAt: integer('refused_at').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.origin] }),
		check('refused_origins_length', sql`length(${table.origin}) BETWEEN 1 AND 267`),
	],
);

/**
 * Leads of a program's pages that were refused as its backend had recorded their customer without a click: counted since `since`,
 * anew after a day without one. Kept best-effort, after the answer.
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
 * Webhooks of a payment processor whose signature failed: two rows for each processor at most, counted since `since`. Best-effort, after
 * the answer. Nothing of what was sent is kept, because anybody may have sent it.
 */
export const signatureFailures = sqliteTable(
	'signature_failures',
	{
		programId: belongsTo('program_id', () => programs.id),
		processor: text('processor').notNull(),
		/** `timestamp`: one of the secrets signed it, but too long ago or in the future. */
		kind: text('kind', { enum: ['mismatch', 'timestamp'] }).notNull(),
		/** At least: a flood is not counted exactly. */
		failures: integer('failures').notNull(),
		since: integer('since').notNull(),
		lastAt: integer('last_at').notNull(),
		/** How far the signed time of the last one was ahead of ours; ms, negative if it was behind. Null for a mismatch. */
		offsetMs: integer('offset_ms'),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.processor, table.kind] }),
		check('signature_failures_kind_known', sql`${table.kind} IN ('mismatch', 'timestamp')`),
		check('signature_failures_offset_given', sql`(${table.kind} = 'timestamp') = (${table.offsetMs} IS NOT NULL)`),
	],
);

/**
 * Fields of calls with the program key that look like misspelt ones, with how many calls had them since when. Only those of the last
 * day. Kept best-effort, after the answer.
 */
export const misspeltFields = sqliteTable(
	'misspelt_fields',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** `click`, `lead`, `sale` or `refund`. */
		operation: text('operation').notNull(),
		field: text('field').notNull(),
		/** The field that it looks like. */
		meant: text('meant').notNull(),
		calls: integer('calls').notNull(),
		since: integer('since').notNull(),
		lastAt: integer('last_at').notNull(),
	},
	(table) => [primaryKey({ columns: [table.programId, table.operation, table.field] })],
);
