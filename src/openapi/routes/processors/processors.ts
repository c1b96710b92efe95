import * as z from 'zod/mini';
import { ProcessorRequest, RollRequest } from '../../../http/management/processors/processors.ts';
import type { Processor } from '../../../processor/processor.ts';
import { loadProcessor, PROCESSOR_NAMES } from '../../../processor/processors.ts';
import { answerOf, Instant, nothing, Text } from '../../answers.ts';
import { type ErrorDoc, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type ParamDoc } from '../../operation.ts';
import { underProgram } from '../../under.ts';

/** Every processor, as its folder describes it. */
export const PROCESSORS: readonly Processor[] = await Promise.all(PROCESSOR_NAMES.map(loadProcessor));

export const ProcessorName = z.enum(PROCESSOR_NAMES);

const Secret = z.object({
	hint: is(z.nullable(Text), 'How it begins and ends; null for one that cannot be read any more.'),
	test: is(z.nullable(z.boolean()), 'Whether it signs what happens in test mode; null if the events say so themselves.'),
	until: is(z.nullable(Instant), 'Until when it counts, UTC; null: for as long as it is here.'),
});

const connection = {
	processor: is(ProcessorName, 'Its name in addresses.'),
	title: is(Text, 'Its name for people.'),
	secret_form: is(
		z.object({
			prefix: is(Text, 'What each begins with.'),
			of_one_mode: is(z.boolean(), 'Whether each signs either what is real or what happens in test mode: `test_webhook_secrets`.'),
			made_here: is(z.boolean(), 'Whether they are made here (`POST .../secret`), to be given to the sender.'),
		}),
		'What its signing secrets are like.',
	),
	connected: is(z.boolean(), 'Whether a signing secret is set.'),
	webhook_url: is(Text, 'The address that it sends its webhooks to.'),
	events: is(z.array(Text), 'The types of events to select there.'),
	secrets: is(z.array(Secret), 'The signing secrets that count, to tell them apart.'),
	amount_basis: is(
		z.nullable(z.enum(['net', 'gross'])),
		'Whether a sale counts without tax and shipping (`net`) or with them (`gross`); null if nothing is connected.',
	),
	created_at: is(z.nullable(Instant), 'When it was connected, UTC.'),
	updated_at: is(z.nullable(Instant), 'When that was last changed, UTC.'),
};

export const ProcessorConnection = named(
	'ProcessorConnection',
	'How a program is connected with a payment processor.',
	z.object(connection),
);

const RolledConnection = named(
	'RolledProcessorConnection',
	'How a program is connected with a payment processor, with a secret that was made.',
	z.object({
		...connection,
		webhook_secret: is(z.nullable(Text), 'The signing secret that was made here, told this once; null if it was sent.'),
	}),
);

const PARAMS: Readonly<Record<string, ParamDoc>> = {
	processor: { text: 'Name of the processor.', json: { type: 'string', enum: [...PROCESSOR_NAMES] } },
};
const NO_PROCESSOR = notFound('Processor', 'There is no payment processor of that name.');
const CONNECTION = answerOf(ProcessorConnection, 'The connection.');
export const NOT_CONNECTED: ErrorDoc = { status: 404, text: '{title} is not connected', when: 'No signing secret is set.' };

/** Each processor describes its secrets in the refusal. */
const WRONG_SECRETS = [
	...PROCESSORS.map(({ title, secretForm }) => invalid(`{field} ${secretForm.error}`, `It is none of ${title}.`)),
	invalid(
		'test_webhook_secrets is not used with {title}, whose events name their own mode. Send all its secrets as webhook_secrets',
		'It was sent all the same.',
	),
];

export const processors = underProgram('Payment processors', '/processors', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listProcessors',
		summary: 'List the payment processors',
		description: 'Every one that there is, connected or not; any of them may be connected at the same time.',
		answers: { 200: { description: 'All of them.', schema: answerOf(z.array(ProcessorConnection), 'All of them.') } },
		examples: [{ name: 'processors', summary: 'Program 1' }],
	},
	{
		method: 'get',
		path: '/:processor',
		atLeast: 'member',
		id: 'readProcessor',
		summary: 'Read how a processor is connected',
		description: 'The address to enter there and the events to select are told before anything is connected.',
		params: PARAMS,
		answers: { 200: { description: 'The connection.', schema: CONNECTION } },
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
			'Sets the signing secrets of its webhooks; those set before are forgotten. Several count while one is rolled. Where secrets are of a mode, those of the other mode stay as they are.',
		params: PARAMS,
		body: bodyOf('ProcessorRequest', 'Either `webhook_secret` or `webhook_secrets`.', ProcessorRequest, {
			webhook_secret: 'The signing secret.',
			webhook_secrets: 'Signing secrets, 1 to 5, each of which counts.',
			test_webhook_secrets:
				'Those of test mode, 1 to 5, of a processor whose events do not say which mode they are of: alone, or beside the others.',
			amount_basis: 'Whether a sale counts without tax and shipping (`net`) or with them (`gross`). Left out: as it is, `net` at first.',
		}),
		answers: { 200: { description: 'The connection as it is now.', schema: CONNECTION } },
		errors: [NO_PROCESSOR, invalid('Send either webhook_secret or webhook_secrets', 'Both were sent, or neither.'), ...WRONG_SECRETS],
		examples: [
			{
				name: 'connect',
				summary: 'The signing secret of Stripe',
				params: { id: 2, processor: 'stripe' },
				body: { webhook_secret: 'whsec_aaaabbbbccccddddeeeeffff00001111' },
			},
			{
				name: 'paddle',
				summary: 'Paddle, with its sandbox',
				params: { id: 2, processor: 'paddle' },
				body: {
					webhook_secret: 'pdl_ntfset_01jd3k5t7v9x1z3b5d7f9h1j3k_aaaabbbbccccdddd',
					test_webhook_secrets: ['pdl_ntfset_01jd3k5t7v9x1z3b5d7f9h1j3m_eeeeffff00001111'],
				},
			},
			{ name: 'neither', summary: 'No secret', params: { id: 2, processor: 'stripe' }, body: { amount_basis: 'net' }, status: 400 },
			{
				name: 'unknown',
				summary: 'No processor',
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
			'Adds a signing secret, and lets those before it count on for a while, so that nothing is lost while the sender is changed over. Of the custom webhook it is made here where none is sent, and told this once. Connects a processor that is not.',
		params: PARAMS,
		body: {
			...bodyOf('ProcessorSecretRequest', 'May be left out where the secret is made here.', RollRequest, {
				webhook_secret: 'The new signing secret. Left out: one is made, of a processor whose secrets are ours.',
				test: 'Whether it is one of test mode, of a processor whose events do not say which mode they are of.',
				overlap_hours: 'Hours for which earlier secrets count on, 0 to 168.',
			}),
			isOptional: true,
		},
		answers: { 201: { description: 'The connection as it is now.', schema: answerOf(RolledConnection, 'The connection.') } },
		errors: [
			NO_PROCESSOR,
			...WRONG_SECRETS,
			invalid('test is not used with {title}, whose events name their own mode', 'It was sent all the same.'),
		],
		examples: [
			{ name: 'made', summary: 'A secret for the custom webhook', params: { id: 2, processor: 'custom' } },
			{
				name: 'sent',
				summary: 'The next one of Stripe',
				params: { id: 2, processor: 'stripe' },
				body: { webhook_secret: 'whsec_222233334444555566667777aaaabbbb', overlap_hours: 2 },
			},
			{ name: 'missing', summary: 'Stripe makes its own', params: { id: 2, processor: 'stripe' }, body: {}, status: 400 },
		],
	},
	{
		method: 'delete',
		path: '/:processor',
		atLeast: 'admin',
		id: 'disconnectProcessor',
		summary: 'Disconnect a processor',
		description: 'Takes no more webhooks and forgets the secrets. Events that still wait are refused; what was recorded stays.',
		params: PARAMS,
		answers: { 200: { description: 'It is disconnected.', schema: nothing } },
		errors: [NO_PROCESSOR, NOT_CONNECTED],
		examples: [
			{ name: 'disconnect', summary: 'Program 2', params: { id: 2, processor: 'stripe' } },
			{ name: 'again', summary: 'It is disconnected', params: { id: 2, processor: 'stripe' }, status: 404 },
		],
	},
]);
