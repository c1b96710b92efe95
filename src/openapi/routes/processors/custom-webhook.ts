import * as z from 'zod/mini';
import { CustomEvent, DATA, EVENT_TYPES } from '../../../processor/custom/body.ts';
import { invalid } from '../../errors.ts';
import type { JsonSchema } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { refusalsOf } from '../../probe.ts';
import type { WebhookDoc } from './webhook-doc.ts';

const text = (description: string): JsonSchema => ({ type: ['string', 'null'], minLength: 1, maxLength: 255, description });
const amount = (least: number, description: string): JsonSchema => ({
	type: ['integer', 'null'],
	minimum: least,
	maximum: 99_999_999_999,
	description: `${description}, in minor units of the currency.`,
});
const oneOf = (values: readonly string[], description: string): JsonSchema => ({ enum: [...values, null], description });
const flag = (description: string): JsonSchema => ({ type: ['boolean', 'null'], description });

const FIELDS: Readonly<Record<string, JsonSchema>> = {
	payment_id: text('`payment`, `renewal`, `refund`, `dispute`: the id of the payment, which is the `transaction_id` of its sale.'),
	amount_cents: amount(1, 'What was paid, with tax and shipping; or given back, or disputed'),
	tax_cents: amount(0, 'How much of a payment is tax'),
	shipping_cents: amount(0, 'How much of a payment is shipping, without its tax'),
	currency: { type: ['string', 'null'], pattern: '^[A-Za-z]{3}$', description: 'ISO 4217. Of whatever has an amount.' },
	customer_key: text('Your id of the customer. Of `payment`, `renewal`, `signup`; counts for the subscription too.'),
	click_id: text('The click by which they came, of the cookie `tracker_click_id`; likewise.'),
	subscription_id: text('What is renewed, or has ended. A `renewal` and a `subscription_end` need it.'),
	subscription_interval: oneOf(['monthly', 'quarterly', 'annual'], 'How often it is paid.'),
	product_id: text('What was bought.'),
	line_items: {
		description:
			'What was bought, line by line: as of a sale, each line with an integer `amount_cents` and its `product_id`. Any other value is kept as a detail, and no payment is refused for it.',
	},
	proration: flag('Whether a renewal is only what a change of the subscription costs: a flat commission is not earned by it.'),
	refund_id: text('Tells refunds apart. The same one again, with another `status`, is the same refund.'),
	dispute_id: text('Tells disputes apart.'),
	status: oneOf(
		['pending', 'succeeded', 'failed', 'canceled', 'open', 'lost', 'won'],
		'Of a refund `succeeded` (where left out) or `pending`, which count; `failed` or `canceled`, which undo it. Of a dispute `open` (where left out), `lost` or `won`, which undoes it.',
	),
	reason: text('Why it was given back or disputed.'),
	trial: flag('Whether the signup begins a trial.'),
};

const DATA_JSON: JsonSchema = { type: 'object', properties: { ...FIELDS } };

/** The fields of all types. Which of them apply is checked once the type is known. */
const OF_DATA = EVENT_TYPES.flatMap((type) =>
	refusalsOf(z.object({ data: DATA[type]() }), { type: 'object', properties: { data: DATA_JSON } }),
);

export const CUSTOM: WebhookDoc = {
	headers: {
		'webhook-id': 'Id of the event, by which it is kept once: the same at every retry.',
		'webhook-timestamp': 'When it was sent, seconds since 1970, UTC: at most 5 minutes from now.',
		'webhook-signature':
			'`v1,` and the base64 of the HMAC-SHA256 of webhook-id, webhook-timestamp and the body, with dots between; the key is what follows `whsec_` in the secret, decoded from base64. Several with blanks between: one is enough.',
	},
	body: {
		...bodyOf('CustomEvent', 'What happened, in the words of this service. Fields that it does not know are ignored.', CustomEvent, {
			type: 'What happened.',
			timestamp: { text: 'When, UTC or with its offset.', json: { type: 'string', format: 'date-time' } },
			test: { text: 'True: a test, which makes flagged records that move nothing.', json: { type: ['boolean', 'null'] } },
			data: {
				text: 'What it is about. Null counts as left out.',
				json: DATA_JSON,
			},
		}),
		refusals: [
			...refusalsOf(CustomEvent(), { type: 'object', properties: { type: {}, timestamp: {}, test: {}, data: DATA_JSON } }),
			...OF_DATA,
			invalid('The body must be a JSON object with type, timestamp and data', 'It is something else.'),
			invalid('The body must be JSON in UTF-8', 'It is none.'),
			invalid('webhook-id must be a text of 1 to 255 characters, without control characters', 'It is none.'),
			invalid('timestamp must not be in the future', 'It is more than 5 minutes ahead.'),
			invalid('data must have customer_key, click_id or subscription_id', 'A payment names nobody.'),
			invalid('data.tax_cents must not be more than amount_cents', 'A part is more than the whole.'),
		],
	},
	examples: [
		{
			name: 'payment',
			summary: 'The first payment of a subscription: a sale of 99.00 USD',
			params: { programId: 1 },
			signedBy: 'custom',
			body: {
				type: 'payment',
				timestamp: '2026-01-20T09:00:00Z',
				data: {
					payment_id: 'order-9001',
					amount_cents: 11_781,
					tax_cents: 1_881,
					currency: 'USD',
					customer_key: 'user-1001',
					subscription_id: 'plan-77',
				},
			},
		},
		{
			name: 'refund',
			summary: 'A part of it is given back',
			params: { programId: 1 },
			signedBy: 'custom',
			body: {
				type: 'refund',
				timestamp: '2026-01-21T09:00:00Z',
				data: { refund_id: 'refund-1', payment_id: 'order-9001', amount_cents: 2_000, currency: 'USD' },
			},
		},
		{
			name: 'wrong',
			summary: 'An amount that is none',
			params: { programId: 1 },
			signedBy: 'custom',
			body: {
				type: 'refund',
				timestamp: '2026-01-21T09:00:00Z',
				data: { refund_id: 'refund-2', payment_id: 'order-9001', amount_cents: '20.00', currency: 'USD' },
			},
			status: 400,
		},
		{ name: 'unsigned', summary: 'Without a signature', params: { programId: 1 }, body: { type: 'signup' }, status: 400 },
	],
};
