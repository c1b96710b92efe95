import * as z from 'zod/mini';
import { StripeRequest, type stripe as stripeRoutes } from '../../../http/management/processors/stripe.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Instant, nothing, Text } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { NOT_CONNECTED } from './processors.ts';

export const StripeConnection = named(
	'StripeConnection',
	"A program's connection to Stripe.",
	z.object({
		connected: is(z.boolean(), 'Whether a signing secret is set.'),
		webhook_url: is(Text, 'The URL to enter at Stripe, for an endpoint for events on your account.'),
		events: is(z.array(Text), 'The event types to select at Stripe.'),
		secret_hints: is(z.array(z.nullable(Text)), 'The last characters of each signing secret; null if it cannot be decrypted.'),
		amount_basis: is(
			z.nullable(z.enum(['net', 'gross'])),
			'Whether sale amounts exclude tax and shipping (`net`) or include them (`gross`); null if not connected.',
		),
		created_at: is(z.nullable(Instant), 'When it was connected, UTC.'),
		updated_at: is(z.nullable(Instant), 'When the connection was last changed, UTC.'),
	}),
);

export const stripe = underProgram('Payment processors', '/stripe', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readStripe',
		summary: 'Read the Stripe connection',
		description:
			'The same as `/processors/stripe`, for older clients. Shows the URL to enter at Stripe and the events to select, even before Stripe is connected.',
		answers: {
			200: {
				description: 'The connection.',
				schema: answerOfRoute<typeof stripeRoutes, '/', '$get'>()(answerOf(StripeConnection, 'The connection.')),
			},
		},
		examples: [{ name: 'stripe', summary: 'Program 1' }],
	},
	{
		method: 'put',
		atLeast: 'admin',
		id: 'connectStripe',
		summary: 'Connect Stripe',
		description:
			'Sets the signing secrets that Stripe shows for the webhook endpoint, replacing earlier ones. Several can be valid, during a rotation or for test and live mode.',
		body: bodyOf('StripeRequest', 'Send either `webhook_secret` or `webhook_secrets`.', StripeRequest, {
			webhook_secret: 'The signing secret of the endpoint, `whsec_...`.',
			webhook_secrets: '1 to 5 signing secrets, all valid.',
			amount_basis:
				'Whether sale amounts exclude tax and shipping (`net`) or include them (`gross`). If omitted, unchanged; initially `net`.',
		}),
		answers: {
			200: {
				description: 'The updated connection.',
				schema: answerOfRoute<typeof stripeRoutes, '/', '$put'>()(answerOf(StripeConnection, 'The connection.')),
			},
		},
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
				summary: 'Two secrets and amounts with tax',
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
		description: 'Stops accepting webhooks and deletes the secrets. Waiting events are refused; recorded data stays.',
		answers: { 200: { description: 'Stripe is disconnected.', schema: answerOfRoute<typeof stripeRoutes, '/', '$delete'>()(nothing) } },
		errors: [NOT_CONNECTED],
		examples: [
			{ name: 'disconnect', summary: 'Program 2', params: { id: 2 } },
			{ name: 'again', summary: 'Stripe is already disconnected', params: { id: 2 }, status: 404 },
		],
	},
]);
