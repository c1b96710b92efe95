import { and, desc, eq, isNull, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { webhookDeliveries, webhookEndpoints } from '../db/schema/webhooks.ts';

export type WebhookDelivery = Awaited<ReturnType<typeof selectDeliveries>>[number];

export interface DeliveryFilter {
	readonly id?: number | SQL<number> | undefined;
	readonly condition?: SQL | undefined;
}

/** Deliveries of an endpoint that is not deleted, newest first. */
export function selectDeliveries(ctx: Context, programId: number, endpointId: number, only: DeliveryFilter) {
	const { id, condition } = only;
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
				condition,
			),
		)
		.orderBy(desc(webhookDeliveries.id));
}
