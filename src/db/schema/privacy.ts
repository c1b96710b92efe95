import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** Counts what was erased, but never says whose data it was. */
export const erasures = sqliteTable(
	'erasures',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		requestedBy: belongsTo('requested_by', () => users.id),
		requestedAt: integer('requested_at').notNull(),
		/** JSON: counts by kind. */
		counts: text('counts').notNull(),
		/**
		 * JSON of what to search for and of the search's progress (privacy/sweep-erasures.ts), encrypted by AES-GCM with the Worker's
		 * secret; null once finished.
		 */
		sealedSearch: text('sealed_search'),
		/** Queues may still hold data, so the search repeats; null once finished. */
		nextSweepAt: integer('next_sweep_at'),
		/** Incremented by every sweep, so that only one of two concurrent sweeps is stored. */
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

/** Keyed hashes, so that late messages do not recreate the person. Kept for 400 days. */
export const erasedIds = sqliteTable(
	'erased_ids',
	{
		programId: belongsTo('program_id', () => programs.id),
		hash: text('hash').notNull(),
		erasedAt: integer('erased_at').notNull(),
		/** The erased click had been stored, and a queue may deliver it again. */
		clickStored: integer('click_stored', { mode: 'boolean' }).notNull().default(false),
	},
	(table) => [primaryKey({ columns: [table.programId, table.hash] }), index('erased_ids_by_age').on(table.erasedAt)],
);
