import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { WEBHOOK_ERRORS } from '../../../domain/webhooks/webhook-outcome.ts';
import { WEBHOOK_OCCASIONS, WEBHOOK_TYPES, webhookIdOf } from '../../../domain/webhooks/webhook-type.ts';
import { once } from '../../../once.ts';
import { changeEndpoint } from '../../../webhooks/change-endpoint.ts';
import { createEndpoint } from '../../../webhooks/create-endpoint.ts';
import { deleteEndpoint } from '../../../webhooks/delete-endpoint.ts';
import type { WebhookDelivery } from '../../../webhooks/delivery.ts';
import { requireEndpoint, type WebhookEndpoint } from '../../../webhooks/endpoint.ts';
import { listDeliveries, requireDelivery } from '../../../webhooks/list-deliveries.ts';
import { listEndpoints } from '../../../webhooks/list-endpoints.ts';
import { redeliver } from '../../../webhooks/redeliver.ts';
import { rollEndpointSecret } from '../../../webhooks/roll-endpoint-secret.ts';
import { sendTestEvent } from '../../../webhooks/send-test-event.ts';
import type { AppEnv } from '../../app-env.ts';
import { Changes, Flag, FreeText, Name, Strict, Whole } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, noQuery, optionalBody, params, query } from '../../validate.ts';
import { requireProgram } from '../session.ts';

const Type = once(() => z.enum(WEBHOOK_TYPES, 'must be a known event type. GET .../webhooks/types lists them'));
const Types = once(() =>
	z.pipe(
		z
			.array(Type(), 'must be a list of event types')
			.check(z.minLength(1, 'must name at least one type'), z.maxLength(100, 'must name at most 100 types')),
		z.transform((types) => WEBHOOK_TYPES.filter((type) => types.includes(type))),
	),
);
const Url = once(() => FreeText(2_000));

/** Without `types`, the webhook receives all current types. */
export const NewWebhook = once(() => Strict({ url: Url(), types: z.optional(Types()), description: z.optional(Name()) }));

export const WebhookChanges = once(() =>
	Changes(
		{ url: z.optional(Url()), types: z.optional(Types()), description: z.optional(z.nullable(Name())), enabled: z.optional(Flag()) },
		'Send url, types, description or enabled',
	),
);

const MOST_OVERLAP_HOURS = 168;
export const WebhookSecretRequest = once(() => Strict({ overlap_hours: z._default(Whole(0, MOST_OVERLAP_HOURS), 24) }));

export const TestEventRequest = once(() => Strict({ type: z.optional(Type()) }));

export const STATUSES = ['pending', 'delivered', 'failed'] as const;

export const DeliveryQuery = once(() =>
	z.extend(PageQuery(), {
		status: z.optional(z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
		type: z.optional(Type()),
	}),
);

/** /api/v1/programs/:id/webhooks, for owners and admins. Only the call that creates a `secret` returns it. */
export const webhooks = new Hono<AppEnv>()
	.get('/types', requireProgram('admin'), noQuery, (c) =>
		c.json({ success: true, data: WEBHOOK_TYPES.map((type) => ({ type, description: WEBHOOK_OCCASIONS[type] })) }),
	)
	.post('/', requireProgram('admin'), body(NewWebhook), async (c) => {
		const { ctx, program } = c.var;
		const { url, types = WEBHOOK_TYPES, description = null } = c.req.valid('json');
		const { secret, ...endpoint } = await createEndpoint(ctx, program, { url, types, description });
		return c.json({ success: true, data: { ...endpointOnWire(endpoint), secret } }, 201);
	})
	.get('/', requireProgram('admin'), query(PageQuery), async (c) => {
		const { ctx, program } = c.var;
		const page = await listEndpoints(ctx, program, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map(endpointOnWire), meta: metaOf(page) });
	})
	.get('/:webhookId', requireProgram('admin'), noQuery, params(['webhookId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: endpointOnWire(await requireEndpoint(ctx, program, c.req.valid('param').webhookId)) });
	})
	.patch('/:webhookId', requireProgram('admin'), params(['webhookId']), body(WebhookChanges), async (c) => {
		const { ctx, program } = c.var;
		const changed = await changeEndpoint(ctx, program, c.req.valid('param').webhookId, c.req.valid('json'));
		return c.json({ success: true, data: endpointOnWire(changed) });
	})
	.delete('/:webhookId', requireProgram('admin'), params(['webhookId']), async (c) => {
		const { ctx, program } = c.var;
		await deleteEndpoint(ctx, program, c.req.valid('param').webhookId);
		return c.json({ success: true, data: null });
	})
	.post('/:webhookId/secret', requireProgram('admin'), params(['webhookId']), optionalBody(WebhookSecretRequest), async (c) => {
		const { ctx, program } = c.var;
		const { overlap_hours: overlapHours } = c.req.valid('json');
		const { secret, ...endpoint } = await rollEndpointSecret(ctx, program, c.req.valid('param').webhookId, overlapHours);
		return c.json({ success: true, data: { ...endpointOnWire(endpoint), secret } }, 201);
	})
	.post('/:webhookId/test', requireProgram('admin'), params(['webhookId']), optionalBody(TestEventRequest), async (c) => {
		const { ctx, program } = c.var;
		const sent = await sendTestEvent(ctx, program, c.req.valid('param').webhookId, c.req.valid('json').type);
		return c.json({ success: true, data: deliveryOnWire(sent) }, 201);
	})
	.get('/:webhookId/deliveries', requireProgram('admin'), params(['webhookId']), query(DeliveryQuery), async (c) => {
		const { ctx, program } = c.var;
		const { status: state, ...request } = c.req.valid('query');
		const page = await listDeliveries(ctx, program, c.req.valid('param').webhookId, { ...request, state });
		return c.json({ success: true, data: page.rows.map(deliveryOnWire), meta: metaOf(page) });
	})
	.get('/:webhookId/deliveries/:deliveryId', requireProgram('admin'), noQuery, params(['webhookId', 'deliveryId']), async (c) => {
		const { ctx, program } = c.var;
		const { webhookId, deliveryId } = c.req.valid('param');
		const delivery = await requireDelivery(ctx, program, webhookId, deliveryId);
		const payload: unknown = JSON.parse(delivery.payload);
		return c.json({ success: true, data: { ...deliveryOnWire(delivery), payload, last_response: delivery.lastResponse } });
	})
	.post('/:webhookId/deliveries/:deliveryId/redeliver', requireProgram('admin'), params(['webhookId', 'deliveryId']), async (c) => {
		const { ctx, program } = c.var;
		const { webhookId, deliveryId } = c.req.valid('param');
		return c.json({ success: true, data: deliveryOnWire(await redeliver(ctx, program, webhookId, deliveryId)) });
	});

function endpointOnWire(endpoint: WebhookEndpoint) {
	return {
		id: endpoint.id,
		url: endpoint.url,
		description: endpoint.description,
		types: endpoint.types,
		enabled: endpoint.disabledAt === null,
		disabled_at: isoOf(endpoint.disabledAt),
		disabled_for: endpoint.disabledFor,
		failures: endpoint.failures,
		failing_since: isoOf(endpoint.failingSince),
		previous_secret_until: isoOf(endpoint.previousSecretUntil),
		created_at: isoOf(endpoint.createdAt),
	};
}

function deliveryOnWire(delivery: WebhookDelivery) {
	return {
		id: delivery.id,
		/** The header `webhook-id`. */
		webhook_id: webhookIdOf(delivery),
		type: delivery.type,
		test: delivery.isTest,
		status: delivery.state,
		attempts: delivery.attempts,
		next_attempt_at: isoOf(delivery.nextAttemptAt),
		last_attempt_at: isoOf(delivery.lastAttemptAt),
		last_status: delivery.lastStatus,
		last_error: delivery.lastError && WEBHOOK_ERRORS[delivery.lastError],
		last_duration_ms: delivery.lastDurationMs,
		created_at: isoOf(delivery.createdAt),
		settled_at: isoOf(delivery.settledAt),
	};
}
