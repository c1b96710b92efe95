import * as z from 'zod/mini';
import {
	ProcessorEventQuery,
	ReplayRequest,
	type processorReplay as processorReplayRoutes,
	type processorEvents as processorEventRoutes,
} from '../../../http/management/processors/processor-events.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { ProcessorName } from './processors.ts';

const event = {
	id: is(Id, "The event's id in this service."),
	processor: is(ProcessorName, 'The processor that sent it.'),
	event_id: is(Text, "The processor's id of the event."),
	type: is(Text, "The processor's event type, such as `invoice.paid`."),
	test: is(z.boolean(), "Whether it is from the processor's test mode."),
	state: is(
		z.enum(['received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed']),
		'`received`: not processed yet; `waiting`: needs an earlier event first; `applied`; `ignored`: nothing to record; `refused`: see `reason`; `expired`: the awaited event never arrived; `failed`: every attempt failed.',
	),
	reason: is(z.nullable(Text), 'The outcome and its reason; null until it is processed.'),
	sale_id: is(z.nullable(Id), 'Id of the sale event it created or changed.'),
	attempts: is(Count, 'Number of attempts to process it.'),
	happened_at: is(Instant, 'When it happened, as reported by the processor, UTC.'),
	received_at: is(Instant, 'When it was received, UTC.'),
	next_attempt_at: is(z.nullable(Instant), 'When the next attempt is due, UTC; null once it is settled.'),
	expires_at: is(Instant, 'When it stops waiting, UTC.'),
	settled_at: is(z.nullable(Instant), 'When it was settled, UTC; null if it is not.'),
	replayable: is(z.boolean(), 'Whether it can be replayed; false once its body is purged.'),
};

export const ProcessorEvent = named('ProcessorEvent', 'An event of a payment processor with its outcome.', z.object(event));

export const ProcessorEventWithBody = named(
	'ProcessorEventWithBody',
	'An event of a payment processor with its body.',
	z.object({ ...event, payload: is(z.unknown(), 'The event as received, any JSON; null once it is purged.') }),
);

export const Replay = named(
	'ProcessorEventReplay',
	'The result of a replay.',
	z.object({
		replayed: is(Count, 'Number of events being processed again.'),
		remaining: is(Count, 'Number of further events settled before `settled_before`.'),
		settled_before: is(Instant, 'The time to send with the next call, UTC.'),
	}),
);

const PARAMS = { eventId: "The event's id in this service." };
const NO_EVENT = notFound('Event');

export const processorEvents = underProgram('Payment processors', '', [
	{
		method: 'get',
		path: '/processor-events',
		atLeast: 'member',
		id: 'listProcessorEvents',
		summary: 'List inbox events',
		description: 'The events of the payment processors with their outcomes, newest first.',
		query: fieldsOf(ProcessorEventQuery, {
			...PAGE_FIELDS,
			processor: 'Only events of this processor.',
			state: 'Only events in this state.',
			type: 'Only events with this processor event type.',
			event_id: 'Only the event with this processor id.',
			test: 'If `true`, only test-mode events; if `false`, only others.',
		}),
		answers: {
			200: {
				description: 'A page of events.',
				schema: answerOfRoute<typeof processorEventRoutes, '/', '$get'>()(pageOf(ProcessorEvent, 'Events, newest first.')),
			},
		},
		examples: [{ name: 'inbox', summary: 'The two newest events', query: { limit: '2' } }],
	},
	{
		method: 'get',
		path: '/processor-events/:eventId',
		atLeast: 'admin',
		id: 'readProcessorEvent',
		summary: 'Read an inbox event',
		description: 'An event with its body, which contains personal data.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The event.',
				schema: answerOfRoute<typeof processorEventRoutes, '/:eventId', '$get'>()(answerOf(ProcessorEventWithBody, 'The event.')),
			},
		},
		errors: [NO_EVENT],
		examples: [{ name: 'event', summary: 'The first event', params: { eventId: 1 } }],
	},
	{
		method: 'post',
		path: '/processor-replay',
		atLeast: 'admin',
		id: 'replayProcessorEvents',
		summary: 'Replay events',
		description:
			'Processes settled events again, oldest first, at most 300 per call. While events remain, call again with the `settled_before` of the response, so that events that fail again are not repeated. Skips events whose body was purged.',
		body: {
			...bodyOf('ReplayRequest', 'The events to replay. Optional.', ReplayRequest, {
				states:
					'States to replay, of `refused`, `expired`, `failed`, `ignored`, `applied`. Replaying an applied event never duplicates its sale or refund.',
				settled_before: 'Only events settled before this time, UTC. Defaults to now.',
			}),
			isOptional: true,
		},
		answers: {
			200: {
				description: 'The replay has started.',
				schema: answerOfRoute<typeof processorReplayRoutes, '/', '$post'>()(answerOf(Replay, 'The result of the replay.')),
			},
		},
		examples: [{ name: 'replayAll', summary: 'Refused events', body: { states: ['refused'] } }],
	},
	{
		method: 'post',
		path: '/processor-events/:eventId/replay',
		atLeast: 'admin',
		id: 'replayProcessorEvent',
		summary: 'Replay an event',
		description:
			'Processes an event again, whatever its state, for example after the cause of a refusal is fixed. Its sale or refund is never duplicated.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The replay has started.',
				schema: answerOfRoute<typeof processorEventRoutes, '/:eventId/replay', '$post'>()(answerOf(ProcessorEvent, 'The event.')),
			},
		},
		errors: [NO_EVENT, conflict('The body of this event was purged, so it cannot be replayed', 'The event was settled too long ago.')],
		examples: [{ name: 'replay', summary: 'The first event', params: { eventId: 1 } }],
	},
]);
