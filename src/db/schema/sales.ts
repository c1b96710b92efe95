import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { coupons } from './coupons.ts';
import { partnerPrograms } from './partners.ts';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// Days (`*_day`, `*_date`) are YYYY-MM-DD in the program's time zone.

export const affiliateSaleEvents = sqliteTable(
	'affiliate_sale_events',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		/**
		 * The integrator's transaction_id, unique within its `id_scope`, separately for real and test sales. The contract names the column
		 * (section 2); in other tables `processor_event_id` refers to an event of the inbox.
		 */
		transactionId: text('processor_event_id').notNull(),
		/** The program that owns the transaction_id (decision 55); 0 if it is unique across all programs. */
		idScope: integer('id_scope').notNull().default(0),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** Null for test sales. */
		customerId: integer('customer_id'),
		/** The attribution at the time of the sale. */
		partnerProgramId: integer('partner_program_id').references(() => partnerPrograms.id),
		amountCents: integer('amount_cents').notNull(),
		currency: text('currency').notNull(),
		saleType: text('sale_type', { enum: ['payment', 'subscription'] }).notNull(),
		isRecurring: integer('is_recurring', { mode: 'boolean' }).notNull(),
		subscriptionId: text('subscription_id'),
		subscriptionInterval: text('subscription_interval', { enum: ['monthly', 'quarterly', 'annual'] }),
		productId: text('product_id'),
		/** JSON as submitted. */
		lineItems: text('line_items'),
		/** In the attribution window. Renewals look for an earlier sale that was. */
		insideWindow: integer('inside_window', { mode: 'boolean' }).notNull(),
		/**
		 * JSON of the facts behind the decision (domain/commissions/decision-facts.ts), without personal data. Null for tests and for sales
		 * older than these facts.
		 */
		decisionFacts: text('decision_facts'),
		/** `failed`: cron will create the commission; `none`: see no_commission_reason. */
		commissionState: text('commission_state', { enum: ['made', 'none', 'failed'] }).notNull(),
		noCommissionReason: text('no_commission_reason'),
		/** JSON of the commission, if creating it failed. */
		owedCommission: text('owed_commission'),
		/** Reconciled from endpoint and processor; at most the sale's amount. */
		refundedCents: integer('refunded_cents').notNull().default(0),
		/** Reported by the endpoint; at most the sale's amount. */
		reportedRefundCents: integer('reported_refund_cents').notNull().default(0),
		/** What the processor charged, with tax. Refunds are shares of it. Null if no processor reported it. */
		chargedCents: integer('charged_cents'),
		/** The currency of `charged_cents`; null in older rows. */
		chargedCurrency: text('charged_currency'),
		/** A payment of another invoice is another sale, even if they share other ids. */
		invoiceId: text('invoice_id'),
		/** The earliest sale of the same payment, and never another duplicate. A duplicate is fully reversed and not counted. */
		duplicateOfSaleId: integer('duplicate_of_sale_id'),
		createdAt: integer('created_at').notNull(),
		saleDay: text('sale_day').notNull(),
		/** The request that wrote the row. A real sale is also unique by its transaction_id. */
		opId: text('op_id').notNull(),
		/** Incremented by every change. A trigger refuses changes based on an older revision. */
		revision: integer('revision').notNull().default(0),
		/** The sale's coupon, if it belongs to the sale's partner. A trigger checks that. */
		couponId: integer('coupon_id').references(() => coupons.id),
	},
	(table) => [
		uniqueIndex('affiliate_sale_events_one_per_transaction').on(table.transactionId, table.isTest, table.idScope),
		uniqueIndex('affiliate_sale_events_op_id_unique')
			.on(table.opId)
			.where(sql`${table.isTest} = 1`),
		index('affiliate_sale_events_by_program').on(table.programId, table.createdAt),
		index('affiliate_sale_events_tests')
			.on(table.programId, table.isTest, table.createdAt)
			.where(sql`${table.isTest} = 1`),
		index('affiliate_sale_events_by_subscription')
			.on(table.programId, table.subscriptionId, table.customerId)
			.where(sql`${table.subscriptionId} IS NOT NULL`),
		index('affiliate_sale_events_by_customer').on(table.customerId),
		index('affiliate_sale_events_by_coupon')
			.on(table.couponId)
			.where(sql`${table.couponId} IS NOT NULL`),
		index('affiliate_sale_events_duplicates')
			.on(table.duplicateOfSaleId)
			.where(sql`${table.duplicateOfSaleId} IS NOT NULL`),
		index('affiliate_sale_events_without_commission')
			.on(table.createdAt)
			.where(sql`${table.commissionState} = 'failed'`),
		check(
			'affiliate_sale_events_amount_range',
			sql`typeof(${table.amountCents}) = 'integer' AND ${table.amountCents} BETWEEN (${table.isTest} = 0) AND 99999999999`,
		),
		check(
			'affiliate_sale_events_refunded_range',
			sql`typeof(${table.refundedCents}) = 'integer' AND ${table.refundedCents} BETWEEN 0 AND ${table.amountCents}`,
		),
		check('affiliate_sale_events_facts_json', sql`json_valid(${table.decisionFacts})`),
		check('affiliate_sale_events_customer_real', sql`(${table.isTest} = 1) = (${table.customerId} IS NULL)`),
		check('affiliate_sale_events_reason_given', sql`(${table.commissionState} = 'none') = (${table.noCommissionReason} IS NOT NULL)`),
		check('affiliate_sale_events_owed_given', sql`(${table.commissionState} = 'failed') = (${table.owedCommission} IS NOT NULL)`),
		check('affiliate_sale_events_transaction_named', sql`length(${table.transactionId}) BETWEEN 1 AND 255`),
	],
);

/**
 * Other ids of a sale's payment (intent, charge, invoice, checkout session). Sent as a transaction_id, one refers to this sale. Triggers
 * refuse an id that is both an alias and a transaction_id.
 */
export const saleAliases = sqliteTable(
	'sale_aliases',
	{
		alias: text('alias').notNull(),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		saleId: integer('sale_id').notNull(),
		createdAt: integer('created_at').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.alias, table.isTest] }),
		check('sale_aliases_alias_named', sql`length(${table.alias}) BETWEEN 1 AND 255`),
	],
);

/**
 * Refunds and disputes of a real sale by their processor ids, and the totals of its charges. Their order makes no difference for the
 * refunded amount.
 */
export const paymentReversals = sqliteTable(
	'payment_reversals',
	{
		saleId: integer('sale_id').notNull(),
		kind: text('kind', { enum: ['refund', 'dispute', 'total'] }).notNull(),
		/**
		 * The processor's id. If the processor reports only a total, the id is made up of the charge, the time and the amount
		 * (domain/refunds/refunded-amount.ts).
		 */
		reversalId: text('reversal_id').notNull(),
		/** Minor units of `currency`, the currency of the charge. */
		amountCents: integer('amount_cents').notNull(),
		currency: text('currency').notNull(),
		/** When the refund or dispute was made, or the time of the total. */
		happenedAt: integer('happened_at').notNull(),
		/** When the refund failed or the dispute was won. */
		undoneAt: integer('undone_at'),
		/**
		 * The latest event that says the dispute counts. If it is later than `undone_at`, the dispute counts again (decision 52). Null in
		 * older rows.
		 */
		stoodAt: integer('stood_at'),
		/** The charge and its captured amount; null if unknown. */
		chargeId: text('charge_id'),
		chargeCents: integer('charge_cents'),
	},
	(table) => [
		primaryKey({ columns: [table.saleId, table.kind, table.reversalId] }),
		check('payment_reversals_kind_known', sql`${table.kind} IN ('refund', 'dispute', 'total')`),
		check('payment_reversals_amount_range', sql`typeof(${table.amountCents}) = 'integer' AND ${table.amountCents} >= 0`),
	],
);

/** Includes refunds of sales without a commission, so that net revenue is right. */
export const refundEvents = sqliteTable(
	'refund_events',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		saleId: integer('sale_id').notNull(),
		source: text('source', { enum: ['endpoint', 'processor'] })
			.notNull()
			.default('endpoint'),
		/** The integrator's refund_id (one refund per sale may have none), or the processor's id of the cause. */
		refundId: text('refund_id'),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** The effective amount, at most what was left of the sale. For `reinstated`, the amount added back. */
		amountCents: integer('amount_cents').notNull(),
		/** What the endpoint reported for a real sale, at most the sale's amount; null for other sources and older rows. */
		reportedCents: integer('reported_cents'),
		/** Deducted from the commission before clamps, or added back by `reinstated`; null without a commission. */
		deductionCents: integer('deduction_cents'),
		/** `skipped`: the processor had reported this refund before the endpoint did. */
		outcome: text('outcome', { enum: ['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test'] }).notNull(),
		reason: text('reason'),
		createdAt: integer('created_at').notNull(),
		refundDay: text('refund_day').notNull(),
		/** The sale's revision guards real refunds from the endpoint. */
		opId: text('op_id').notNull(),
	},
	(table) => [
		// The endpoint can report one refund per sale and refund_id, and one without. Its migration, refunds_in_fewer_rows, was edited by
		// hand.
		uniqueIndex('refund_events_once').on(
			table.saleId,
			sql`CASE WHEN ${table.isTest} = 0 AND ${table.source} = 'endpoint' THEN coalesce(${table.refundId}, '') END`,
		),
		uniqueIndex('refund_events_op_id_unique')
			.on(table.opId)
			.where(sql`${table.isTest} = 1 OR ${table.source} = 'processor'`),
		index('refund_events_by_program').on(table.programId, table.createdAt),
		index('refund_events_tests')
			.on(table.programId, table.isTest, table.createdAt)
			.where(sql`${table.isTest} = 1`),
		check('refund_events_amount_range', sql`typeof(${table.amountCents}) = 'integer' AND ${table.amountCents} >= 0`),
		check('refund_events_refund_id_named', sql`${table.refundId} <> ''`),
	],
);
