import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** Work on all commissions that match a filter, done in slices behind the request that started it (decision 64). */
export const runs = sqliteTable(
	'runs',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		kind: text('kind', { enum: ['pay', 'approve', 'reject'] }).notNull(),
		state: text('state', { enum: ['running', 'done', 'stopped', 'failed'] })
			.notNull()
			.default('running'),
		/** JSON of what the run was asked to do, as its kind reads it. A search text is removed when the run finishes. */
		selection: text('selection').notNull(),
		/** The highest commission id when the run started: the run leaves younger commissions alone. */
		untilId: integer('until_id').notNull(),
		/** Where the next slice begins, as the kind writes it. Null: at the beginning. */
		cursor: text('cursor'),
		/** How many things the run is expected to change, counted when it started. */
		expectedCount: integer('expected_count').notNull(),
		/** JSON of numbers by name, added up slice by slice. */
		counts: text('counts').notNull().default('{}'),
		/** JSON of minor units by currency, added up slice by slice. */
		sums: text('sums').notNull().default('{}'),
		/** The request that started it. */
		opId: text('op_id').notNull(),
		createdBy: belongsTo('created_by', () => users.id),
		createdAt: integer('created_at').notNull(),
		finishedAt: integer('finished_at'),
		/** Why it failed. */
		failureReason: text('failure_reason'),
		/** One consumer at a time works on the run. Cron continues a run whose lease expired a while ago. */
		leaseUntil: integer('lease_until').notNull(),
		/** Slices in a row that failed. */
		failures: integer('failures').notNull().default(0),
		/** Raised with every lease and slice, so that a consumer who lost the lease cannot write its slice. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		index('runs_by_program').on(table.programId, table.id),
		// Cron looks through it for runs to continue.
		uniqueIndex('runs_one_at_a_time')
			.on(table.programId, table.kind)
			.where(sql`${table.state} = 'running'`),
		check('runs_selection_json', sql`json_valid(${table.selection})`),
		check('runs_counts_json', sql`json_valid(${table.counts}) AND json_valid(${table.sums})`),
		check('runs_finish_dated', sql`(${table.state} = 'running') = (${table.finishedAt} IS NULL)`),
	],
);

/** What a run did for each account, written with the slice that did it. WITHOUT ROWID, which Drizzle cannot say: see its migration. */
export const runResults = sqliteTable(
	'run_results',
	{
		runId: belongsTo('run_id', () => runs.id),
		outcome: text('outcome').notNull(),
		partnerProgramId: integer('partner_program_id').notNull(),
		currency: text('currency').notNull(),
		/** JSON of numbers by name. */
		detail: text('detail').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.runId, table.outcome, table.partnerProgramId, table.currency] }),
		check('run_results_detail_json', sql`json_valid(${table.detail})`),
	],
);
