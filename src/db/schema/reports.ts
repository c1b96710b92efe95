import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/**
 * One row per program, day of its time zone and currency; counts that have no currency stand in the program's own, so that
 * a day mostly is one row. With the moves that wait in the outbox they are exact at all times. Whoever inserts clicks counts them
 * (clicks/store-clicks.ts).
 */
export const dailyPerformance = sqliteTable(
	'daily_performance',
	{
		programId: belongsTo('program_id', () => programs.id),
		/** YYYY-MM-DD. */
		day: text('day').notNull(),
		currency: text('currency').notNull(),
		/** Neither test clicks nor bots. */
		clicks: integer('clicks').notNull().default(0),
		/** Customers with this signup_date, lead or conversion. */
		leads: integer('leads').notNull().default(0),
		/** Those of them that are still a lead. */
		openLeads: integer('open_leads').notNull().default(0),
		/** Customers with this first_purchase_date. */
		conversions: integer('conversions').notNull().default(0),
		/** Partner-programs with this created_day. */
		partners: integer('partners').notNull().default(0),
		/** Real sales with this sale_day that are no duplicates, what they came to, and what has been refunded of them since. */
		sales: integer('sales').notNull().default(0),
		revenueCents: integer('revenue_cents').notNull().default(0),
		refundedCents: integer('refunded_cents').notNull().default(0),
		/** Their commissions with this created_day, and what refunds and rejections have taken back of them since. */
		commissionCents: integer('commission_cents').notNull().default(0),
		deductedCents: integer('deducted_cents').notNull().default(0),
	},
	// WITHOUT ROWID, which Drizzle cannot say: see migrations/0000.
	(table) => [primaryKey({ columns: [table.programId, table.day, table.currency] })],
);

/**
 * The daily rows by one thing at a time: what a program has of one day in one currency under one value of a dimension. What stands
 * under no value is what is left of daily_performance, and has no row. Only sales have a product: there are no counts of clicks and
 * customers. A partner has what its links have. Kept like daily_performance.
 */
export const dailyBreakdown = sqliteTable(
	'daily_breakdown',
	{
		programId: belongsTo('program_id', () => programs.id),
		dimension: text('dimension', { enum: ['link', 'product', 'country', 'source'] }).notNull(),
		/** YYYY-MM-DD. */
		day: text('day').notNull(),
		/** The id of the link, the product_id, the country's code, the referring host or `other`. */
		value: text('value').notNull(),
		currency: text('currency').notNull(),
		/** As in daily_performance. Customers, their sales and commissions stand under the customer's attribution. */
		clicks: integer('clicks').notNull().default(0),
		leads: integer('leads').notNull().default(0),
		conversions: integer('conversions').notNull().default(0),
		sales: integer('sales').notNull().default(0),
		revenueCents: integer('revenue_cents').notNull().default(0),
		refundedCents: integer('refunded_cents').notNull().default(0),
		commissionCents: integer('commission_cents').notNull().default(0),
		deductedCents: integer('deducted_cents').notNull().default(0),
	},
	// A report reads the days of one dimension. WITHOUT ROWID, which Drizzle cannot say: see migrations/0005.
	(table) => [primaryKey({ columns: [table.programId, table.dimension, table.day, table.value, table.currency] })],
);

/**
 * The rows of the breakdown for whole months that are over, so that a report over years does not read each of their days (decision
 * 63). They are read only for months that breakdown_months names.
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
	// WITHOUT ROWID, which Drizzle cannot say: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.dimension, table.month, table.value, table.currency] })],
);

/** The months whose rows are the sum of their days. Whoever changes a day otherwise than by adding to both deletes its month here. */
export const breakdownMonths = sqliteTable(
	'breakdown_months',
	{
		programId: belongsTo('program_id', () => programs.id),
		dimension: text('dimension', { enum: ['link', 'product', 'country', 'source'] }).notNull(),
		/** YYYY-MM. */
		month: text('month').notNull(),
	},
	// WITHOUT ROWID, which Drizzle cannot say: see the migration.
	(table) => [primaryKey({ columns: [table.programId, table.dimension, table.month] })],
);
