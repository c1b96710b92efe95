import * as z from 'zod/mini';
import { StripeRequest } from '../../../http/management/processors/stripe.ts';
import { answerOf, Instant, nothing, Text } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { NOT_CONNECTED } from './processors.ts';

export const StripeConnection = named(
	'StripeConnection',
	'How a program is connected with Stripe.',
	z.object({
		connected: is(z.boolean(), 'Whether a signing secret is set.'),
		webhook_url: is(Text, 'The address to enter at Stripe, for an endpoint for events on your account.'),
		events: is(z.array(Text), 'The types of events to select there.'),
		secret_hints: is(
			z.array(z.nullable(Text)),
			'How each signing secret ends, to tell them apart; null for one that cannot be read any more.',
		),
		amount_basis: is(
			z.nullable(z.enum(['net', 'gross'])),
			'Whether a sale counts without tax and shipping (`net`) or with them (`gross`); null if nothing is connected.',
		),
		created_at: is(z.nullable(Instant), 'When it was connected, UTC.'),
		updated_at: is(z.nullable(Instant), 'When that was last changed, UTC.'),
	}),
);

export const stripe = underProgram('Payment processors', '/stripe', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readStripe',
		summary: 'Read how Stripe is connected',
		description:
			'What `/processors/stripe` tells, for clients that knew no other processor. The address to enter at Stripe and the events to select are told before anything is connected.',
		answers: { 200: { description: 'The connection.', schema: answerOf(StripeConnection, 'The connection.') } },
		examples: [{ name: 'stripe', summary: 'Program 1' }],
	},
	{
		method: 'put',
		atLeast: 'admin',
		id: 'connectStripe',
		summary: 'Connect Stripe',
		description:
			'Sets the signing secrets that Stripe shows for the webhook endpoint; those set before are forgotten. Several count while one is rolled, and for test and live mode.',
		body: bodyOf('StripeRequest', 'Either `webhook_secret` or `webhook_secrets`.', StripeRequest, {
			webhook_secret: 'The signing secret of the endpoint, `whsec_...`.',
			webhook_secrets: 'Signing secrets, 1 to 5, each of which counts.',
			amount_basis: 'Whether a sale counts without tax and shipping (`net`) or with them (`gross`). Left out: as it is, `net` at first.',
		}),
		answers: { 200: { description: 'The connection as it is now.', schema: answerOf(StripeConnection, 'The connection.') } },
		errors: [invalid('Send either webhook_secret or webhook_secrets', 'Both were sent, or neither.')],
		examples: [
			{
				name: 'connect',
				summary: 'The signing secret of the endpoint',
				params: { id: 2 },
				body: { webhook_secret: 'whsec_aaaabbbbccccddddeeeeffff00001111' },
			},
			{
				name: 'roll',
				summary: 'Two secrets, and amounts with tax',
				params: { id: 2 },
				body: {
					webhook_secrets: ['whsec_222233334444555566667777aaaabbbb', 'whsec_aaaabbbbccccddddeeeeffff00001111'],
					amount_basis: 'gross',
				},
			},
			{ name: 'neither', summary: 'No secret', params: { id: 2 }, body: { amount_basis: 'net' }, status: 400 },
		],
	},
	{
		method: 'delete',
		atLeast: 'admin',
		id: 'disconnectStripe',
		summary: 'Disconnect Stripe',
		description: 'Takes no more webhooks and forgets the secrets. Events that still wait are refused; what was recorded stays.',
		answers: { 200: { description: 'Stripe is disconnected.', schema: nothing } },
		errors: [NOT_CONNECTED],
		examples: [
			{ name: 'disconnect', summary: 'Program 2', params: { id: 2 } },
			{ name: 'again', summary: 'It is disconnected', params: { id: 2 }, status: 404 },
		],
	},
]);
