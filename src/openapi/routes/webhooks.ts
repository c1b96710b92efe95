import * as z from 'zod/mini';
import { Envelope } from '../../processor/stripe/read-event.ts';
import { invalid, rejected } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { bodyOf, type Operation } from '../operation.ts';

const StripeEvent = z.looseObject({
	object: z.literal('event'),
	...Envelope.shape,
	data: z.optional(z.looseObject({ object: z.optional(z.looseObject({})) })),
});

export const webhooks: readonly Operation[] = [
	{
		method: 'post',
		path: '/webhooks/stripe/:programId',
		id: 'receiveStripeEvent',
		tag: 'Stripe',
		summary: 'Receive an event of Stripe',
		description:
			'What Stripe calls; nobody else can, as the signature proves who does. The event is put into the inbox, once, and processed from there: what became of it is told by `GET /api/v1/programs/{id}/processor-events`. The body may have 1 MiB.',
		caller: 'anybody',
		isLimited: true,
		params: { programId: 'Number of the program.' },
		headers: {
			'Stripe-Signature':
				'The time and the signature of the body, as Stripe makes them with the signing secret of the endpoint: at most 5 minutes old.',
		},
		body: {
			...bodyOf('StripeEvent', 'An event as Stripe sends it. What more it has is kept and, where it is needed, read.', () => StripeEvent, {
				object: 'Always `event`.',
				id: { text: 'Id of the event at Stripe, by which it is kept once.', json: { type: 'string', maxLength: 255 } },
				type: { text: 'What happened, such as `invoice.paid`.', json: { type: 'string', maxLength: 255 } },
				livemode: { text: 'False: of the test mode of Stripe; makes flagged test records.', json: { type: 'boolean', 'x-lenient': true } },
				created: { text: 'When it happened, seconds since 1970, UTC.', json: { type: 'integer', minimum: 0 } },
				data: {
					text: 'What it is about.',
					json: { 'x-lenient': true },
					fields: { object: 'The checkout session, invoice, refund or whatever the type says.' },
				},
			}),
			refusals: [
				invalid('The Stripe-Signature header is missing: this address takes webhooks that Stripe has signed', 'There is no such header.'),
				invalid(
					'The Stripe-Signature does not match this body, or is older than 5 minutes. Check that the signing secret (whsec_...) of this very endpoint is set for the program, for test and live mode apart, that nothing on the way changes the body, and that the clocks are right',
					'None of the signing secrets has signed this body within the last minutes.',
				),
				invalid('The body is not an event of Stripe', 'It is signed, but has no `id`, `type` or `created`, or is nested too deep.'),
				rejected('body_too_large', 'The body is longer than that.', { limit: '1 MiB' }),
			],
		},
		answers: {
			200: {
				description: 'The event is kept, now or before.',
				schema: named('Received', 'An event that is kept.', z.object({ received: is(z.literal(true), 'Always true.') })),
			},
		},
		errors: [
			{
				status: 404,
				text: 'No Stripe webhook is set up at this address. Take the address from GET /api/v1/programs/<id>/stripe of an active program',
				when: 'The program has no signing secret, is not active, or is none.',
			},
		],
		examples: [
			{
				name: 'checkout',
				summary: 'A paid checkout: a sale of 99.00 USD',
				params: { programId: 1 },
				isSignedAsStripe: true,
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
	},
];
