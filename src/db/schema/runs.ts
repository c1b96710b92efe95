import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** Work on everything that matches a filter, in slices after the request (decision 64). */
export const runs = sqliteTable(
	'runs',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		kind: text('kind', { enum: ['pay', 'approve', 'reject'] }).notNull(),
		state: text('state', { enum: ['running', 'done', 'stopped', 'failed'] })
			.notNull()
			.default('running'),
		/** JSON in the format of its kind. The search text is removed when the run finishes. */
		selection: text('selection').notNull(),
		/** The highest commission id at the start; the run ignores newer ones. */
		untilId: integer('until_id').notNull(),
		/** In the format of its kind. Null before the first slice. */
		cursor: text('cursor'),
		/** Counted at the start. */
		expectedCount: integer('expected_count').notNull(),
		/** JSON of numbers by name, over all slices. */
		counts: text('counts').notNull().default('{}'),
		/** JSON of minor units by currency, over all slices. */
		sums: text('sums').notNull().default('{}'),
		/** The request that started it. */
		opId: text('op_id').notNull(),
		createdBy: belongsTo('created_by', () => users.id),
		createdAt: integer('created_at').notNull(),
		finishedAt: integer('finished_at'),
		failureReason: text('failure_reason'),
		/** Only one consumer works on a run at a time. Cron continues a run some time after its lease has expired. */
		leaseUntil: integer('lease_until').notNull(),
		/** Consecutive failed slices. */
		failures: integer('failures').notNull().default(0),
		/** Incremented by every lease and slice, so that a consumer without the lease cannot write. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		index('runs_by_program').on(table.programId, table.id),
		// Cron also uses this index to find runs to continue.
		uniqueIndex('runs_one_at_a_time')
			.on(table.programId, table.kind)
			.where(sql`${table.state} = 'running'`),
		check('runs_selection_json', sql`json_valid(${table.selection})`),
		check('runs_counts_json', sql`json_valid(${table.counts}) AND json_valid(${table.sums})`),
		check('runs_finish_dated', sql`(${table.state} = 'running') = (${table.finishedAt} IS NULL)`),
	],
);

/** What a run did with each account, written with the slice. WITHOUT ROWID, which Drizzle cannot express: see its migration. */
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
