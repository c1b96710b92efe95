import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/**
 * One row per program, day and currency, exact together with the outbox's deltas. Counts are in the row of the program's currency, so most
 * days have one row. Clicks are counted when they are stored (clicks/store-clicks.ts).
 */
export const dailyPerformance = sqliteTable(
	'daily_performance',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** YYYY-MM-DD. */
		day: text('day').notNull(),
		currency: text('currency').notNull(),
		/** Without tests and bots. */
		clicks: integer('clicks').notNull().default(0),
		/** Customers with this signup_date, lead or conversion. */
		leads: integer('leads').notNull().default(0),
		/** Leads that have not converted yet. */
		openLeads: integer('open_leads').notNull().default(0),
		/** Customers with this first_purchase_date. */
		conversions: integer('conversions').notNull().default(0),
		/** Partner-programs with this created_day. */
		partners: integer('partners').notNull().default(0),
		/** Real sales of this sale_day without duplicates, their amount, and their refunds so far. */
		sales: integer('sales').notNull().default(0),
		revenueCents: integer('revenue_cents').notNull().default(0),
		refundedCents: integer('refunded_cents').notNull().default(0),
		/** Commissions of this created_day, and what refunds and rejections have deducted since. */
		commissionCents: integer('commission_cents').notNull().default(0),
		deductedCents: integer('deducted_cents').notNull().default(0),
	},
	// WITHOUT ROWID, which Drizzle cannot express: see migrations/0000.
	(table) => [primaryKey({ columns: [table.programId, table.day, table.currency] })],
);

/**
 * The daily rows, split by one dimension at a time and updated like daily_performance. Events without a value have no row; they are the
 * difference from daily_performance. Only sales have a product. A partner's figures are the sum of its links.
 */
export const dailyBreakdown = sqliteTable(
	'daily_breakdown',
	{
		programId: belongsTo('program_id', () => programs.id),
		dimension: text('dimension', { enum: ['link', 'product', 'country', 'source'] }).notNull(),
		/** YYYY-MM-DD. */
		day: text('day').notNull(),
		/** The link id, product_id, country code, referring host or `other`. */
		value: text('value').notNull(),
		currency: text('currency').notNull(),
		/** The same as in daily_performance. Customers, sales and commissions count for the customer's attribution. */
		clicks: integer('clicks').notNull().default(0),
		leads: integer('leads').notNull().default(0),
		conversions: integer('conversions').notNull().default(0),
		sales: integer('sales').notNull().default(0),
		revenueCents: integer('revenue_cents').notNull().default(0),
		refundedCents: integer('refunded_cents').notNull().default(0),
		commissionCents: integer('commission_cents').notNull().default(0),
		deductedCents: integer('deducted_cents').notNull().default(0),
	},
	// A report reads the days of one dimension. WITHOUT ROWID, which Drizzle cannot express: see migrations/0005.
	(table) => [primaryKey({ columns: [table.programId, table.dimension, table.day, table.value, table.currency] })],
);

/**
 * The breakdown of closed months, so that a report over years does not read every day (decision 63). Valid only for months in
 * breakdown_months.
 */
export const monthlyBreakdown = sqliteTable(
	'monthly_breakdown',
	{
		programId: belongsTo('program_id', () => programs.id),
		dimension: text('dimension', { enum: ['link', 'product', 'country', 'source'] }).notNull(),
		/** YYYY-MM. */
		month: text('month').notNull(),
		value: text('value').notNull(),
		currency: text('currency').notNull(),
		/** The last day with a click, lead, conversion or sale. */
		lastDay: text('last_day'),
		clicks: integer('clicks').notNull().default(0),
		leads: integer('leads').notNull().default(0),
		conversions: integer('conversions').notNull().default(0),
		sales: integer('sales').notNull().default(0),
		revenueCents: integer('revenue_cents').notNull().default(0),
		refundedCents: integer('refunded_cents').notNull().default(0),
		commissionCents: integer('commission_cents').notNull().default(0),
		deductedCents: integer('deducted_cents').notNull().default(0),
	},
	// WITHOUT ROWID, which Drizzle cannot express: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.dimension, table.month, table.value, table.currency] })],
);

/** Months whose rows are the sum of their days. If a day changes but its month does not, the month is deleted here. */
export const breakdownMonths = sqliteTable(
	'breakdown_months',
	{
		programId: belongsTo('program_id', () => programs.id),
		dimension: text('dimension', { enum: ['link', 'product', 'country', 'source'] }).notNull(),
		/** YYYY-MM. */
		month: text('month').notNull(),
	},
	// WITHOUT ROWID, which Drizzle cannot express: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.dimension, table.month] })],
);
