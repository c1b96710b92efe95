import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';

/** Totals of a program per currency since it began, moved after each sale and refund through the queue. */
export const programMetrics = sqliteTable(
	'program_metrics',
	{
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		currency: text('currency').notNull(),
		sales: integer('sales').notNull(),
		revenueCents: integer('revenue_cents').notNull(),
		refundedCents: integer('refunded_cents').notNull(),
		commissionCents: integer('commission_cents').notNull(),
		deductedCents: integer('deducted_cents').notNull(),
		updatedAt: integer('updated_at').notNull(),
	},
	(table) => [primaryKey({ columns: [table.programId, table.currency] })],
);

/** One row per program, day of its time zone and currency; counts that have no currency stand in the program's own. */
export const dailyPerformance = sqliteTable(
	'daily_performance',
	{
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		/** YYYY-MM-DD. */
		day: text('day').notNull(),
		currency: text('currency').notNull(),
		clicks: integer('clicks').notNull().default(0),
		/** Customers with this signup_date, lead or conversion. */
		leads: integer('leads').notNull().default(0),
		/** Those of them that are still a lead. */
		openLeads: integer('open_leads').notNull().default(0),
		conversions: integer('conversions').notNull().default(0),
		partners: integer('partners').notNull().default(0),
		sales: integer('sales').notNull().default(0),
		revenueCents: integer('revenue_cents').notNull().default(0),
		refundedCents: integer('refunded_cents').notNull().default(0),
		commissionCents: integer('commission_cents').notNull().default(0),
		deductedCents: integer('deducted_cents').notNull().default(0),
		/** A raw row of the day changed after it was aggregated. */
		stale: integer('stale', { mode: 'boolean' }).notNull().default(false),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.day, table.currency] }),
		index('daily_performance_stale')
			.on(table.programId, table.day)
			.where(sql`${table.stale} = 1`),
		check('daily_performance_day_form', sql`${table.day} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`),
	],
);
