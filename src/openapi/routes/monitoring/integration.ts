import * as z from 'zod/mini';
import { TryRequest, WatchQuery } from '../../../http/management/monitoring/integration.ts';
import { answerOf, Instant, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { ChainReport, Status } from './cli.ts';
import { Event } from '../reporting/events.ts';
import { verdict } from './readiness.ts';

const { success: _always, ...status } = Status.shape;
const ProgramStatus = named('ProgramStatus', 'The health of an integration, and whether it is ready.', z.object({ ...status, ...verdict }));

const ProgressStep = named(
	'WatchedStep',
	'How far a step of the chain is.',
	z.object({
		step: is(z.enum(['click', 'lead', 'sale', 'refund']), 'Which step.'),
		state: is(
			z.enum(['done', 'uncredited', 'refused', 'waiting']),
			'`done`: its event arrived. `uncredited`: it arrived, but no partner is credited. `refused`: none arrived, but one was refused. `waiting`: none arrived.',
		),
		reason: is(z.nullable(Text), 'What is missing, why, and what to do, in plain words; null if it is done.'),
		event: is(z.nullable(Event), 'The newest such event, real or a test; null: none arrived.'),
	}),
);

const IntegrationProgress = named(
	'WatchedChain',
	'How far click, lead, sale and refund have come.',
	z.object({
		complete: is(z.boolean(), 'Whether every step is done.'),
		since: is(Instant, 'Earlier events are ignored, UTC.'),
		short_link: is(z.nullable(Text), 'The first link of an active partner, to click on; null: there is none.'),
		address: is(z.nullable(Text), 'Where a click on it begins; where the program has no domain, in words.'),
		refused_origins: is(
			z.array(Text),
			'Origins whose clicks or leads were refused since then because the program does not list them, at most ten; `null`: a page without an origin.',
		),
		steps: is(z.array(ProgressStep), 'The four steps, in order.'),
	}),
);

export const integration = [
	...underProgram('Integration', '/status', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'readProgramStatus',
			summary: 'Check a program',
			description:
				'The status and readiness that a backend reads with its key: recent events, what is missing or wrong and what to do about it, and the result in five gates.',
			answers: { 200: { description: 'The health of the integration.', schema: answerOf(ProgramStatus, 'How it is.') } },
			examples: [{ name: 'status', summary: 'Program 1' }],
		},
	]),
	...underProgram('Integration', '/test-chain', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'watchTestChain',
			summary: 'Watch an integration being tried',
			description:
				'For setting up a program: try your own site from the click to the refund, and poll every few seconds. Each step has its newest event, real or test, or what is missing and why. Refused pages are named.',
			query: fieldsOf(WatchQuery, {
				since:
					"Only what came then or later: a day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), which without an offset is one of that zone. By default a day ago.",
			}),
			answers: { 200: { description: 'How far it is.', schema: answerOf(IntegrationProgress, 'How far it is.') } },
			examples: [
				{ name: 'watch', summary: 'Within a day' },
				{ name: 'fresh', summary: 'Nothing has come yet', params: { id: 2 }, query: { since: '2026-01-31T12:00:00Z' } },
			],
		},
		{
			method: 'post',
			atLeast: 'admin',
			id: 'tryProgram',
			summary: 'Try a program',
			description:
				"Sends flagged events through the same code as real ones with the current key, and reports the result of each step. Nothing real changes. It shows that the service and the program work. Only your site's own events show that the site works.",
			body: {
				...bodyOf('TryRequest', 'What to try. May be left out: the chain.', TryRequest, {
					type: '`chain`: click, lead, sale and refund, one after the other; or one of them. A refund needs a sale of its own and makes it.',
				}),
				isOptional: true,
			},
			answers: {
				200: {
					description: 'How it went; a step that failed is no error of this call.',
					schema: answerOf(ChainReport, 'How it went.'),
				},
			},
			errors: [
				ARCHIVED_ERROR,
				notFound('Program key', 'The program has no current key.'),
				conflict('The program is not active, so nothing is recorded: set active to true first', 'It was deactivated.'),
				conflict('The key was rotated or the program was deactivated: try again', 'Someone did so at the same time.'),
			],
			examples: [
				{ name: 'chain', summary: 'The whole funnel', body: { type: 'chain' } },
				{ name: 'left_out', summary: 'The same' },
				{ name: 'unknown', summary: 'There is no such type', body: { type: 'everything' }, status: 400 },
			],
		},
	]),
];
