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
	payment_id: text('For `payment`, `renewal`, `refund`, `dispute`: id of the payment, the `transaction_id` of its sale.'),
	amount_cents: amount(1, 'Amount paid, with tax and shipping, or refunded or disputed'),
	tax_cents: amount(0, 'Tax included in a payment'),
	shipping_cents: amount(0, 'Shipping included in a payment, without its tax'),
	currency: { type: ['string', 'null'], pattern: '^[A-Za-z]{3}$', description: 'ISO 4217 code. Required with `amount_cents`.' },
	customer_key: text('Your id of the customer, for `payment`, `renewal`, `signup`. Also applies to the subscription.'),
	click_id: text("The customer's click id, from the cookie `tracker_click_id`; for the same types. Also applies to the subscription."),
	subscription_id: text('The subscription. Required for `renewal` and `subscription_end`.'),
	subscription_interval: oneOf(['monthly', 'quarterly', 'annual'], 'The billing interval.'),
	product_id: text('The product.'),
	line_items: {
		description:
			'The lines of the sale, each with an integer `amount_cents` and its `product_id`. Other values are stored as a detail and never cause a refusal.',
	},
	proration: flag('Whether a renewal only prorates a subscription change; it earns no flat commission.'),
	refund_id: text('Identifies the refund. The same id with another `status` updates it.'),
	dispute_id: text('Identifies the dispute.'),
	status: oneOf(
		['pending', 'succeeded', 'failed', 'canceled', 'open', 'lost', 'won'],
		'For a refund, `succeeded` (default) and `pending` count; `failed` and `canceled` undo it. For a dispute, `open` (default) and `lost` count; `won` undoes it.',
	),
	reason: text('Why it was refunded or disputed.'),
	trial: flag('Whether the signup starts a trial.'),
};

const DATA_JSON: JsonSchema = { type: 'object', properties: { ...FIELDS } };

/** Which fields apply depends on the event's type. */
const OF_DATA = EVENT_TYPES.flatMap((type) =>
	refusalsOf(z.object({ data: DATA[type]() }), { type: 'object', properties: { data: DATA_JSON } }),
);

export const CUSTOM: WebhookDoc = {
	headers: {
		'webhook-id': 'Id of the event, the same for every retry. Each event is stored once.',
		'webhook-timestamp': 'When it was sent, Unix time in seconds; at most 5 minutes from now.',
		'webhook-signature':
			'`v1,` and the base64 of the HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The key is the part of the secret after `whsec_`, decoded from base64. Of several signatures, separated by spaces, one valid one is enough.',
	},
	body: {
		...bodyOf('CustomEvent', "An event in this service's format. Unknown fields are ignored.", CustomEvent, {
			type: 'Type of the event.',
			timestamp: { text: 'When it happened, in UTC or with an offset.', json: { type: 'string', format: 'date-time' } },
			test: { text: 'Whether it is a test. Test records are flagged and do not count.', json: { type: ['boolean', 'null'] } },
			data: {
				text: "The event's data. Null counts as omitted.",
				json: DATA_JSON,
			},
		}),
		refusals: [
			...refusalsOf(CustomEvent(), { type: 'object', properties: { type: {}, timestamp: {}, test: {}, data: DATA_JSON } }),
			...OF_DATA,
			invalid('The body must be a JSON object with type, timestamp and data', 'The body has another form.'),
			invalid('The body must be JSON in UTF-8', 'The body is not JSON in UTF-8.'),
			invalid('webhook-id must be a text of 1 to 255 characters, without control characters', 'The id has another form.'),
			invalid('timestamp must not be in the future', 'The timestamp is more than 5 minutes ahead.'),
			invalid('data must have customer_key, click_id or subscription_id', 'The payment has none of them.'),
			invalid('data.tax_cents must not be more than amount_cents', 'The tax is more than the amount.'),
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
			summary: 'A partial refund',
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
			summary: 'An invalid amount',
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
