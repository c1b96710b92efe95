import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { programs } from './programs.ts';
import { belongsTo } from './reference.ts';

/** URLs of a program's backends that receive its events. A trigger allows ten per program. */
export const webhookEndpoints = sqliteTable(
	'webhook_endpoints',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		programId: belongsTo('program_id', () => programs.id),
		url: text('url').notNull(),
		description: text('description'),
		/** JSON list (domain/webhooks/webhook-type.ts). */
		types: text('types').notNull(),
		/** JSON of signing secrets, newest first: `{"sealed"}`, and the previous one during its overlap, `{"sealed", "until"}`. */
		sealedSecrets: text('sealed_secrets').notNull(),
		createdAt: integer('created_at').notNull(),
		disabledAt: integer('disabled_at'),
		/** Somebody disabled it, it answered 410, or it failed for too long. */
		disabledFor: text('disabled_for', { enum: ['asked', 'gone', 'failing'] }),
		/** Since the last success. */
		failures: integer('failures').notNull().default(0),
		failingSince: integer('failing_since'),
		/** Nothing is sent before this time, because recent attempts failed. */
		restsUntil: integer('rests_until'),
		/** Final. Its deliveries are purged over time. */
		deletedAt: integer('deleted_at'),
	},
	(table) => [
		index('webhook_endpoints_by_program')
			.on(table.programId, table.id)
			.where(sql`${table.deletedAt} IS NULL`),
		check('webhook_endpoints_types_list', sql`json_type(${table.types}) = 'array'`),
		check('webhook_endpoints_secrets_list', sql`json_type(${table.sealedSecrets}) = 'array'`),
		check('webhook_endpoints_disabled_for', sql`(${table.disabledAt} IS NULL) = (${table.disabledFor} IS NULL)`),
		check('webhook_endpoints_failing_since', sql`(${table.failures} = 0) = (${table.failingSince} IS NULL)`),
	],
);

/**
 * Events for an endpoint, written in the batch that applies the change. `delivered` if the endpoint accepts it, `failed` if retries run
 * out; both can be replayed. Triggers refuse other changes of state or content.
 */
export const webhookDeliveries = sqliteTable(
	'webhook_deliveries',
	{
		id: integer('id').primaryKey({ autoIncrement: true }),
		endpointId: belongsTo('endpoint_id', () => webhookEndpoints.id),
		/** The outbox row that caused it and was deleted in the same batch. */
		operation: text('operation').notNull(),
		type: text('type').notNull(),
		/** The id of what `data` describes; 0 for a test event. */
		subjectId: integer('subject_id').notNull(),
		isTest: integer('is_test', { mode: 'boolean' }).notNull(),
		/** Whose personal data is in the payload, for erasures. */
		customerId: integer('customer_id'),
		partnerId: integer('partner_id'),
		/** The body, JSON. */
		payload: text('payload').notNull(),
		state: text('state', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
		/** In total, and since it was created or last replayed. */
		attempts: integer('attempts').notNull().default(0),
		tries: integer('tries').notNull().default(0),
		/** When it is due or, during an attempt, when another sender may take over. */
		nextAttemptAt: integer('next_attempt_at'),
		lastAttemptAt: integer('last_attempt_at'),
		/** The last attempt: its status, and the beginning of the response or the error. */
		lastStatus: integer('last_status'),
		lastResponse: text('last_response'),
		lastError: text('last_error', { enum: ['status', 'redirect', 'timeout', 'unreachable', 'address', 'disabled'] }),
		lastDurationMs: integer('last_duration_ms'),
		createdAt: integer('created_at').notNull(),
		settledAt: integer('settled_at'),
		/** When personal data was removed from the payload. */
		erasedAt: integer('erased_at'),
	},
	(table) => [
		uniqueIndex('webhook_deliveries_once').on(table.endpointId, table.operation, table.type, table.subjectId),
		index('webhook_deliveries_by_endpoint').on(table.endpointId, table.id),
		index('webhook_deliveries_due')
			.on(table.endpointId, table.nextAttemptAt)
			.where(sql`${table.state} = 'pending'`),
		index('webhook_deliveries_failed')
			.on(table.endpointId, table.id)
			.where(sql`${table.state} = 'failed'`),
		index('webhook_deliveries_by_customer')
			.on(table.customerId)
			.where(sql`${table.customerId} IS NOT NULL`),
		index('webhook_deliveries_by_partner')
			.on(table.partnerId)
			.where(sql`${table.partnerId} IS NOT NULL`),
		check('webhook_deliveries_payload_json', sql`json_valid(${table.payload})`),
		check('webhook_deliveries_state_known', sql`${table.state} IN ('pending', 'delivered', 'failed')`),
		check('webhook_deliveries_pending_due', sql`(${table.state} = 'pending') = (${table.nextAttemptAt} IS NOT NULL)`),
		check('webhook_deliveries_settled', sql`(${table.state} = 'pending') = (${table.settledAt} IS NULL)`),
		check('webhook_deliveries_tried', sql`${table.tries} BETWEEN 0 AND ${table.attempts}`),
		check('webhook_deliveries_response_length', sql`length(${table.lastResponse}) <= 1024`),
	],
);
