import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

// What payment processors tell. Ids of a processor (`cus_`, `sub_`, `pi_`, ...) are kept as they come.

/** Where a program's processor sends its webhooks to, and what proves that they are its own. */
export const processorEndpoints = sqliteTable(
	'processor_endpoints',
	{
		programId: belongsTo('program_id', () => programs.id),
		processor: text('processor').notNull(),
		/**
		 * JSON list of signing secrets, several during a roll, each under AES-GCM with the Worker's secret: the text itself, or an object
		 * with it as `sealed`, where it signs test mode (`isTest`) or counts for a while only (`until`, ms).
		 */
		sealedSecrets: text('sealed_secrets').notNull(),
		/** Whether a sale counts without its tax or with it. */
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

/** The inbox: every verified event once, with what became of it and why. Processed from here, never from the request. */
export const processorEvents = sqliteTable(
	'processor_events',
	{
		id: integer('id').primaryKey(),
		programId: belongsTo('program_id', () => programs.id),
		processor: text('processor').notNull(),
		/** The processor's id of the event: a redelivery is kept once. */
		eventId: text('event_id').notNull(),
		type: text('type').notNull(),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** When it happened, as the processor says. */
		happenedAt: integer('happened_at').notNull(),
		receivedAt: integer('received_at').notNull(),
		/** The verified body. Purged when it is old enough and settled. */
		payload: text('payload'),
		/** `waiting`: for an earlier event; `expired`: that one never came; `failed`: gave up after every attempt. */
		state: text('state', { enum: ['received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed'] }).notNull(),
		/** What became of it, in plain words; null until it was looked at. */
		reason: text('reason'),
		/** The sale that it made or moved. */
		saleId: integer('sale_id'),
		/** How often it was looked at since it was received or replayed, or since a fault ended its wait. */
		attempts: integer('attempts').notNull().default(0),
		/** When it is due; null once it is settled. */
		nextAttemptAt: integer('next_attempt_at'),
		/** From when on it no longer waits. */
		expiresAt: integer('expires_at').notNull(),
		settledAt: integer('settled_at'),
		/** Raised by one with every change, so that of two that process it at once one has the last word. */
		revision: integer('revision').notNull().default(0),
	},
	(table) => [
		uniqueIndex('processor_events_once').on(table.programId, table.processor, table.eventId),
		index('processor_events_by_program').on(table.programId, table.id),
		// The states that few events end in: those that are not settled are found as due.
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
 * What a waiting event waits for: an id of the processor that some other event will make known. So does one that was ignored as nobody
 * is known to have paid: as long as its body is kept, what is told of the id has it looked at again.
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
 * Who stands behind a processor's subscription, as that says itself, behind its first invoice, as the checkout said, or behind a payment,
 * as itself or its checkout said: evidence for events that do not say. Of subscriptions also since when they run, whoever stands
 * behind them; of payments what their checkout asks for.
 */
export const processorReferences = sqliteTable(
	'processor_bindings',
	{
		programId: belongsTo('program_id', () => programs.id),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** Of a subscription, an invoice or a payment. */
		processorId: text('processor_id').notNull(),
		customerKey: text('customer_key'),
		clickId: text('click_id'),
		/** Whether the key is only what the business calls a checkout: it counts where nothing else names anybody. */
		isReference: integer('is_reference', { mode: 'boolean' }),
		/** What was bought by a single payment. */
		productId: text('product_id'),
		/** When the event that told of the customer happened: of two that differ the later one counts. 0 while none did. */
		reportedAt: integer('told_at').notNull(),
		/** Since when the subscription has run, at the latest: the earliest moment that an event tells of. */
		beganAt: integer('began_at'),
		/** When it began with a trial. */
		trialBeganAt: integer('trial_began_at'),
		/** When the subscription ended. */
		endedAt: integer('ended_at'),
		/** What a checkout asks for by this payment, and how much of that is the sale; minor units of its currency. */
		chargedCents: integer('charged_cents'),
		saleCents: integer('sale_cents'),
		/** Whether a payment of this id, or of this subscription, was told of, and no sale of it was recorded; it may have been since. */
		isUnsold: integer('is_unsold', { mode: 'boolean' }),
	},
	(table) => [primaryKey({ columns: [table.programId, table.isTest, table.processorId] })],
);
