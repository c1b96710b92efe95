import * as z from 'zod/mini';
import { WEBHOOK_TYPES } from '../../../domain/webhooks/webhook-type.ts';
import { STATUSES } from '../../../http/management/webhooks/webhooks.ts';
import { Count, Id, Instant, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';

const Type = z.enum(WEBHOOK_TYPES);

const webhook = {
	id: is(Id, "The webhook's id."),
	url: is(Text, 'The URL that receives events.'),
	description: is(z.nullable(Text), "The program's description of its purpose."),
	types: is(z.array(Type), 'The event types it receives.'),
	enabled: is(z.boolean(), 'Whether it receives events.'),
	disabled_at: is(z.nullable(Instant), 'When it was disabled, UTC.'),
	disabled_for: is(
		z.nullable(z.enum(['asked', 'gone', 'failing'])),
		'Why it was disabled: `asked` (on request), `gone` (the receiver answered 410) or `failing` (it failed for too long).',
	),
	failures: is(Count, 'Failed attempts since the last success.'),
	failing_since: is(z.nullable(Instant), 'When the first of these attempts failed, UTC.'),
	previous_secret_until: is(z.nullable(Instant), 'When the previous secret stops signing, UTC; null if only the current one signs.'),
	created_at: is(Instant, 'When it was created, UTC.'),
};

export const Webhook = named('Webhook', "A URL that receives a program's events.", z.object(webhook));

export const WebhookWithSecret = named(
	'WebhookWithSecret',
	'A webhook with its new secret.',
	z.object({ ...webhook, secret: is(Text, 'The signing secret (Standard Webhooks). Shown only once.') }),
);

const delivery = {
	id: is(Id, "The delivery's id."),
	webhook_id: is(Text, 'The header `webhook-id`, the same for all attempts and all webhooks that receive the event.'),
	type: is(Type, 'The event type.'),
	test: is(z.boolean(), 'Whether it is a test event.'),
	status: is(z.enum(STATUSES), '`pending`, `delivered` (answered with 2xx) or `failed` (given up).'),
	attempts: is(Count, 'Number of attempts.'),
	next_attempt_at: is(z.nullable(Instant), 'When the next attempt is due, UTC.'),
	last_attempt_at: is(z.nullable(Instant), 'When the last attempt was made, UTC.'),
	last_status: is(z.nullable(z.int()), 'HTTP status of the last response.'),
	last_error: is(z.nullable(Text), 'What went wrong in the last attempt.'),
	last_duration_ms: is(z.nullable(Count), 'Duration of the last attempt, ms.'),
	created_at: is(Instant, 'When the delivery was created, UTC.'),
	settled_at: is(z.nullable(Instant), 'When it was delivered or failed for good, UTC.'),
};

export const WebhookDelivery = named('WebhookDelivery', 'A delivery to a webhook, with its outcome.', z.object(delivery));

export const ReadDelivery = named(
	'WebhookDeliveryWithPayload',
	'A delivery with its payload and response.',
	z.object({
		...delivery,
		payload: is(
			z.object({
				type: is(Text, 'The event type.'),
				timestamp: is(Instant, 'When it happened, UTC.'),
				test: is(z.boolean(), 'Whether it is a test event.'),
				data: is(z.looseObject({}), 'The subject of the event.'),
			}),
			'The request body.',
		),
		last_response: is(z.nullable(Text), 'Start of the last response, at most 1 KB.'),
	}),
);

export const EventType = named(
	'WebhookEventType',
	'A type of event.',
	z.object({ type: is(Type, "The type's name."), description: is(Text, 'When it is sent.') }),
);
