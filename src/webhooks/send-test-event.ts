import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read, write } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { webhookDeliveries } from '../db/schema/webhooks.ts';
import { conflict } from '../domain/rejection.ts';
import { testPayload } from '../domain/webhooks/webhook-payload.ts';
import type { WebhookType } from '../domain/webhooks/webhook-type.ts';
import { endRest, firstOfAll } from './at-once.ts';
import { selectDeliveries, type WebhookDelivery } from './delivery.ts';
import { wakeSender } from './wake-sender.ts';
import { webhookChannel } from './webhook-channel.ts';
import { requireWritten, selectEndpoints } from './endpoint.ts';

/** A test event is signed, logged and retried like any delivery. Rejects with 404, and with 409 if the endpoint is disabled. */
export async function sendTestEvent(
	ctx: Context,
	program: ManagedProgram,
	endpointId: number,
	requested: WebhookType | undefined,
): Promise<WebhookDelivery> {
	const { endpoints, currencies } = await read(ctx.db, {
		endpoints: selectEndpoints(ctx, program.id, { id: endpointId }),
		currencies: ctx.db.select({ currency: programs.currency }).from(programs).where(eq(programs.id, program.id)),
	});
	const { disabledAt, types } = requireWritten(ctx, endpoints);
	if (disabledAt !== null) throw conflict('This webhook is disabled: enable it first');
	const type = requested ?? types[0] ?? 'sale.created';
	const payload = testPayload(type, { now: ctx.now, currency: currencies[0]?.currency ?? 'USD' });
	const operation = crypto.randomUUID();
	const own = sql<number>`(SELECT id FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND operation = ${operation})`;
	const { sent } = await write(
		ctx.db,
		[
			ctx.db
				.insert(webhookDeliveries)
				.values({
					endpointId,
					operation,
					type,
					subjectId: 0,
					isTest: true,
					payload: JSON.stringify(payload),
					state: 'pending',
					nextAttemptAt: firstOfAll(ctx, webhookChannel, endpointId),
					createdAt: ctx.now,
				})
				.onConflictDoNothing(),
			endRest(ctx, webhookChannel, endpointId),
			auditProgram(ctx, program, { action: 'webhook.test', subjectId: endpointId, detail: { type } }),
		],
		{ sent: selectDeliveries(ctx, program.id, endpointId, { id: own }) },
	);
	if (!sent[0]) throw new Error('The test event is gone');
	wakeSender(ctx, 'webhooks');
	return sent[0];
}
