import * as z from 'zod/mini';
import {
	DeliveryQuery,
	NewWebhook,
	TestEventRequest,
	WebhookChanges,
	WebhookSecretRequest,
	type webhooks as webhookRoutes,
} from '../../../http/management/webhooks/webhooks.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, nothing, PAGE_FIELDS, pageOf } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { EventType, ReadDelivery, Webhook, WebhookDelivery, WebhookWithSecret } from './webhook-fields.ts';

const PARAMS = { webhookId: "The webhook's id." };
const DELIVERY_PARAMS = { ...PARAMS, deliveryId: "The delivery's id." };
const NO_WEBHOOK = notFound('Webhook');
const NO_DELIVERY = notFound('Delivery');
const DISABLED = conflict('This webhook is disabled: enable it first', 'It receives no events.');
const URL_TEXT = 'An https URL on port 443 with a public host name, at most 2,000 characters; no user name or IP address.';
export const NO_ADDRESS = [
	invalid('url must be an https address of at most 2000 characters', 'It is not a valid address.'),
	invalid('url must not contain a user name or password', 'It has a user name or password.'),
	invalid('url must begin with https://', 'It uses http.'),
	invalid('url must be on port 443', 'It has another port.'),
	invalid('url must be on a public host name', 'It has an IP address or a private network name.'),
];
const TYPES_TEXT = 'The event types to send.';

export const managementWebhooks = underProgram('Webhooks', '/webhooks', [
	{
		method: 'get',
		path: '/types',
		atLeast: 'admin',
		id: 'listWebhookTypes',
		summary: 'List event types',
		description: 'All event types and when each is sent.',
		answers: {
			200: {
				description: 'The types.',
				schema: answerOfRoute<typeof webhookRoutes, '/types', '$get'>()(answerOf(z.array(EventType), 'The types.')),
			},
		},
		examples: [{ name: 'types', summary: 'All event types' }],
	},
	{
		method: 'post',
		atLeast: 'admin',
		id: 'createWebhook',
		summary: 'Create a webhook',
		description:
			'Creates a webhook that receives new events of these types, signed as in Standard Webhooks. The response shows the signing secret; no other response does.',
		body: bodyOf('NewWebhook', 'The webhook.', NewWebhook, {
			url: URL_TEXT,
			types: `${TYPES_TEXT} If omitted, all current types.`,
			description: 'Its purpose, 1 to 120 characters.',
		}),
		answers: {
			201: {
				description: 'The webhook with its secret.',
				schema: answerOfRoute<typeof webhookRoutes, '/', '$post'>()(answerOf(WebhookWithSecret, 'The new webhook.')),
			},
		},
		errors: [...NO_ADDRESS, conflict('A program has at most 10 webhooks: delete one first', 'The program has 10 webhooks.')],
		examples: [
			{
				name: 'webhook',
				summary: 'Sales and payouts',
				body: { url: 'https://hooks.shop.example/affiliates', types: ['sale.created', 'payout.sent'], description: 'The books' },
			},
		],
	},
	{
		method: 'get',
		atLeast: 'admin',
		id: 'listWebhooks',
		summary: 'List webhooks',
		description: 'The webhooks of a program, newest first, without their secrets.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of webhooks.',
				schema: answerOfRoute<typeof webhookRoutes, '/', '$get'>()(pageOf(Webhook, 'Webhooks, newest first.')),
			},
		},
		examples: [{ name: 'webhooks', summary: 'Program 1' }],
	},
	{
		method: 'get',
		path: '/:webhookId',
		atLeast: 'admin',
		id: 'readWebhook',
		summary: 'Read a webhook',
		description: "A webhook's settings and failures.",
		params: PARAMS,
		answers: {
			200: {
				description: 'The webhook.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId', '$get'>()(answerOf(Webhook, 'The webhook.')),
			},
		},
		errors: [NO_WEBHOOK],
		examples: [{ name: 'webhook', summary: 'The first webhook', params: { webhookId: 1 } }],
	},
	{
		method: 'patch',
		path: '/:webhookId',
		atLeast: 'admin',
		id: 'changeWebhook',
		summary: 'Change, enable or disable a webhook',
		description:
			'Pending deliveries go to the new URL. While a webhook is disabled, no events are recorded for it and pending deliveries fail. Enabling it resets its failures.',
		params: PARAMS,
		body: bodyOf('WebhookChanges', 'At least one field to change.', WebhookChanges, {
			url: URL_TEXT,
			types: TYPES_TEXT,
			description: 'Its purpose, 1 to 120 characters; null for none.',
			enabled: 'Whether it receives events.',
		}),
		answers: {
			200: {
				description: 'The updated webhook.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId', '$patch'>()(answerOf(Webhook, 'The webhook.')),
			},
		},
		errors: [NO_WEBHOOK, ...NO_ADDRESS, invalid('Send url, types, description or enabled', 'No field was sent.')],
		examples: [{ name: 'types', summary: 'Only sales', params: { webhookId: 1 }, body: { types: ['sale.created'] } }],
	},
	{
		method: 'post',
		path: '/:webhookId/secret',
		atLeast: 'admin',
		id: 'rollWebhookSecret',
		summary: 'Roll the secret',
		description:
			'Creates a new secret, shown only once. During the overlap, each delivery has two signatures: one with the new secret and one with the previous one.',
		params: PARAMS,
		body: {
			...bodyOf('WebhookSecretRequest', 'How long the previous secret still signs.', WebhookSecretRequest, {
				overlap_hours: 'How many hours the previous secret still signs, 0 to 168.',
			}),
			isOptional: true,
		},
		answers: {
			201: {
				description: 'The webhook with its new secret.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId/secret', '$post'>()(answerOf(WebhookWithSecret, 'The webhook.')),
			},
		},
		errors: [NO_WEBHOOK],
		examples: [{ name: 'roll', summary: 'An overlap of one hour', params: { webhookId: 1 }, body: { overlap_hours: 1 } }],
	},
	{
		method: 'post',
		path: '/:webhookId/test',
		atLeast: 'admin',
		id: 'sendTestWebhook',
		summary: 'Send a test event',
		description: 'Sends a test event (`"test": true`), delivered and logged like any other.',
		params: PARAMS,
		body: {
			...bodyOf('WebhookTestRequest', 'The event to send.', TestEventRequest, {
				type: "The event type. Defaults to the webhook's first type.",
			}),
			isOptional: true,
		},
		answers: {
			201: {
				description: 'The pending delivery.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId/test', '$post'>()(answerOf(WebhookDelivery, 'The delivery.')),
			},
		},
		errors: [NO_WEBHOOK, DISABLED],
		examples: [{ name: 'test', summary: 'A payout that was sent', params: { webhookId: 1 }, body: { type: 'payout.sent' } }],
	},
	{
		method: 'get',
		path: '/:webhookId/deliveries',
		atLeast: 'admin',
		id: 'listWebhookDeliveries',
		summary: 'List deliveries',
		description: 'Sent and pending deliveries of the last 30 days, newest first.',
		params: PARAMS,
		query: fieldsOf(DeliveryQuery, {
			...PAGE_FIELDS,
			status: 'Only deliveries with this status.',
			type: 'Only deliveries of this event type.',
		}),
		answers: {
			200: {
				description: 'A page of deliveries.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId/deliveries', '$get'>()(
					pageOf(WebhookDelivery, 'Deliveries, newest first.'),
				),
			},
		},
		errors: [NO_WEBHOOK],
		examples: [
			{ name: 'deliveries', summary: 'The newest deliveries', params: { webhookId: 1 } },
			{ name: 'failed', summary: 'Failed deliveries', params: { webhookId: 1 }, query: { status: 'failed' } },
		],
	},
	{
		method: 'get',
		path: '/:webhookId/deliveries/:deliveryId',
		atLeast: 'admin',
		id: 'readWebhookDelivery',
		summary: 'Read a delivery',
		description: 'A delivery with its body and last response. Erased personal data is removed.',
		params: DELIVERY_PARAMS,
		answers: {
			200: {
				description: 'The delivery.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId/deliveries/:deliveryId', '$get'>()(
					answerOf(ReadDelivery, 'The delivery.'),
				),
			},
		},
		errors: [NO_DELIVERY],
		examples: [{ name: 'delivery', summary: 'The test event', params: { webhookId: 1, deliveryId: 1 } }],
	},
	{
		method: 'post',
		path: '/:webhookId/deliveries/:deliveryId/redeliver',
		atLeast: 'admin',
		id: 'redeliverWebhook',
		summary: 'Send a delivery again',
		description: 'Sends the same body with the same `webhook-id` immediately, then restarts the retry schedule. Works in any status.',
		params: DELIVERY_PARAMS,
		answers: {
			200: {
				description: 'The pending delivery.',
				schema: answerOfRoute<typeof webhookRoutes, '/:webhookId/deliveries/:deliveryId/redeliver', '$post'>()(
					answerOf(WebhookDelivery, 'The delivery.'),
				),
			},
		},
		errors: [NO_DELIVERY, DISABLED],
		examples: [{ name: 'again', summary: 'The test event', params: { webhookId: 1, deliveryId: 1 } }],
	},
	{
		method: 'delete',
		path: '/:webhookId',
		atLeast: 'admin',
		id: 'deleteWebhook',
		summary: 'Delete a webhook',
		description: 'Permanently deletes a webhook. Pending deliveries are not sent, and its log is no longer available.',
		params: PARAMS,
		answers: {
			200: { description: 'The webhook was deleted.', schema: answerOfRoute<typeof webhookRoutes, '/:webhookId', '$delete'>()(nothing) },
		},
		errors: [NO_WEBHOOK],
		examples: [{ name: 'delete', summary: 'The second webhook', params: { webhookId: 2 } }],
	},
]);
