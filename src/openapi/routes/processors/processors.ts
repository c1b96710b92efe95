import * as z from 'zod/mini';
import { ProcessorRequest, RollRequest, type processors as processorRoutes } from '../../../http/management/processors/processors.ts';
import type { Processor } from '../../../processor/processor.ts';
import { loadProcessor, PROCESSOR_NAMES } from '../../../processor/processors.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Instant, nothing, Text } from '../../answers.ts';
import { type ErrorDoc, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type ParamDoc } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const PROCESSORS: readonly Processor[] = await Promise.all(PROCESSOR_NAMES.map(loadProcessor));

export const ProcessorName = z.enum(PROCESSOR_NAMES);

const Secret = z.object({
	hint: is(z.nullable(Text), 'Its first and last characters; null if it cannot be decrypted.'),
	test: is(z.nullable(z.boolean()), 'Whether it signs test-mode events; null if events state their own mode.'),
	until: is(z.nullable(Instant), 'When it expires, UTC; null if it does not.'),
});

const connection = {
	processor: is(ProcessorName, "The processor's name in URLs."),
	title: is(Text, "The processor's display name."),
	secret_form: is(
		z.object({
			prefix: is(Text, 'The prefix of each secret.'),
			of_one_mode: is(z.boolean(), 'Whether each secret is for live or test mode only; see `test_webhook_secrets`.'),
			made_here: is(z.boolean(), 'Whether this service creates them (`POST .../secret`) for the sender.'),
		}),
		"The form of the processor's signing secrets.",
	),
	connected: is(z.boolean(), 'Whether a signing secret is set.'),
	webhook_url: is(Text, "The URL for the processor's webhooks."),
	events: is(z.array(Text), 'The event types to select at the processor.'),
	secrets: is(z.array(Secret), 'The valid signing secrets.'),
	amount_basis: is(
		z.nullable(z.enum(['net', 'gross'])),
		'Whether sale amounts exclude tax and shipping (`net`) or include them (`gross`); null if not connected.',
	),
	created_at: is(z.nullable(Instant), 'When it was connected, UTC.'),
	updated_at: is(z.nullable(Instant), 'When the connection was last changed, UTC.'),
};

export const ProcessorConnection = named('ProcessorConnection', "A program's connection to a payment processor.", z.object(connection));

const RolledConnection = named(
	'RolledProcessorConnection',
	'A connection to a payment processor with its new secret.',
	z.object({
		...connection,
		webhook_secret: is(z.nullable(Text), 'The signing secret created here, shown only once; null if you sent one.'),
	}),
);

const PARAMS: Readonly<Record<string, ParamDoc>> = {
	processor: { text: 'Name of the processor.', json: { type: 'string', enum: [...PROCESSOR_NAMES] } },
};
const NO_PROCESSOR = notFound('Processor', 'No payment processor has this name.');
const CONNECTION = answerOf(ProcessorConnection, 'The connection.');
export const NOT_CONNECTED: ErrorDoc = { status: 404, text: '{title} is not connected', when: 'No signing secret is set.' };

/** Each processor describes its secrets' format. */
const WRONG_SECRETS = [
	...PROCESSORS.map(({ title, secretForm }) => invalid(`{field} ${secretForm.error}`, `It is not a ${title} secret.`)),
	invalid(
		'test_webhook_secrets is not used with {title}, whose events name their own mode. Send all its secrets as webhook_secrets',
		'The field was sent.',
	),
];

export const processors = underProgram('Payment processors', '/processors', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listProcessors',
		summary: 'List payment processors',
		description: 'All payment processors, connected or not. Several can be connected at once.',
		answers: {
			200: {
				description: 'All payment processors.',
				schema: answerOfRoute<typeof processorRoutes, '/', '$get'>()(answerOf(z.array(ProcessorConnection), 'All payment processors.')),
			},
		},
		examples: [{ name: 'processors', summary: 'Program 1' }],
	},
	{
		method: 'get',
		path: '/:processor',
		atLeast: 'member',
		id: 'readProcessor',
		summary: "Read a processor's connection",
		description:
			'The connection, with the URL to enter at the processor and the events to select. Works before the processor is connected.',
		params: PARAMS,
		answers: {
			200: { description: 'The connection.', schema: answerOfRoute<typeof processorRoutes, '/:processor', '$get'>()(CONNECTION) },
		},
		errors: [NO_PROCESSOR],
		examples: [{ name: 'processor', summary: 'Stripe, program 1', params: { processor: 'stripe' } }],
	},
	{
		method: 'put',
		path: '/:processor',
		atLeast: 'admin',
		id: 'connectProcessor',
		summary: 'Connect a processor',
		description:
			"Sets the signing secrets of a processor's webhooks, replacing earlier ones. Several can be valid during a rotation. If you send secrets for only one mode, those of the other mode stay.",
		params: PARAMS,
		body: bodyOf('ProcessorRequest', 'Send either `webhook_secret` or `webhook_secrets`.', ProcessorRequest, {
			webhook_secret: 'The signing secret.',
			webhook_secrets: '1 to 5 signing secrets, all valid.',
			test_webhook_secrets: '1 to 5 test-mode secrets, alone or with the others, for a processor whose events do not state their mode.',
			amount_basis:
				'Whether sale amounts exclude tax and shipping (`net`) or include them (`gross`). If omitted, unchanged; initially `net`.',
		}),
		answers: {
			200: { description: 'The updated connection.', schema: answerOfRoute<typeof processorRoutes, '/:processor', '$put'>()(CONNECTION) },
		},
		errors: [NO_PROCESSOR, invalid('Send either webhook_secret or webhook_secrets', 'Both were sent, or neither.'), ...WRONG_SECRETS],
		examples: [
			{
				name: 'connect',
				summary: 'A Stripe signing secret',
				params: { id: 2, processor: 'stripe' },
				body: { webhook_secret: 'whsec_aaaabbbbccccddddeeeeffff00001111' },
			},
			{
				name: 'paddle',
				summary: 'Paddle with its sandbox',
				params: { id: 2, processor: 'paddle' },
				body: {
					webhook_secret: 'pdl_ntfset_01jd3k5t7v9x1z3b5d7f9h1j3k_aaaabbbbccccdddd',
					test_webhook_secrets: ['pdl_ntfset_01jd3k5t7v9x1z3b5d7f9h1j3m_eeeeffff00001111'],
				},
			},
			{ name: 'neither', summary: 'No secret', params: { id: 2, processor: 'stripe' }, body: { amount_basis: 'net' }, status: 400 },
			{
				name: 'unknown',
				summary: 'An unknown processor',
				params: { id: 2, processor: 'cash' },
				body: { webhook_secret: 'whsec_aaaabbbbccccddddeeeeffff00001111' },
				status: 404,
			},
		],
	},
	{
		method: 'post',
		path: '/:processor/secret',
		atLeast: 'admin',
		id: 'rollProcessorSecret',
		summary: 'Roll a signing secret',
		description:
			'Adds a signing secret and keeps earlier ones valid for a while, so that no event is lost while you update the sender. For the custom webhook, the secret is created here if you send none, and shown only once. Connects the processor if necessary.',
		params: PARAMS,
		body: {
			...bodyOf('ProcessorSecretRequest', "Optional if this service creates the processor's secrets.", RollRequest, {
				webhook_secret: "The new signing secret. Can be omitted if this service creates the processor's secrets.",
				test: 'Whether the secret is for test mode, for a processor whose events do not state their mode.',
				overlap_hours: 'How many hours earlier secrets remain valid, 0 to 168.',
			}),
			isOptional: true,
		},
		answers: {
			201: {
				description: 'The updated connection.',
				schema: answerOfRoute<typeof processorRoutes, '/:processor/secret', '$post'>()(answerOf(RolledConnection, 'The connection.')),
			},
		},
		errors: [
			NO_PROCESSOR,
			...WRONG_SECRETS,
			invalid('test is not used with {title}, whose events name their own mode', 'The field was sent.'),
		],
		examples: [
			{ name: 'made', summary: 'A secret for the custom webhook', params: { id: 2, processor: 'custom' } },
			{
				name: 'sent',
				summary: 'The next Stripe secret',
				params: { id: 2, processor: 'stripe' },
				body: { webhook_secret: 'whsec_222233334444555566667777aaaabbbb', overlap_hours: 2 },
			},
			{ name: 'missing', summary: 'Stripe creates its own secrets', params: { id: 2, processor: 'stripe' }, body: {}, status: 400 },
		],
	},
	{
		method: 'delete',
		path: '/:processor',
		atLeast: 'admin',
		id: 'disconnectProcessor',
		summary: 'Disconnect a processor',
		description: 'Stops accepting webhooks and deletes the secrets. Waiting events are refused; recorded data stays.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The processor is disconnected.',
				schema: answerOfRoute<typeof processorRoutes, '/:processor', '$delete'>()(nothing),
			},
		},
		errors: [NO_PROCESSOR, NOT_CONNECTED],
		examples: [
			{ name: 'disconnect', summary: 'Program 2', params: { id: 2, processor: 'stripe' } },
			{ name: 'again', summary: 'It is already disconnected', params: { id: 2, processor: 'stripe' }, status: 404 },
		],
	},
]);
