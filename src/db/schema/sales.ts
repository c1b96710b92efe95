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
		 * The integrator's transaction_id: unique within its `id_scope`, real and test ones apart. The contract names the column
		 * (section 2); in other tables a `processor_event_id` is the number of an event of the inbox.
		 */
		transactionId: text('processor_event_id').notNull(),
		/** 0: the transaction_id is unique over all programs; else the program whose own id it is (decision 55). */
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
		/** JSON, as submitted. */
		lineItems: text('line_items'),
		/** Whether the sale itself was inside the attribution window; renewals look for an earlier one that was. */
		insideWindow: integer('inside_window', { mode: 'boolean' }).notNull(),
		/**
		 * JSON of what the decision rested on (domain/decision-facts.ts), nothing of it personal. Null for test sales, and for those
		 * that were recorded before facts were kept.
		 */
		decisionFacts: text('decision_facts'),
		/** `failed`: the commission is owed and the cron job makes it; `none`: see no_commission_reason. */
		commissionState: text('commission_state', { enum: ['made', 'none', 'failed'] }).notNull(),
		noCommissionReason: text('no_commission_reason'),
		/** JSON of the commission that is owed where its creation failed: what was decided at the time of the sale. */
		owedCommission: text('owed_commission'),
		/** What has been given back, at most the amount: what the refund endpoint and the processor say, reconciled. */
		refundedCents: integer('refunded_cents').notNull().default(0),
		/** Sum of what the refund endpoint reported, at most the amount. */
		reportedRefundCents: integer('reported_refund_cents').notNull().default(0),
		/** What the processor charged, tax included: a refund's share is of this. Null where no processor told. */
		chargedCents: integer('charged_cents'),
		/** Of `charged_cents`; null where that was stored without. */
		chargedCurrency: text('charged_currency'),
		/** The processor's invoice that it stands for, once one is told: another invoice is another sale, whatever ids they share. */
		invoiceId: text('invoice_id'),
		/**
		 * The earliest sale of the same payment, where it came to light that both are one: this one is then reversed whole, and in
		 * no figure. That one is no duplicate itself, so that one step leads to it.
		 */
		duplicateOfSaleId: integer('duplicate_of_sale_id'),
		createdAt: integer('created_at').notNull(),
		saleDay: text('sale_day').notNull(),
		/** The request that wrote the row. A real one also has its transaction_id for itself. */
		opId: text('op_id').notNull(),
		/** Raised by one with every change; a trigger refuses a change that read an older one. */
		revision: integer('revision').notNull().default(0),
		/** The coupon that it was bought with, where that is of its partner: a trigger sees to it. */
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
 * Further ids of a sale's payment (intent, charge, invoice, checkout session): whoever uses one of them as a transaction_id
 * means this sale. Triggers keep transaction ids and aliases apart, both ways.
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
 * What the processor told of money given back for a real sale: its refunds and disputes by id, and the totals that its
 * charges named. What follows for the sale depends on the set of them, not on the order in which they came.
 */
export const paymentReversals = sqliteTable(
	'payment_reversals',
	{
		saleId: integer('sale_id').notNull(),
		kind: text('kind', { enum: ['refund', 'dispute', 'total'] }).notNull(),
		/** The processor's id of the refund or dispute; of a total its charge, moment and amount: see domain/given-back.ts. */
		reversalId: text('reversal_id').notNull(),
		/** Minor units of `currency`, which is that of the charge. */
		amountCents: integer('amount_cents').notNull(),
		currency: text('currency').notNull(),
		/** When the refund or dispute was made, or the total was true. */
		happenedAt: integer('happened_at').notNull(),
		/** When the refund failed or the dispute was won. */
		undoneAt: integer('undone_at'),
		/** The latest event by which a dispute stood: after `undone_at` it counts again (decision 52). Null in rows from before. */
		stoodAt: integer('stood_at'),
		/** Of which charge it is, and what was captured of that; null where nobody told. */
		chargeId: text('charge_id'),
		chargeCents: integer('charge_cents'),
	},
	(table) => [
		primaryKey({ columns: [table.saleId, table.kind, table.reversalId] }),
		check('payment_reversals_kind_known', sql`${table.kind} IN ('refund', 'dispute', 'total')`),
		check('payment_reversals_amount_range', sql`typeof(${table.amountCents}) = 'integer' AND ${table.amountCents} >= 0`),
	],
);

/** What was given back of a sale; also of sales without commission, so that net revenue is right. */
export const refundEvents = sqliteTable(
	'refund_events',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		saleId: integer('sale_id').notNull(),
		/** Who told it: the refund endpoint, or the processor's webhooks. */
		source: text('source', { enum: ['endpoint', 'processor'] })
			.notNull()
			.default('endpoint'),
		/** The integrator's refund_id, of which at most one refund of a sale has none; or the processor's id of its cause. */
		refundId: text('refund_id'),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** What took effect, clamped to what was left of the sale; given back to the sale where the outcome is `reinstated`. */
		amountCents: integer('amount_cents').notNull(),
		/** What the endpoint was told of a real sale, at most its amount; null of what else is told, and of what came before it was kept. */
		reportedCents: integer('reported_cents'),
		/** What it took from the commission, nominally, or gave back where `reinstated`; null where there was none. */
		deductionCents: integer('deduction_cents'),
		/** The answer that was given. `skipped`: reported by the endpoint when the processor had told of as much already. */
		outcome: text('outcome', { enum: ['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test'] }).notNull(),
		reason: text('reason'),
		createdAt: integer('created_at').notNull(),
		refundDay: text('refund_day').notNull(),
		/** A real refund that the endpoint reported is guarded by its sale's revision. */
		opId: text('op_id').notNull(),
	},
	(table) => [
		// Of what the endpoint reported of a sale one for each refund_id, and one without. Edited in refunds_in_fewer_rows.
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
