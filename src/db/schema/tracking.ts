import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { partnerPrograms, referralLinks } from './partners.ts';
import { programs } from './programs.ts';

// What the browser and the backends reported. Days (`*_day`, `*_date`) are YYYY-MM-DD in the program's time zone.

export const affiliateClickEvents = sqliteTable(
	'affiliate_click_events',
	{
		/** `cust_<number>_<number>`, self-verifying: see domain/click-id.ts. */
		clickId: text('click_id').primaryKey(),
		/** Its number in the list of events: of the count that its batch moves on. */
		id: integer('id').notNull(),
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		referralLinkId: integer('referral_link_id')
			.notNull()
			.references(() => referralLinks.id),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** A crawler that ran the page's script: answered, kept, not counted. */
		isBot: integer('is_bot', { mode: 'boolean' }).notNull(),
		clickedAt: integer('clicked_at').notNull(),
		clickDay: text('click_day').notNull(),
		pageUrl: text('page_url'),
		pageTitle: text('page_title'),
		referrerUrl: text('referrer_url'),
		sessionId: text('session_id'),
		userAgent: text('user_agent'),
		language: text('language'),
		timezone: text('timezone'),
		/** As the platform gives it. The visitor's address is never stored. */
		country: text('country'),
		/** The source that it is counted under: the host of the referrer (domain/source.ts), or `other`; null: direct, or not known. */
		source: text('source'),
	},
	// The most rows by far: WITHOUT ROWID, which Drizzle cannot say (clicks_in_two_rows), so that each is written to two places.
	(table) => [
		index('affiliate_click_events_by_program').on(table.programId, table.clickedAt, table.id),
		index('affiliate_click_events_tests')
			.on(table.programId, table.isTest, table.clickedAt, table.id)
			.where(sql`${table.isTest} = 1`),
	],
);

/** How many clicks were ever stored, tests too: a delivery of many moves it once. One row. */
export const clickCount = sqliteTable(
	'click_count',
	{
		id: integer('id').primaryKey(),
		clicks: integer('clicks').notNull(),
	},
	(table) => [check('click_count_one_row', sql`${table.id} = 1`)],
);

/** A person or company of one program. Made at its first lead or sale; its click stands for it until then. */
export const customers = sqliteTable(
	'customers',
	{
		id: integer('id').primaryKey(),
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		customerKey: text('customer_key'),
		/** Never goes back: a trigger refuses it. */
		status: text('status', { enum: ['click', 'lead', 'conversion'] }).notNull(),
		signupDate: text('signup_date'),
		firstPurchaseDate: text('first_purchase_date'),
		/** The attribution: partner-program, link and click, together or not at all. A trigger locks it once set. */
		partnerProgramId: integer('partner_program_id').references(() => partnerPrograms.id),
		referralLinkId: integer('referral_link_id').references(() => referralLinks.id),
		clickId: text('click_id'),
		clickedAt: integer('clicked_at'),
		/** 0: the customer that its click stands for; 1 and up: further customers made from the same click. */
		clickSequence: integer('click_sequence'),
		/** Of the click, as its row says; null too until that row is stored (tracking/store-clicks.ts fills them in). */
		country: text('country'),
		source: text('source'),
		/** Keyed hash of the normalised address, for matching. */
		emailHash: text('email_hash'),
		/** In clear only where the program keeps e-mail. */
		email: text('email'),
		createdAt: integer('created_at').notNull(),
		/** Raised by one with every change; a trigger refuses a change that read an older one. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		uniqueIndex('customers_one_per_key')
			.on(table.programId, table.customerKey)
			.where(sql`${table.customerKey} IS NOT NULL`),
		uniqueIndex('customers_one_per_click')
			.on(table.clickId, table.clickSequence)
			.where(sql`${table.clickId} IS NOT NULL`),
		index('customers_by_email')
			.on(table.programId, table.emailHash)
			.where(sql`${table.emailHash} IS NOT NULL`),
		check('customers_status_known', sql`${table.status} IN ('click', 'lead', 'conversion')`),
		check(
			'customers_attribution_whole',
			sql`(${table.partnerProgramId} IS NULL) = (${table.referralLinkId} IS NULL) AND (${table.referralLinkId} IS NULL) = (${table.clickId} IS NULL)
			AND (${table.clickId} IS NULL) = (${table.clickedAt} IS NULL) AND (${table.clickedAt} IS NULL) = (${table.clickSequence} IS NULL)`,
		),
		check('customers_named', sql`${table.customerKey} IS NOT NULL OR ${table.clickId} IS NOT NULL`),
		check('customers_conversion_dated', sql`(${table.status} = 'conversion') = (${table.firstPurchaseDate} IS NOT NULL)`),
	],
);

export const affiliateLeadEvents = sqliteTable(
	'affiliate_lead_events',
	{
		id: integer('id').primaryKey(),
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		/** Null for test leads: they have no customer. */
		customerId: integer('customer_id'),
		clickId: text('click_id'),
		customerKey: text('customer_key'),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		createdAt: integer('created_at').notNull(),
		/** The request that wrote the row: a retry after a lost answer finds its own work. A real one also writes its customer, which is unique. */
		opId: text('op_id').notNull(),
	},
	(table) => [
		index('affiliate_lead_events_by_program').on(table.programId, table.createdAt),
		index('affiliate_lead_events_tests')
			.on(table.programId, table.isTest, table.createdAt)
			.where(sql`${table.isTest} = 1`),
		uniqueIndex('affiliate_lead_events_op_id_unique')
			.on(table.opId)
			.where(sql`${table.isTest} = 1`),
		check('affiliate_lead_events_customer_real', sql`(${table.isTest} = 1) = (${table.customerId} IS NULL)`),
	],
);

export const affiliateSaleEvents = sqliteTable(
	'affiliate_sale_events',
	{
		id: integer('id').primaryKey(),
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
		/** The integrator's transaction_id: unique over all programs, real and test ones apart. */
		processorEventId: text('processor_event_id').notNull(),
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
	},
	(table) => [
		uniqueIndex('affiliate_sale_events_one_per_transaction').on(table.processorEventId, table.isTest),
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
		check('affiliate_sale_events_customer_real', sql`(${table.isTest} = 1) = (${table.customerId} IS NULL)`),
		check('affiliate_sale_events_reason_given', sql`(${table.commissionState} = 'none') = (${table.noCommissionReason} IS NOT NULL)`),
		check('affiliate_sale_events_owed_given', sql`(${table.commissionState} = 'failed') = (${table.owedCommission} IS NOT NULL)`),
		check('affiliate_sale_events_transaction_named', sql`length(${table.processorEventId}) BETWEEN 1 AND 255`),
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
		/** When the refund failed or the dispute was won: it no longer counts, whatever is told later. */
		undoneAt: integer('undone_at'),
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
		programId: integer('program_id')
			.notNull()
			.references(() => programs.id),
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
