import * as z from 'zod/mini';
import { ProcessorEventQuery, ReplayRequest } from '../../../http/management/processors/processor-events.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { ProcessorName } from './processors.ts';

const event = {
	id: is(Id, 'Id of the event here.'),
	processor: is(ProcessorName, 'Who sent it.'),
	event_id: is(Text, 'Its id at the processor.'),
	type: is(Text, "What happened, in the processor's words, such as `invoice.paid`."),
	test: is(z.boolean(), "Whether it is of the processor's test mode."),
	state: is(
		z.enum(['received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed']),
		'`received`: not looked at yet; `waiting`: for an earlier event; `applied`; `ignored`: says nothing that counts here; `refused`: see `reason`; `expired`: what it waited for never came; `failed`: given up after every attempt.',
	),
	reason: is(z.nullable(Text), 'What became of it and why, in plain words; null until it was looked at.'),
	sale_id: is(z.nullable(Id), 'Id of the sale event that it made or moved.'),
	attempts: is(Count, 'How often it was looked at.'),
	happened_at: is(Instant, 'When it happened, as the processor says, UTC.'),
	received_at: is(Instant, 'When it came, UTC.'),
	next_attempt_at: is(z.nullable(Instant), 'When it is looked at next, UTC; null once it is settled.'),
	expires_at: is(Instant, 'From when on it no longer waits, UTC.'),
	settled_at: is(z.nullable(Instant), 'When it was settled, UTC; null: not yet.'),
	replayable: is(z.boolean(), 'Whether it can be replayed: not once its body was purged.'),
};

export const ProcessorEvent = named('ProcessorEvent', 'An event of a payment processor, with what became of it.', z.object(event));

export const ProcessorEventWithBody = named(
	'ProcessorEventWithBody',
	'An event of a payment processor, with its body.',
	z.object({ ...event, payload: is(z.unknown(), 'The event as it came, any JSON; null once it was purged.') }),
);

export const Replay = named(
	'ProcessorEventReplay',
	'What a call has replayed, and what is left.',
	z.object({
		replayed: is(Count, 'How many events are processed anew.'),
		remaining: is(Count, 'How many more there are, settled before `settled_before`.'),
		settled_before: is(Instant, 'For the next call, UTC.'),
	}),
);

const PARAMS = { eventId: 'Id of the event here.' };
const NO_EVENT = notFound('Event');

export const processorEvents = underProgram('Payment processors', '', [
	{
		method: 'get',
		path: '/processor-events',
		atLeast: 'member',
		id: 'listProcessorEvents',
		summary: 'List the inbox',
		description: 'The events of the payment processors with what became of each, newest first.',
		query: fieldsOf(ProcessorEventQuery, {
			...PAGE_FIELDS,
			processor: 'Only those of this processor.',
			state: 'Only those in this state.',
			type: "Only those of this type, in the processor's words.",
			event_id: 'Only the one with this id at the processor.',
			test: "`true`: only those of the processor's test mode; `false`: only others.",
		}),
		answers: { 200: { description: 'A page of events.', schema: pageOf(ProcessorEvent, 'Events, newest first.') } },
		examples: [{ name: 'inbox', summary: 'The two newest', query: { limit: '2' } }],
	},
	{
		method: 'get',
		path: '/processor-events/:eventId',
		atLeast: 'admin',
		id: 'readProcessorEvent',
		summary: 'Read an event of the inbox',
		description: 'With its body, which holds personal data.',
		params: PARAMS,
		answers: { 200: { description: 'The event.', schema: answerOf(ProcessorEventWithBody, 'The event.') } },
		errors: [NO_EVENT],
		examples: [{ name: 'event', summary: 'The first one', params: { eventId: 1 } }],
	},
	{
		method: 'post',
		path: '/processor-replay',
		atLeast: 'admin',
		id: 'replayProcessorEvents',
		summary: 'Process many events anew',
		description:
			'The settled events in some states, in the order in which they happened, at most 300 a call. Call again with the `settled_before` of the answer while something remains: so what fails again is not taken up twice. Events whose body was purged are left out.',
		body: {
			...bodyOf('ReplayRequest', 'Which events. May be left out.', ReplayRequest, {
				states:
					'Events in these states: of `refused`, `expired`, `failed`, `ignored`, `applied`. A sale or refund that an applied one has made is not made twice.',
				settled_before: 'Only events that were settled before it, UTC; now where left out.',
			}),
			isOptional: true,
		},
		answers: { 200: { description: 'They are processed again, or will be.', schema: answerOf(Replay, 'What is replayed.') } },
		examples: [{ name: 'replayAll', summary: 'What was refused', body: { states: ['refused'] } }],
	},
	{
		method: 'post',
		path: '/processor-events/:eventId/replay',
		atLeast: 'admin',
		id: 'replayProcessorEvent',
		summary: 'Process an event anew',
		description:
			'Whatever became of it before: once the cause of a refusal is mended, say. A sale or refund that it has made is not made twice.',
		params: PARAMS,
		answers: { 200: { description: 'It is processed again, or will be.', schema: answerOf(ProcessorEvent, 'The event.') } },
		errors: [NO_EVENT, conflict('The body of this event was purged, so it cannot be replayed', 'It was settled too long ago.')],
		examples: [{ name: 'replay', summary: 'The first one', params: { eventId: 1 } }],
	},
]);
