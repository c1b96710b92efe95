import * as z from 'zod/mini';
import {
	TryRequest,
	WatchQuery,
	type testChain as testChainRoutes,
	type status as statusRoutes,
} from '../../../http/management/monitoring/integration.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
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
	'The progress of a step.',
	z.object({
		step: is(z.enum(['click', 'lead', 'sale', 'refund']), 'The step.'),
		state: is(
			z.enum(['done', 'uncredited', 'refused', 'waiting']),
			'`done`: its event arrived. `uncredited`: it arrived, but no partner is credited. `refused`: none was accepted, but one was refused. `waiting`: none arrived.',
		),
		reason: is(z.nullable(Text), 'What is missing, why, and what to do, in plain English; null if done.'),
		event: is(z.nullable(Event), 'The newest such event, real or a test; null if none arrived.'),
	}),
);

const IntegrationProgress = named(
	'WatchedChain',
	'The progress of click, lead, sale and refund.',
	z.object({
		complete: is(z.boolean(), 'Whether every step is done.'),
		since: is(Instant, 'The time, in UTC, before which events are ignored.'),
		short_link: is(z.nullable(Text), 'The first link of an active partner, to click on; null if there is none.'),
		address: is(z.nullable(Text), 'The URL to open for a click on it; described in words if the program has no domain.'),
		refused_origins: is(
			z.array(Text),
			'Origins whose clicks or leads were refused since then because the program does not list them, at most ten. `null` is a page without an origin.',
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
				'The same as status and readiness for a backend: recent events, what is missing or failing, what to do about it, and the verdict as five gates.',
			answers: {
				200: {
					description: 'The health of the integration.',
					schema: answerOfRoute<typeof statusRoutes, '/', '$get'>()(answerOf(ProgramStatus, 'The health of the integration.')),
				},
			},
			examples: [{ name: 'status', summary: 'Program 1' }],
		},
	]),
	...underProgram('Integration', '/test-chain', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'watchTestChain',
			summary: 'Watch a test of an integration',
			description:
				'For setting up a program: test your own site, from the click to the refund, and repeat this call every few seconds. Each step has its newest event, real or a test, or what is missing and why. Refused pages are listed.',
			query: fieldsOf(WatchQuery, {
				since:
					"Only events since then: a day (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), in the program's time zone unless it has an offset. Defaults to a day ago.",
			}),
			answers: {
				200: {
					description: 'The progress.',
					schema: answerOfRoute<typeof testChainRoutes, '/', '$get'>()(answerOf(IntegrationProgress, 'The progress.')),
				},
			},
			examples: [
				{ name: 'watch', summary: 'The last 24 hours' },
				{ name: 'fresh', summary: 'No events yet', params: { id: 2 }, query: { since: '2026-01-31T12:00:00Z' } },
			],
		},
		{
			method: 'post',
			atLeast: 'admin',
			id: 'tryProgram',
			summary: 'Test a program',
			description:
				'Processes flagged events exactly like real ones, with the current key, and reports the result of each step. Nothing real changes. This tests the service and the program. To test your site, send events from it.',
			body: {
				...bodyOf('TryRequest', 'What to test. If omitted, the chain.', TryRequest, {
					type: '`chain` for click, lead, sale and refund in order, or one of them. A refund first creates its own sale.',
				}),
				isOptional: true,
			},
			answers: {
				200: {
					description: 'The result. A failed step is not an error of this call.',
					schema: answerOfRoute<typeof testChainRoutes, '/', '$post'>()(answerOf(ChainReport, 'The result.')),
				},
			},
			errors: [
				ARCHIVED_ERROR,
				notFound('Program key', 'The program has no current key.'),
				conflict('The program is not active, so nothing is recorded: set active to true first', 'The program was deactivated.'),
				conflict('The key was rotated or the program was deactivated: try again', 'Someone did so at the same time.'),
			],
			examples: [
				{ name: 'chain', summary: 'The whole funnel', body: { type: 'chain' } },
				{ name: 'left_out', summary: 'Without a body' },
				{ name: 'unknown', summary: 'An unknown type', body: { type: 'everything' }, status: 400 },
			],
		},
	]),
];
