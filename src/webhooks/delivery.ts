import { and, desc, eq, isNull, lt, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { webhookDeliveries, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { DeliveryState } from '../domain/webhook-outcome.ts';

/** What an endpoint was told, or is to be told, with what became of it. */
export type WebhookDelivery = Awaited<ReturnType<typeof selectDeliveries>>[number];

export interface DeliveryFilter {
	readonly id?: number | SQL<number> | undefined;
	readonly state?: DeliveryState | undefined;
	readonly type?: string | undefined;
	/** Ids below it only. */
	readonly before?: number | undefined;
}

/** The deliveries of an endpoint that was not deleted, newest first, as a statement for any batch. */
export function selectDeliveries(ctx: Context, programId: number, endpointId: number, only: DeliveryFilter) {
	const { id, state, type, before } = only;
	return ctx.db
		.select({
			id: webhookDeliveries.id,
			operation: webhookDeliveries.operation,
			type: webhookDeliveries.type,
			subjectId: webhookDeliveries.subjectId,
			isTest: webhookDeliveries.isTest,
			payload: webhookDeliveries.payload,
			state: webhookDeliveries.state,
			attempts: webhookDeliveries.attempts,
			nextAttemptAt: webhookDeliveries.nextAttemptAt,
			lastAttemptAt: webhookDeliveries.lastAttemptAt,
			lastStatus: webhookDeliveries.lastStatus,
			lastResponse: webhookDeliveries.lastResponse,
			lastError: webhookDeliveries.lastError,
			lastDurationMs: webhookDeliveries.lastDurationMs,
			createdAt: webhookDeliveries.createdAt,
			settledAt: webhookDeliveries.settledAt,
			disabledAt: webhookEndpoints.disabledAt,
		})
		.from(webhookDeliveries)
		.innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
		.where(
			and(
				eq(webhookDeliveries.endpointId, endpointId),
				eq(webhookEndpoints.programId, programId),
				isNull(webhookEndpoints.deletedAt),
				id === undefined ? undefined : eq(webhookDeliveries.id, id),
				state === undefined ? undefined : eq(webhookDeliveries.state, state),
				type === undefined ? undefined : eq(webhookDeliveries.type, type),
				before === undefined ? undefined : lt(webhookDeliveries.id, before),
			),
		)
		.orderBy(desc(webhookDeliveries.id));
}
