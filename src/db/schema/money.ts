import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { users } from './accounts.ts';
import { commissionRuleVersions } from './commission-rules.ts';
import { partnerPrograms } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';
import { runs } from './runs.ts';

// Amounts are minor units of `currency`. migrations/0001_invariants.sql has the triggers.

/** A state machine: commissions_transition refuses invalid transitions and any change of the amount. */
export const commissions = sqliteTable(
	'commissions',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		partnerProgramId: belongsTo('partner_program_id', () => partnerPrograms.id),
		saleId: integer('sale_id').notNull().unique(),
		/** The terms of the calculation. */
		ruleVersionId: belongsTo('rule_version_id', () => commissionRuleVersions.id),
		amountCents: integer('amount_cents').notNull(),
		currency: text('currency').notNull(),
		status: text('status', { enum: ['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'] }).notNull(),
		/** Deductions so far, before clamps; at most the amount. */
		deductedCents: integer('deducted_cents').notNull().default(0),
		/** A failed refund or a won dispute restores this state. */
		statusBeforeRefund: text('status_before_refund', { enum: ['pending', 'approved', 'paid'] }),
		refundReason: text('refund_reason'),
		rejectionReason: text('rejection_reason'),
		/** Equal to created_at without a hold. */
		holdUntil: integer('hold_until').notNull(),
		/** Refunds do not clear it, because the clamp depends on it. */
		paidAt: integer('paid_at'),
		payoutId: integer('payout_id').references(() => payouts.id),
		createdAt: integer('created_at').notNull(),
		createdDay: text('created_day').notNull(),
		/** Incremented by every change. A trigger refuses changes based on an older revision. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		index('commissions_by_program').on(table.programId, table.createdDay, table.id),
		index('commissions_by_partner_program').on(table.partnerProgramId, table.id),
		index('commissions_on_hold')
			.on(table.holdUntil)
			.where(sql`${table.status} = 'pending'`),
		// Payouts and balances read only unpaid commissions, however many were paid.
		index('commissions_unpaid')
			.on(table.programId, table.partnerProgramId)
			.where(sql`${table.paidAt} IS NULL AND ${table.status} IN ('pending', 'approved', 'refunded')`),
		index('commissions_by_payout')
			.on(table.payoutId)
			.where(sql`${table.payoutId} IS NOT NULL`),
		check('commissions_amount_range', sql`typeof(${table.amountCents}) = 'integer' AND ${table.amountCents} >= 0`),
		check(
			'commissions_deducted_range',
			sql`typeof(${table.deductedCents}) = 'integer' AND ${table.deductedCents} BETWEEN 0 AND ${table.amountCents}`,
		),
		check('commissions_status_known', sql`${table.status} IN ('pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded')`),
		check('commissions_reversed_whole', sql`${table.status} <> 'reversed' OR ${table.deductedCents} = ${table.amountCents}`),
		check('commissions_paid_by_payout', sql`(${table.paidAt} IS NULL) = (${table.payoutId} IS NULL)`),
		check('commissions_paid_dated', sql`${table.status} <> 'paid' OR ${table.paidAt} IS NOT NULL`),
		check('commissions_refund_from', sql`(${table.status} IN ('reversed', 'refunded')) = (${table.statusBeforeRefund} IS NOT NULL)`),
	],
);

/** One payment to a partner in one currency: made, then sent or failed. payouts_transition refuses other transitions. */
export const payouts = sqliteTable(
	'payouts',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		partnerProgramId: belongsTo('partner_program_id', () => partnerPrograms.id),
		currency: text('currency').notNull(),
		/** Commissions after deductions, plus the surplus. */
		dueCents: integer('due_cents').notNull(),
		/** Credits of failed refunds and won disputes that belong to no commission of this payout. */
		surplusCents: integer('surplus_cents').notNull().default(0),
		/** Withheld for an earlier debt. */
		recoveredCents: integer('recovered_cents').notNull(),
		/** What the partner receives. */
		amountCents: integer('amount_cents').notNull(),
		createdBy: integer('created_by').references(() => users.id),
		createdAt: integer('created_at').notNull(),
		opId: text('op_id').notNull(),
		/** Null for payouts older than this column. */
		commissionCount: integer('commission_count'),
		/** The run that made it (decision 64). */
		runId: integer('run_id').references(() => runs.id),
		/** According to the sender. */
		sentAt: integer('sent_at'),
		/** For example a transfer number. */
		sentReference: text('sent_reference'),
		/** The money never arrived. Final; a ledger entry credits the amount again (decision 19b). */
		failedAt: integer('failed_at'),
		failureReason: text('failure_reason'),
	},
	(table) => [
		uniqueIndex('payouts_one_per_partner').on(table.opId, table.partnerProgramId, table.currency),
		// A slice that runs twice pays once.
		uniqueIndex('payouts_once_per_run')
			.on(table.runId, table.partnerProgramId, table.currency)
			.where(sql`${table.runId} IS NOT NULL`),
		index('payouts_by_program').on(table.programId, table.id),
		index('payouts_by_partner_program').on(table.partnerProgramId, table.id),
		// Payouts in rare states.
		index('payouts_failed')
			.on(table.programId, table.id)
			.where(sql`${table.failedAt} IS NOT NULL`),
		index('payouts_unsent')
			.on(table.programId, table.id)
			.where(sql`${table.sentAt} IS NULL AND ${table.failedAt} IS NULL`),
		check(
			'payouts_sum',
			sql`${table.amountCents} >= 0 AND ${table.recoveredCents} >= 0 AND ${table.amountCents} + ${table.recoveredCents} = ${table.dueCents}`,
		),
		check(
			'payouts_surplus_part',
			sql`${table.surplusCents} BETWEEN 0 AND ${table.dueCents} AND (${table.surplusCents} = 0 OR ${table.recoveredCents} = 0)`,
		),
	],
);

/**
 * Sums of payouts that have something to send and have not failed, kept by triggers on payouts. They are only displayed and never decide a
 * payment.
 */
export const payoutSums = sqliteTable(
	'payout_sums',
	{
		programId: belongsTo('program_id', () => programs.id),
		/**
		 * The start of the quarter of an hour in which they were sent, in ms; 0 if they are not sent yet. In every time zone, a day starts
		 * with a quarter of an hour.
		 */
		sentFrom: integer('sent_from').notNull(),
		currency: text('currency').notNull(),
		payouts: integer('payouts').notNull(),
		amountCents: integer('amount_cents').notNull(),
	},
	// WITHOUT ROWID, which Drizzle cannot express: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.sentFrom, table.currency] })],
);

/** The only way that balances change. Append-only; a trigger updates the balance and refuses a broken chain. */
export const ledgerEntries = sqliteTable(
	'ledger_entries',
	{
		id: integer('id').primaryKey(),
		partnerProgramId: belongsTo('partner_program_id', () => partnerPrograms.id),
		currency: text('currency').notNull(),
		kind: text('kind', { enum: ['credit', 'reversal', 'reinstatement', 'rejection', 'payout', 'recovery', 'surplus', 'return'] }).notNull(),
		/** Null if the entry concerns only the payout. A trigger checks that the commission has the same account and currency. */
		commissionId: integer('commission_id'),
		payoutId: integer('payout_id').references(() => payouts.id),
		/** The amount due. */
		nominalCents: integer('nominal_cents').notNull(),
		/** The change of the balance, after the clamp. */
		appliedCents: integer('applied_cents').notNull(),
		balanceAfterCents: integer('balance_after_cents').notNull(),
		/** The op_id of the request. */
		operation: text('operation').notNull(),
		createdAt: integer('created_at').notNull(),
	},
	(table) => [
		// A commission has one credit, and one entry of each other kind per operation. Its migration, ledger_in_fewer_rows, was edited by
		// hand.
		uniqueIndex('ledger_entries_once')
			.on(table.commissionId, table.kind, sql`CASE ${table.kind} WHEN 'credit' THEN '' ELSE ${table.operation} END`)
			.where(sql`${table.commissionId} IS NOT NULL`),
		uniqueIndex('ledger_entries_once_beside')
			.on(table.payoutId, table.kind)
			.where(sql`${table.commissionId} IS NULL`),
		// The few entries where a clamp forgave an amount or a reinstatement withheld one (decision 51).
		index('ledger_entries_clamped')
			.on(table.partnerProgramId, table.currency)
			.where(sql`${table.kind} IN ('reversal', 'reinstatement') AND ${table.appliedCents} <> ${table.nominalCents}`),
		check(
			'ledger_entries_whole_cents',
			sql`typeof(${table.nominalCents}) = 'integer' AND typeof(${table.appliedCents}) = 'integer' AND typeof(${table.balanceAfterCents}) = 'integer'`,
		),
		check(
			'ledger_entries_direction',
			sql`CASE ${table.kind}
				WHEN 'credit' THEN ${table.nominalCents} >= 0 AND ${table.appliedCents} = ${table.nominalCents}
				WHEN 'reversal' THEN ${table.appliedCents} BETWEEN ${table.nominalCents} AND 0
				WHEN 'rejection' THEN ${table.appliedCents} BETWEEN ${table.nominalCents} AND 0
				WHEN 'reinstatement' THEN ${table.appliedCents} BETWEEN 0 AND ${table.nominalCents}
				WHEN 'payout' THEN ${table.nominalCents} <= 0 AND ${table.appliedCents} = ${table.nominalCents}
				WHEN 'recovery' THEN ${table.nominalCents} >= 0 AND ${table.appliedCents} = ${table.nominalCents}
				WHEN 'surplus' THEN ${table.appliedCents} = ${table.nominalCents}
				WHEN 'return' THEN ${table.nominalCents} > 0 AND ${table.appliedCents} = ${table.nominalCents}
				ELSE 0 END`,
		),
		check(
			'ledger_entries_subject',
			sql`(${table.kind} IN ('recovery', 'surplus', 'return')) = (${table.commissionId} IS NULL) AND (${table.kind} IN ('payout', 'recovery', 'surplus', 'return')) = (${table.payoutId} IS NOT NULL)`,
		),
	],
);
