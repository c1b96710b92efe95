import * as z from 'zod/mini';
import { WEBHOOK_TYPES } from '../../../domain/webhooks/webhook-type.ts';
import {
	DeliveryQuery,
	NewWebhook,
	STATUSES,
	TestEventRequest,
	WebhookChanges,
	WebhookSecretRequest,
} from '../../../http/management/webhooks/webhooks.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const Type = z.enum(WEBHOOK_TYPES);

const webhook = {
	id: is(Id, 'Id of the webhook.'),
	url: is(Text, 'Where it is sent.'),
	description: is(z.nullable(Text), 'What it is for, as its program calls it.'),
	types: is(z.array(Type), 'The types of events that it is sent.'),
	enabled: is(z.boolean(), 'Whether it is sent anything.'),
	disabled_at: is(z.nullable(Instant), 'Since when it is not, UTC.'),
	disabled_for: is(
		z.nullable(z.enum(['asked', 'gone', 'failing'])),
		'Why: someone asked for it, the receiver answered 410, or it had failed for too long.',
	),
	failures: is(Count, 'Attempts that failed since the last one that did not.'),
	failing_since: is(z.nullable(Instant), 'When the first of them failed, UTC.'),
	previous_secret_until: is(z.nullable(Instant), 'Until when the secret before signs beside the current one, UTC; null: it does not.'),
	created_at: is(Instant, 'When it was created, UTC.'),
};

export const Webhook = named('Webhook', 'An address that is told what happens in a program.', z.object(webhook));

const WebhookWithSecret = named(
	'WebhookWithSecret',
	'A webhook with a secret that was just made.',
	z.object({ ...webhook, secret: is(Text, 'What signs its deliveries, by Standard Webhooks. Told this once: keep it.') }),
);

const delivery = {
	id: is(Id, 'Id of the delivery.'),
	webhook_id: is(Text, 'The header `webhook-id`: the same at every attempt, and forevery webhook that is told of the same event.'),
	type: is(Type, 'The type of the event.'),
	test: is(z.boolean(), 'Whether it is a test event.'),
	status: is(z.enum(STATUSES), 'Whether it waits to be sent, was answered with 2xx, or was given up.'),
	attempts: is(Count, 'How often it was sent.'),
	next_attempt_at: is(z.nullable(Instant), 'When it is sent next, UTC.'),
	last_attempt_at: is(z.nullable(Instant), 'When it was sent last, UTC.'),
	last_status: is(z.nullable(z.int()), 'The HTTP status that was answered then.'),
	last_error: is(z.nullable(Text), 'What went wrong then, in plain words.'),
	last_duration_ms: is(z.nullable(Count), 'How long the answer took, ms.'),
	created_at: is(Instant, 'When the event was frozen, UTC.'),
	settled_at: is(z.nullable(Instant), 'When it was delivered or given up, UTC.'),
};

export const WebhookDelivery = named('WebhookDelivery', 'What a webhook was sent, and what became of it.', z.object(delivery));

const ReadDelivery = named(
	'WebhookDeliveryWithPayload',
	'A delivery with what was sent and answered.',
	z.object({
		...delivery,
		payload: is(
			z.object({
				type: is(Text, 'The type of the event.'),
				timestamp: is(Instant, 'When it happened, UTC.'),
				test: is(z.boolean(), 'Whether it is a test event.'),
				data: is(z.looseObject({}), 'What it is about.'),
			}),
			'The body, as it is sent.',
		),
		last_response: is(z.nullable(Text), 'How the last answer begins: at most 1 KB.'),
	}),
);

const EventType = named(
	'WebhookEventType',
	'What can be told.',
	z.object({ type: is(Type, 'Its name.'), description: is(Text, 'When it is sent.') }),
);

const PARAMS = { webhookId: 'Id of the webhook.' };
const DELIVERY_PARAMS = { ...PARAMS, deliveryId: 'Id of the delivery.' };
const NO_WEBHOOK = notFound('Webhook');
const NO_DELIVERY = notFound('Delivery');
const DISABLED = conflict('This webhook is disabled: enable it first', 'It is sent nothing.');
const URL_TEXT = 'An https address on port 443 and a public host name, at most 2,000 characters; no user name, no IP address.';
export const NO_ADDRESS = [
	invalid('url must be an https address of at most 2000 characters', 'It is no address.'),
	invalid('url must not hold a user name or password', 'It holds one.'),
	invalid('url must begin with https://', 'It is http.'),
	invalid('url must be on port 443', 'It names another port.'),
	invalid('url must be on a public host name', 'It is an IP address, or a name of someone’s own network.'),
];
const TYPES_TEXT = 'The types of events to send it.';

export const managementWebhooks = underProgram('Webhooks', '/webhooks', [
	{
		method: 'get',
		path: '/types',
		atLeast: 'admin',
		id: 'listWebhookTypes',
		summary: 'List the types of events',
		description: 'Whatever a webhook can be sent, and when it is.',
		answers: { 200: { description: 'The types.', schema: answerOf(z.array(EventType), 'The types.') } },
		examples: [{ name: 'types', summary: 'All of them' }],
	},
	{
		method: 'post',
		atLeast: 'admin',
		id: 'createWebhook',
		summary: 'Create a webhook',
		description:
			'From then on the address is sent each event of these types, signed by Standard Webhooks with the secret that this answer tells, and no other one.',
		body: bodyOf('NewWebhook', 'The webhook.', NewWebhook, {
			url: URL_TEXT,
			types: `${TYPES_TEXT} Left out: all that there are now.`,
			description: 'What it is for: 1 to 120 characters.',
		}),
		answers: { 201: { description: 'The webhook with its secret.', schema: answerOf(WebhookWithSecret, 'The new webhook.') } },
		errors: [...NO_ADDRESS, conflict('A program has at most 10 webhooks: delete one first', 'It has 10.')],
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
		answers: { 200: { description: 'A page of webhooks.', schema: pageOf(Webhook, 'Webhooks, newest first.') } },
		examples: [{ name: 'webhooks', summary: 'Program 1' }],
	},
	{
		method: 'get',
		path: '/:webhookId',
		atLeast: 'admin',
		id: 'readWebhook',
		summary: 'Read a webhook',
		description: 'How it is set, and whether it fails.',
		params: PARAMS,
		answers: { 200: { description: 'The webhook.', schema: answerOf(Webhook, 'The webhook.') } },
		errors: [NO_WEBHOOK],
		examples: [{ name: 'webhook', summary: 'The first', params: { webhookId: 1 } }],
	},
	{
		method: 'patch',
		path: '/:webhookId',
		atLeast: 'admin',
		id: 'changeWebhook',
		summary: 'Change, enable or disable a webhook',
		description:
			'What waits goes to the new address. While a webhook is disabled nothing is noted for it, and what waited is given up; whoever enables it has its failures forgotten.',
		params: PARAMS,
		body: bodyOf('WebhookChanges', 'At least one field to change.', WebhookChanges, {
			url: URL_TEXT,
			types: TYPES_TEXT,
			description: 'What it is for: 1 to 120 characters; null: nothing.',
			enabled: 'False: it is sent nothing; true: it is again.',
		}),
		answers: { 200: { description: 'The webhook as it is now.', schema: answerOf(Webhook, 'The webhook.') } },
		errors: [NO_WEBHOOK, ...NO_ADDRESS, invalid('Send url, types, description or enabled', 'No field was sent.')],
		examples: [{ name: 'types', summary: 'Sales alone', params: { webhookId: 1 }, body: { types: ['sale.created'] } }],
	},
	{
		method: 'post',
		path: '/:webhookId/secret',
		atLeast: 'admin',
		id: 'rollWebhookSecret',
		summary: 'Roll the secret',
		description:
			'Makes another secret, which is told this once. Until the overlap ends each delivery has two signatures, by the new one and by the one before.',
		params: PARAMS,
		body: {
			...bodyOf('WebhookSecretRequest', 'How long the one before still signs.', WebhookSecretRequest, {
				overlap_hours: 'Hours for which it does, 0 to 168.',
			}),
			isOptional: true,
		},
		answers: { 201: { description: 'The webhook with its new secret.', schema: answerOf(WebhookWithSecret, 'The webhook.') } },
		errors: [NO_WEBHOOK],
		examples: [{ name: 'roll', summary: 'An hour beside each other', params: { webhookId: 1 }, body: { overlap_hours: 1 } }],
	},
	{
		method: 'post',
		path: '/:webhookId/test',
		atLeast: 'admin',
		id: 'sendTestWebhook',
		summary: 'Send a test event',
		description: 'An event in which nothing has happened, `"test": true`, sent and logged like any other.',
		params: PARAMS,
		body: {
			...bodyOf('WebhookTestRequest', 'Which event.', TestEventRequest, {
				type: 'Its type. Left out: the first that the webhook is sent.',
			}),
			isOptional: true,
		},
		answers: { 201: { description: 'The delivery, which is on its way.', schema: answerOf(WebhookDelivery, 'The delivery.') } },
		errors: [NO_WEBHOOK, DISABLED],
		examples: [{ name: 'test', summary: 'A payout that was sent', params: { webhookId: 1 }, body: { type: 'payout.sent' } }],
	},
	{
		method: 'get',
		path: '/:webhookId/deliveries',
		atLeast: 'admin',
		id: 'listWebhookDeliveries',
		summary: 'List deliveries',
		description: 'What the webhook was sent and is to be sent, newest first: of 30 days.',
		params: PARAMS,
		query: fieldsOf(DeliveryQuery, { ...PAGE_FIELDS, status: 'Only those in this state.', type: 'Only events of this type.' }),
		answers: { 200: { description: 'A page of deliveries.', schema: pageOf(WebhookDelivery, 'Deliveries, newest first.') } },
		errors: [NO_WEBHOOK],
		examples: [
			{ name: 'deliveries', summary: 'The newest', params: { webhookId: 1 } },
			{ name: 'failed', summary: 'What was given up', params: { webhookId: 1 }, query: { status: 'failed' } },
		],
	},
	{
		method: 'get',
		path: '/:webhookId/deliveries/:deliveryId',
		atLeast: 'admin',
		id: 'readWebhookDelivery',
		summary: 'Read a delivery',
		description: 'With its body and how it was answered last. Who was erased is not in it any more.',
		params: DELIVERY_PARAMS,
		answers: { 200: { description: 'The delivery.', schema: answerOf(ReadDelivery, 'The delivery.') } },
		errors: [NO_DELIVERY],
		examples: [{ name: 'delivery', summary: 'The test event', params: { webhookId: 1, deliveryId: 1 } }],
	},
	{
		method: 'post',
		path: '/:webhookId/deliveries/:deliveryId/redeliver',
		atLeast: 'admin',
		id: 'redeliverWebhook',
		summary: 'Send a delivery again',
		description: 'The same body under the same `webhook-id`, at once, and then by the schedule from its start. Whatever state it is in.',
		params: DELIVERY_PARAMS,
		answers: { 200: { description: 'The delivery, which waits.', schema: answerOf(WebhookDelivery, 'The delivery.') } },
		errors: [NO_DELIVERY, DISABLED],
		examples: [{ name: 'again', summary: 'The test event', params: { webhookId: 1, deliveryId: 1 } }],
	},
	{
		method: 'delete',
		path: '/:webhookId',
		atLeast: 'admin',
		id: 'deleteWebhook',
		summary: 'Delete a webhook',
		description: 'For good: what waits is not sent any more, and its deliveries are seen no more.',
		params: PARAMS,
		answers: { 200: { description: 'It is gone.', schema: nothing } },
		errors: [NO_WEBHOOK],
		examples: [{ name: 'delete', summary: 'The second', params: { webhookId: 2 } }],
	},
]);
