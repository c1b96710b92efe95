import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// The ids of payment processors (`cus_`, `sub_`, `pi_`, ...) are stored unchanged.

export const processorEndpoints = sqliteTable(
	'processor_endpoints',
	{
		programId: belongsTo('program_id', () => programs.id),
		processor: text('processor').notNull(),
		/**
		 * JSON list of signing secrets; several while one is being rolled. Each is encrypted by AES-GCM with the Worker's secret: the
		 * sealed text, or an object with it as `sealed` if it signs test mode (`isTest`) or expires (`until`, ms).
		 */
		sealedSecrets: text('sealed_secrets').notNull(),
		/** Sale amounts exclude tax (`net`) or include it (`gross`). */
		amountBasis: text('amount_basis', { enum: ['net', 'gross'] }).notNull(),
		createdAt: integer('created_at').notNull(),
		updatedAt: integer('updated_at').notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.processor] }),
		check('processor_endpoints_secrets_json', sql`json_array_length(${table.sealedSecrets}) > 0`),
		check('processor_endpoints_basis_known', sql`${table.amountBasis} IN ('net', 'gross')`),
	],
);

/** The inbox: each verified event once, with its outcome. Events are processed from here, never during the request. */
export const processorEvents = sqliteTable(
	'processor_events',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		processor: text('processor').notNull(),
		/** The processor's event id, so that a redelivery is not stored again. */
		eventId: text('event_id').notNull(),
		type: text('type').notNull(),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** According to the processor. */
		happenedAt: integer('happened_at').notNull(),
		receivedAt: integer('received_at').notNull(),
		/** The verified body. Purged once it is old enough and the event is settled. */
		payload: text('payload'),
		/** `waiting`: for another event; `expired`: that event never arrived; `failed`: every attempt failed. */
		state: text('state', { enum: ['received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed'] }).notNull(),
		/** In plain words; null until the event is processed. */
		reason: text('reason'),
		/** The sale that it created or changed. */
		saleId: integer('sale_id'),
		/** Attempts since the event was received or replayed, or since an error ended its wait. */
		attempts: integer('attempts').notNull().default(0),
		/** Null once it is settled. */
		nextAttemptAt: integer('next_attempt_at'),
		/** When it stops waiting. */
		expiresAt: integer('expires_at').notNull(),
		settledAt: integer('settled_at'),
		/** Incremented by every change, so that only one of two concurrent workers succeeds. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		uniqueIndex('processor_events_once').on(table.programId, table.processor, table.eventId),
		index('processor_events_by_program').on(table.programId, table.id),
		// Events in rare final states. Unsettled ones are found by when they are due.
		index('processor_events_by_state')
			.on(table.programId, table.state, table.id)
			.where(sql`${table.state} IN ('refused', 'expired', 'failed')`),
		index('processor_events_due')
			.on(table.nextAttemptAt)
			.where(sql`${table.nextAttemptAt} IS NOT NULL`),
		index('processor_events_purgeable')
			.on(table.settledAt)
			.where(sql`${table.payload} IS NOT NULL AND ${table.settledAt} IS NOT NULL`),
		check(
			'processor_events_state_known',
			sql`${table.state} IN ('received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed')`,
		),
		check(
			'processor_events_due_until_settled',
			sql`(${table.state} IN ('received', 'waiting')) = (${table.nextAttemptAt} IS NOT NULL)
			AND (${table.nextAttemptAt} IS NULL) = (${table.settledAt} IS NOT NULL)`,
		),
		check('processor_events_reason_given', sql`${table.state} = 'received' OR ${table.reason} IS NOT NULL`),
		check('processor_events_payload_kept', sql`${table.payload} IS NOT NULL OR ${table.settledAt} IS NOT NULL`),
	],
);

/**
 * Processor ids that another event must explain first. An ignored event without a known customer also waits here while its body is kept,
 * and is processed again if its ids are explained.
 */
export const processorEventWaits = sqliteTable(
	'processor_event_waits',
	{
		programId: belongsTo('program_id', () => programs.id),
		processorId: text('processor_id').notNull(),
		processorEventId: belongsTo('processor_event_id', () => processorEvents.id),
	},
	(table) => [
		primaryKey({ columns: [table.programId, table.processorId, table.processorEventId] }),
		index('processor_event_waits_by_event').on(table.processorEventId),
	],
);

/**
 * The customer of a processor's subscription, first invoice or payment, as reported by these objects or their checkout, for later events
 * that name none. Subscriptions also have their start, and payments the amount that the checkout charges.
 */
export const processorReferences = sqliteTable(
	'processor_bindings',
	{
		programId: belongsTo('program_id', () => programs.id),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** A subscription, invoice or payment. */
		processorId: text('processor_id').notNull(),
		customerKey: text('customer_key'),
		clickId: text('click_id'),
		/** The key is only a checkout's reference, which counts if nothing else names a customer. */
		isReference: integer('is_reference', { mode: 'boolean' }),
		/** The product of a single payment. */
		productId: text('product_id'),
		/** When the event that names the customer happened; the later of two events wins. 0 if none does. */
		reportedAt: integer('told_at').notNull(),
		/** The earliest beginning of the subscription that any event reports. */
		beganAt: integer('began_at'),
		/** Set if the subscription began with a trial. */
		trialBeganAt: integer('trial_began_at'),
		/** When the subscription ended. */
		endedAt: integer('ended_at'),
		/** What the checkout charges with this payment, and the sale's share of it, in minor units of its currency. */
		chargedCents: integer('charged_cents'),
		saleCents: integer('sale_cents'),
		/** A payment with this id or subscription was reported without a sale. A sale may have been recorded since. */
		isUnsold: integer('is_unsold', { mode: 'boolean' }),
	},
	(table) => [primaryKey({ columns: [table.programId, table.isTest, table.processorId] })],
);
