import * as z from 'zod/mini';
import { Around } from '../../../processor/paddle/read-event.ts';
import { bodyOf } from '../../operation.ts';
import type { WebhookDoc } from './webhook-doc.ts';

const PaddleEvent = z.looseObject({ ...Around.shape, data: z.optional(z.looseObject({})) });

export const PADDLE: WebhookDoc = {
	headers: {
		'Paddle-Signature':
			"The time and signatures of the body, created by Paddle with the destination's secret key; at most 5 minutes from now.",
	},
	body: bodyOf('PaddleEvent', 'An event as sent by Paddle. Other fields are stored and read if needed.', () => PaddleEvent, {
		event_id: { text: "Paddle's id of the event. Each event is stored once.", json: { type: 'string', maxLength: 255 } },
		event_type: { text: 'Type of the event, such as `transaction.completed`.', json: { type: 'string', maxLength: 255 } },
		occurred_at: { text: 'When it happened, RFC 3339.', json: { type: 'string', format: 'date-time' } },
		data: { text: 'The transaction, adjustment or subscription, depending on the type.', json: { 'x-lenient': true } },
	}),
	examples: [
		{
			name: 'transaction',
			summary: 'A completed transaction: a sale of 99.00 USD',
			params: { programId: 1 },
			signedBy: 'paddle',
			body: {
				event_id: 'evt_01jd3k5t7v9x1z3b5d7f9h1j3k',
				event_type: 'transaction.completed',
				occurred_at: '2026-11-20T09:00:00.000000Z',
				notification_id: 'ntf_01jd3k5t7v9x1z3b5d7f9h1j3m',
				data: {
					id: 'txn_01jd3k5t7v9x1z3b5d7f9h1j3n',
					status: 'completed',
					origin: 'web',
					currency_code: 'USD',
					subscription_id: null,
					custom_data: { tracker_customer_key: 'user-1001', program_id: '1' },
					details: {
						totals: { subtotal: '9900', tax: '1881', total: '11781', credit: '0', grand_total: '11781', grand_total_tax: '1881' },
						line_items: [],
					},
				},
			},
		},
		{
			name: 'unsigned',
			summary: 'Without a signature',
			params: { programId: 1 },
			body: { event_id: 'evt_forged', event_type: 'transaction.completed', occurred_at: '2026-11-20T09:00:00Z' },
			status: 400,
		},
	],
};
