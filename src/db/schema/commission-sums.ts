import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** Programs and partners with so many commissions that their sums are stored (decision 63). Other sums are computed on request. */
export const commissionSumScopes = sqliteTable(
	'commission_sum_scopes',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** 0 for all partners of the program. */
		partnerProgramId: integer('partner_program_id').notNull(),
		/** YYYY-MM-DD. Sums include earlier days. Cron advances it up to ALL_DAYS. */
		summedBefore: text('summed_before').notNull().default(''),
	},
	// WITHOUT ROWID, which Drizzle cannot express: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.partnerProgramId] })],
);

/**
 * A scope's sums by day, currency and state, exact together with the outbox's deltas. They are only displayed and never decide a payment.
 */
export const commissionSums = sqliteTable(
	'commission_sums',
	{
		programId: belongsTo('program_id', () => programs.id),
		partnerProgramId: integer('partner_program_id').notNull(),
		/** YYYY-MM-DD. */
		day: text('day').notNull(),
		currency: text('currency').notNull(),
		pendingCount: integer('pending_count').notNull().default(0),
		pendingAmountCents: integer('pending_amount_cents').notNull().default(0),
		pendingDeductedCents: integer('pending_deducted_cents').notNull().default(0),
		approvedCount: integer('approved_count').notNull().default(0),
		approvedAmountCents: integer('approved_amount_cents').notNull().default(0),
		approvedDeductedCents: integer('approved_deducted_cents').notNull().default(0),
		paidCount: integer('paid_count').notNull().default(0),
		paidAmountCents: integer('paid_amount_cents').notNull().default(0),
		paidDeductedCents: integer('paid_deducted_cents').notNull().default(0),
		rejectedCount: integer('rejected_count').notNull().default(0),
		rejectedAmountCents: integer('rejected_amount_cents').notNull().default(0),
		rejectedDeductedCents: integer('rejected_deducted_cents').notNull().default(0),
		reversedCount: integer('reversed_count').notNull().default(0),
		reversedAmountCents: integer('reversed_amount_cents').notNull().default(0),
		reversedDeductedCents: integer('reversed_deducted_cents').notNull().default(0),
		refundedCount: integer('refunded_count').notNull().default(0),
		refundedAmountCents: integer('refunded_amount_cents').notNull().default(0),
		refundedDeductedCents: integer('refunded_deducted_cents').notNull().default(0),
	},
	// WITHOUT ROWID, which Drizzle cannot express: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.partnerProgramId, table.day, table.currency] })],
);
