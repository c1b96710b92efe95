import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Found, read } from '../db/client.ts';
import { webhookDeliveries, webhookEndpoints } from '../db/schema/webhooks.ts';
import { webhookIdOf } from '../domain/webhooks/webhook-type.ts';
import type { OutgoingRequest } from './attempt.ts';
import { leaseOf } from './claim-due.ts';
import type { DeliveryChannel } from './delivery-channel.ts';
import { openSecrets, signedHeaders } from './signing-secrets.ts';

type Webhook = Found<{ rows: ReturnType<typeof selectNamed> }>['rows'][number];

export const webhookChannel: DeliveryChannel<Webhook> = {
	name: 'webhooks',
	deliveries: sql`webhook_deliveries`,
	receivers: sql`webhook_endpoints`,
	receiverId: sql`endpoint_id`,
	isOff: sql`r.disabled_at IS NOT NULL OR r.deleted_at IS NOT NULL`,
	givenUp: ({ now }) => sql`, settled_at = ${now}`,
	find: async (ctx, ids) => (await read(ctx.db, { rows: selectNamed(ctx, ids) })).rows,
	requestOf: webhookRequest,
	noted(ctx, { id }, { status, response, error = null, durationMs }, next) {
		const isAgain = typeof next === 'number';
		return ctx.db
			.update(webhookDeliveries)
			.set({
				state: isAgain ? 'pending' : next,
				attempts: sql`${webhookDeliveries.attempts} + 1`,
				tries: sql`${webhookDeliveries.tries} + 1`,
				nextAttemptAt: isAgain ? next : null,
				settledAt: isAgain ? null : ctx.now,
				lastAttemptAt: ctx.now,
				lastStatus: status,
				lastResponse: response,
				lastError: error,
				lastDurationMs: durationMs,
			})
			.where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, 'pending'), eq(webhookDeliveries.nextAttemptAt, leaseOf(ctx))));
	},
	/** Notifies owners and admins. */
	notifyOfDisabling: (ctx, endpointId) =>
		ctx.db.run(sql`
			INSERT INTO notifications (user_id, program_id, kind, detail, outbox_id, created_at)
			SELECT m.user_id, p.id, 'webhook_disabled', json_object('webhook_id', e.id, 'currency', p.currency, 'status', e.disabled_for),
				${crypto.randomUUID()}, ${ctx.now}
			FROM webhook_endpoints e
			JOIN programs p ON p.id = e.program_id
			JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')
			WHERE e.id = ${endpointId} AND changes() > 0`),
};

function selectNamed(ctx: Context, ids: string) {
	return ctx.db
		.select({
			id: webhookDeliveries.id,
			receiverId: webhookDeliveries.endpointId,
			operation: webhookDeliveries.operation,
			type: webhookDeliveries.type,
			subjectId: webhookDeliveries.subjectId,
			payload: webhookDeliveries.payload,
			tries: webhookDeliveries.tries,
			failures: webhookEndpoints.failures,
			programId: webhookEndpoints.programId,
			url: webhookEndpoints.url,
			sealedSecrets: webhookEndpoints.sealedSecrets,
		})
		.from(webhookDeliveries)
		.innerJoin(webhookEndpoints, and(eq(webhookEndpoints.id, webhookDeliveries.endpointId), isNull(webhookEndpoints.deletedAt)))
		.where(sql`${webhookDeliveries.id} IN (SELECT value FROM json_each(${ids}))`);
}

/** Signs the stored payload again for each attempt. */
async function webhookRequest(ctx: Context, delivery: Webhook): Promise<OutgoingRequest> {
	const { url, payload: body, programId, sealedSecrets } = delivery;
	const signed = await signedHeaders({ id: webhookIdOf(delivery), body, now: ctx.now }, await openSecrets(ctx, programId, sealedSecrets));
	return {
		url,
		method: 'POST',
		headers: { 'Content-Type': 'application/json', 'User-Agent': 'affiliate-tracker-webhooks/1', ...signed },
		body,
	};
}
