import * as z from 'zod/mini';
import { Around } from '../../../processor/paddle/read-event.ts';
import { bodyOf } from '../../operation.ts';
import type { WebhookDoc } from './webhook-doc.ts';

const PaddleEvent = z.looseObject({ ...Around.shape, data: z.optional(z.looseObject({})) });

export const PADDLE: WebhookDoc = {
	headers: {
		'Paddle-Signature':
			'The time and the signatures of the body, as Paddle makes them with the secret key of the destination: at most 5 minutes from now.',
	},
	body: bodyOf('PaddleEvent', 'An event as Paddle sends it. What more it has is kept and, where it is needed, read.', () => PaddleEvent, {
		event_id: { text: 'Id of the event at Paddle, by which it is kept once.', json: { type: 'string', maxLength: 255 } },
		event_type: { text: 'What happened, such as `transaction.completed`.', json: { type: 'string', maxLength: 255 } },
		occurred_at: { text: 'When it happened, RFC 3339.', json: { type: 'string', format: 'date-time' } },
		data: { text: 'The transaction, adjustment or subscription, as the type says.', json: { 'x-lenient': true } },
	}),
	examples: [
		{
			name: 'transaction',
			summary: 'A transaction that is complete: a sale of 99.00 USD',
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
