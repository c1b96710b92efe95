import * as z from 'zod/mini';
import { TIMESTAMP_OFF } from '../../../domain/monitoring/signature-failure.ts';
import type { Processor } from '../../../processor/processor.ts';
import { Envelope } from '../../../processor/stripe/read-event.ts';
import { invalid, rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { CUSTOM } from './custom-webhook.ts';
import { PADDLE } from './paddle-webhook.ts';
import { PROCESSORS } from './processors.ts';
import type { WebhookDoc } from './webhook-doc.ts';

const StripeEvent = z.looseObject({
	object: z.literal('event'),
	...Envelope.shape,
	data: z.optional(z.looseObject({ object: z.optional(z.looseObject({})) })),
});

const STRIPE: WebhookDoc = {
	headers: {
		'Stripe-Signature': "The time and signature of the body, created by Stripe with the endpoint's signing secret; at most 5 minutes old.",
	},
	body: bodyOf('StripeEvent', 'An event as sent by Stripe. Other fields are stored and read if needed.', () => StripeEvent, {
		object: 'Always `event`.',
		id: { text: "Stripe's id of the event. Each event is stored once.", json: { type: 'string', maxLength: 255 } },
		type: { text: 'Type of the event, such as `invoice.paid`.', json: { type: 'string', maxLength: 255 } },
		livemode: { text: "False for Stripe's test mode, which creates flagged test records.", json: { type: 'boolean', 'x-lenient': true } },
		created: { text: 'When it happened, Unix time in seconds.', json: { type: 'integer', minimum: 0 } },
		data: {
			text: "The event's data.",
			json: { 'x-lenient': true },
			fields: { object: 'The checkout session, invoice, refund or other object, depending on the type.' },
		},
	}),
	examples: [
		{
			name: 'checkout',
			summary: 'A paid checkout: a sale of 99.00 USD',
			params: { programId: 1 },
			signedBy: 'stripe',
			body: {
				object: 'event',
				id: 'evt_checkout',
				type: 'checkout.session.completed',
				created: 1_795_165_200,
				livemode: true,
				data: {
					object: {
						id: 'cs_live_1',
						object: 'checkout.session',
						mode: 'payment',
						payment_status: 'paid',
						amount_total: 9900,
						currency: 'usd',
						customer: 'cus_1',
						payment_intent: 'pi_1',
						metadata: { tracker_customer_key: 'user-1001', program_id: '1' },
					},
				},
			},
		},
		{
			name: 'unsigned',
			summary: 'Without a signature',
			params: { programId: 1 },
			body: { object: 'event', id: 'evt_forged', type: 'invoice.paid', created: 1_795_165_200 },
			status: 400,
		},
	],
};

const DOCS: Readonly<Record<string, WebhookDoc>> = { stripe: STRIPE, paddle: PADDLE, custom: CUSTOM };

/** A processor that is not described here may send any object. */
function docOf({ name, title, signatureHeaders }: Processor): WebhookDoc {
	return (
		DOCS[name] ?? {
			headers: Object.fromEntries(signatureHeaders.map((header) => [header, `Proves that ${title} sent the event.`])),
			body: bodyOf(`${name}Event`, `An event as sent by ${title}.`, () => z.looseObject({}), {}),
			examples: [{ name: 'unsigned', summary: 'Without a signature', params: { programId: 1 }, body: {}, status: 400 }],
		}
	);
}

function webhookOf(processor: Processor): Operation {
	const { name, title, refusals, repetitions } = processor;
	const { headers, body, examples } = docOf(processor);
	return {
		method: 'post',
		path: `/webhooks/${name}/:programId`,
		id: `receive${name.charAt(0).toUpperCase()}${name.slice(1)}Event`,
		tag: 'Payment processors',
		summary: `Receive a ${title} event`,
		description: `Called by ${title}; the signature proves the sender. Each event is stored in the inbox once and processed from there; \`GET /api/v1/programs/{id}/processor-events\` shows its outcome. The body may have up to 1 MiB.`,
		caller: 'anybody',
		isLimited: true,
		params: { programId: "The program's id." },
		headers,
		body: {
			...body,
			refusals: [
				invalid(refusals.unsigned, 'The header is missing.'),
				invalid(refusals.forged, 'No signing secret signed this body within the last minutes.'),
				invalid(TIMESTAMP_OFF, "The sending server's clock is wrong, or the delivery was delayed and not signed again."),
				invalid(refusals.unreadable, 'The signed body is not an event or is nested too deep.'),
				rejected('body_too_large', 'The body is longer than the limit.', { limit: '1 MiB' }),
				...(body.refusals ?? []),
			],
		},
		answers: { 200: { description: 'The event is stored, now or earlier.', schema: Received } },
		errors: [
			{ status: 404, text: NOT_SET_UP, when: 'The program has no signing secret, is not active, or does not exist.' },
			...(repetitions ? [rejected('event_differs', 'The id belongs to an event with different data. The refusal is logged.')] : []),
		],
		examples,
	};
}

const NOT_SET_UP =
	'No {title} webhook is set up at this address. Take the address from GET /api/v1/programs/<id>/processors/{name} of an active program';

const Received = named('Received', 'A stored event.', z.object({ received: is(z.literal(true), 'Always true.') }));

export const webhooks: readonly Operation[] = PROCESSORS.map(webhookOf);
