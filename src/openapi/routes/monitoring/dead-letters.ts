import * as z from 'zod/mini';
import { DeadLetterQuery, type deadLetters as deadLetterRoutes } from '../../../http/management/monitoring/dead-letters.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

export const DeadLetter = named(
	'DeadLetter',
	'A queue message whose retries all failed.',
	z.object({
		id: is(Id, "The dead letter's id."),
		kind: is(
			z.enum(['click', 'effects', 'processor_events', 'unknown']),
			'`click`: a click to store; `effects`: effects of a sale, refund or payout; `processor_events`: an event of the inbox.',
		),
		program_id: is(z.nullable(Id), "The program's id; null if no program or several are involved."),
		reason: is(Text, 'Why the queue gave up.'),
		body: is(z.unknown(), 'The message as received: any JSON.'),
		created_at: is(Instant, 'When the queue gave up, in UTC.'),
		state: is(
			z.enum(['waiting', 'replayed', 'done', 'dismissed']),
			'`waiting`; `replayed`: sent again; `done`: its work was done in another way, such as by cron; `dismissed`: dismissed by an owner.',
		),
		settled_at: is(z.nullable(Instant), 'When it stopped waiting, in UTC; null if it waits.'),
		replayed_at: is(z.nullable(Instant), 'When it was sent again, in UTC; null if `state` is not `replayed`.'),
	}),
);

export const deadLetters = routesFor({ tag: 'Operations', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/dead-letters',
		id: 'listDeadLetters',
		summary: 'List dead letters',
		description: 'Dead letters of the workspaces that you own, newest first. Empty if you own none.',
		query: fieldsOf(DeadLetterQuery, { ...PAGE_FIELDS, waiting: '`true` for waiting ones only.' }),
		answers: {
			200: {
				description: 'A page of dead letters.',
				schema: answerOfRoute<typeof deadLetterRoutes, '/', '$get'>()(pageOf(DeadLetter, 'Dead letters, newest first.')),
			},
		},
		examples: [{ name: 'waiting', summary: 'Waiting dead letters', query: { waiting: 'true' } }],
	},
	{
		method: 'post',
		path: '/api/v1/dead-letters/:id/replay',
		id: 'replayDeadLetter',
		summary: 'Retry a dead letter',
		description: 'Sends the message to its queue again. Processing it twice has no further effect.',
		params: { id: "The dead letter's id." },
		answers: {
			200: {
				description: 'It was sent again.',
				schema: answerOfRoute<typeof deadLetterRoutes, '/:id/replay', '$post'>()(answerOf(DeadLetter, 'The dead letter.')),
			},
		},
		errors: [
			notFound('Dead letter', 'The workspaces that you own have no such dead letter.'),
			conflict(
				'This message has an unknown kind or version and cannot be replayed. Dismiss it if nothing is left to do',
				'This version of the service cannot read the message.',
			),
		],
		examples: [
			{ name: 'replay', summary: 'A click', params: { id: 1 } },
			{ name: 'unknown', summary: 'A message of an unknown kind', params: { id: 2 }, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/api/v1/dead-letters/:id/dismiss',
		id: 'dismissDeadLetter',
		summary: 'Dismiss a dead letter',
		description: 'For a message of an unknown kind, which no queue can process. It stops waiting, and its alert ends.',
		params: { id: "The dead letter's id." },
		answers: {
			200: {
				description: 'It is dismissed.',
				schema: answerOfRoute<typeof deadLetterRoutes, '/:id/dismiss', '$post'>()(answerOf(DeadLetter, 'The dead letter.')),
			},
		},
		errors: [
			notFound('Dead letter', 'The workspaces that you own have no such dead letter.'),
			conflict('This message can be processed. Replay it instead of dismissing it', 'Its kind is known.'),
		],
		examples: [
			{ name: 'dismiss', summary: 'A message of an unknown kind', params: { id: 2 } },
			{ name: 'known', summary: 'A click', params: { id: 1 }, status: 409 },
		],
	},
]);
