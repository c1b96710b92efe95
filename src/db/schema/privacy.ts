import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** What was erased of whom: never who it was. */
export const erasures = sqliteTable(
	'erasures',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		requestedBy: belongsTo('requested_by', () => users.id),
		requestedAt: integer('requested_at').notNull(),
		/** JSON: how much of what. */
		counts: text('counts').notNull(),
		/** JSON of what is looked for and how far (privacy/sweep.ts), under AES-GCM with the Worker's secret; null once it is over. */
		sealedSearch: text('sealed_search'),
		/** When it is looked for again, as queues may still hold some of it; null once it is over. */
		nextSweepAt: integer('next_sweep_at'),
		/** Raised by one with every sweep, so that of two at once one counts. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		index('erasures_by_program').on(table.programId, table.id),
		index('erasures_due')
			.on(table.nextSweepAt)
			.where(sql`${table.nextSweepAt} IS NOT NULL`),
		check('erasures_counts_json', sql`json_valid(${table.counts})`),
		check('erasures_open', sql`(${table.sealedSearch} IS NULL) = (${table.nextSweepAt} IS NULL)`),
	],
);

/** Keyed hashes of ids that were erased, so that what comes late by one of them brings nobody back. Gone after 400 days. */
export const erasedIds = sqliteTable(
	'erased_ids',
	{
		programId: belongsTo('program_id', () => programs.id),
		hash: text('hash').notNull(),
		erasedAt: integer('erased_at').notNull(),
		/** Of a click: whether its row was stored by then. What a queue delivers of it again is none. */
		clickStored: integer('click_stored', { mode: 'boolean' }).notNull().default(false),
	},
	(table) => [primaryKey({ columns: [table.programId, table.hash] }), index('erased_ids_by_age').on(table.erasedAt)],
);
