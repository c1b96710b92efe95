import * as z from 'zod/mini';
import { DeadLetterQuery } from '../../../http/management/monitoring/dead-letters.ts';
import { answerOf, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

export const DeadLetter = named(
	'DeadLetter',
	'A message that a queue gave up on after every retry.',
	z.object({
		id: is(Id, 'Id of the dead letter.'),
		kind: is(
			z.enum(['click', 'effects', 'processor_events', 'unknown']),
			'`click`: a click to store; `effects`: what follows a sale, refund or payout; `processor_events`: an event of the inbox.',
		),
		program_id: is(z.nullable(Id), 'Id of the program; null if it is of none, or of several.'),
		reason: is(Text, 'Why it failed for good.'),
		body: is(z.unknown(), 'The message as received: any JSON.'),
		created_at: is(Instant, 'When it failed for good, UTC.'),
		state: is(
			z.enum(['waiting', 'replayed', 'done', 'dismissed']),
			'`waiting`; `replayed`: sent again; `done`: its work was done in another way, such as by cron; `dismissed`: by an owner.',
		),
		settled_at: is(z.nullable(Instant), 'When it stopped waiting, UTC; null: it waits.'),
		replayed_at: is(z.nullable(Instant), 'When it was sent again, UTC; null if its state is not `replayed`.'),
	}),
);

export const deadLetters = routesFor({ tag: 'Operations', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/dead-letters',
		id: 'listDeadLetters',
		summary: 'List dead letters',
		description: 'Those of the workspaces that you own, newest first. Others get an empty list.',
		query: fieldsOf(DeadLetterQuery, { ...PAGE_FIELDS, waiting: '`true`: only those that wait.' }),
		answers: { 200: { description: 'A page of dead letters.', schema: pageOf(DeadLetter, 'Dead letters, newest first.') } },
		examples: [{ name: 'waiting', summary: 'Those that wait', query: { waiting: 'true' } }],
	},
	{
		method: 'post',
		path: '/api/v1/dead-letters/:id/replay',
		id: 'replayDeadLetter',
		summary: 'Retry a dead letter',
		description: 'Sends it to its queue again. Processing it twice has no further effect.',
		params: { id: 'Id of the dead letter.' },
		answers: { 200: { description: 'It is on its way.', schema: answerOf(DeadLetter, 'The letter.') } },
		errors: [
			notFound('Dead letter', 'The workspaces that you own have no dead letter with this id.'),
			conflict(
				'This message has an unknown kind or version and cannot be replayed. Dismiss it if nothing is left to do',
				'Its form is not one of this version.',
			),
		],
		examples: [
			{ name: 'replay', summary: 'A click', params: { id: 1 } },
			{ name: 'unknown', summary: 'A message of no known kind', params: { id: 2 }, status: 409 },
		],
	},
	{
		method: 'post',
		path: '/api/v1/dead-letters/:id/dismiss',
		id: 'dismissDeadLetter',
		summary: 'Dismiss a dead letter',
		description: 'For a message of no known kind, which no queue can process: it waits no longer, and its alert ends.',
		params: { id: 'Id of the dead letter.' },
		answers: { 200: { description: 'It waits no longer.', schema: answerOf(DeadLetter, 'The letter.') } },
		errors: [
			notFound('Dead letter', 'The workspaces that you own have no dead letter with this id.'),
			conflict('This message can be processed. Replay it instead of dismissing it', 'Its kind is known.'),
		],
		examples: [
			{ name: 'dismiss', summary: 'A message of no known kind', params: { id: 2 } },
			{ name: 'known', summary: 'A click', params: { id: 1 }, status: 409 },
		],
	},
]);
