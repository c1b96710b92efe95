import { and, eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { webhookDeliveries } from '../db/schema/webhooks.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { endRest, firstOfAll } from './at-once.ts';
import { selectDeliveries, type WebhookDelivery } from './delivery.ts';
import { wakeSender } from './wake-sender.ts';
import { requireDelivery } from './list-deliveries.ts';
import { webhookChannel } from './webhook-channel.ts';

/**
 * Sends a delivery again under the same id, at once and then by the full retry schedule. Rejects with 404, and with 409 if the endpoint is
 * disabled.
 */
export async function redeliver(ctx: Context, program: ManagedProgram, endpointId: number, id: number): Promise<WebhookDelivery> {
	const { disabledAt } = await requireDelivery(ctx, program, endpointId, id);
	if (disabledAt !== null) throw conflict('This webhook is disabled: enable it first');
	const { waiting } = await write(
		ctx.db,
		[
			ctx.db
				.update(webhookDeliveries)
				.set({ state: 'pending', tries: sql`0`, nextAttemptAt: firstOfAll(ctx, webhookChannel, endpointId), settledAt: null })
				.where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.endpointId, endpointId))),
			endRest(ctx, webhookChannel, endpointId),
			auditProgram(ctx, program, { action: 'webhook.redeliver', subjectId: id, detail: { webhook_id: endpointId } }),
		],
		{ waiting: selectDeliveries(ctx, program.id, endpointId, { id }) },
	);
	if (!waiting[0]) throw notFound('Delivery');
	wakeSender(ctx, 'webhooks');
	return waiting[0];
}
