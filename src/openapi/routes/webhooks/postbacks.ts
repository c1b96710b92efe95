import * as z from 'zod/mini';
import { POSTBACK_EVENTS } from '../../../domain/webhooks/postback.ts';
import { PostbackRequest, PostbackSwitch, PostbackTestRequest } from '../../../http/management/webhooks/postbacks.ts';
import { STATUSES } from '../../../http/management/webhooks/webhooks.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underPartnerProgram, underProgram } from '../../under.ts';
import { NO_ADDRESS } from './webhooks.ts';

const Event = z.enum(POSTBACK_EVENTS);

const Postback = named(
	'Postback',
	"The address by which a partner's own system is told what its links brought.",
	z.object({
		url: is(Text, 'What is called, with its placeholders.'),
		events: is(z.array(Event), 'The events that it is called for.'),
		enabled: is(z.boolean(), 'Whether it is called.'),
		disabled_at: is(z.nullable(Instant), 'Since when it is not, UTC.'),
		disabled_for: is(
			z.nullable(z.enum(['gone', 'failing', 'program'])),
			'Why: the receiver answered 410, it had failed for too long, or the program switched it off.',
		),
		failures: is(Count, 'Calls that failed since the last one that did not.'),
		failing_since: is(z.nullable(Instant), 'When the first of them failed, UTC.'),
		created_at: is(Instant, 'When it was first saved, UTC.'),
	}),
);

const delivery = {
	id: is(Id, 'Id of the delivery.'),
	event: is(Event, 'What it tells.'),
	test: is(z.boolean(), 'Whether nothing has happened: someone tried it.'),
	url: is(Text, 'The address as it is called, with the values in it.'),
	status: is(z.enum(STATUSES), 'Whether it waits to be called, was answered with 2xx, or was given up.'),
	attempts: is(Count, 'How often it was called.'),
	next_attempt_at: is(z.nullable(Instant), 'When it is called next, UTC.'),
	last_attempt_at: is(z.nullable(Instant), 'When it was called last, UTC.'),
	last_status: is(z.nullable(z.int()), 'The HTTP status that was answered then.'),
	last_error: is(z.nullable(Text), 'What went wrong then, in plain words.'),
	created_at: is(Instant, 'When the event was frozen, UTC.'),
};

const OwnDelivery = named(
	'OwnPostbackDelivery',
	'A call of your postback, and what became of it.',
	z.object({ ...delivery, last_response: is(z.nullable(Text), 'How the last answer begins: at most 1 KB.') }),
);

const Delivery = named('PostbackDelivery', "A call of a partner's postback, and what became of it.", z.object(delivery));

const NONE = notFound('Postback');
const SWITCHED_OFF = conflict('The program has disabled your postback. Contact the program', 'Only the program undoes that.');
const ADDRESS_ERRORS = [
	...NO_ADDRESS,
	invalid(
		'url has the unknown placeholder {placeholder}: there are {click_id}, {amount}, {currency}, {event}, {sub_id}',
		'It would never be filled.',
	),
	invalid('url has a { or } that is part of no placeholder', 'One is missing, or too many.'),
	invalid('url must not have a #: what follows it is never sent', 'It has a fragment.'),
	invalid('url may have placeholders behind the host only', 'One stands before the path.'),
];

export const ownPostback = underPartnerProgram('/postback', [
	{
		method: 'put',
		atLeast: 'active',
		id: 'setOwnPostback',
		summary: 'Set your postback',
		description:
			'From then on the address is called by GET for each of these events of your own. One that was disabled, as it had failed for too long, is called again. `{event}` is its name; `{amount}` what you earn by it, or what was taken back or given back, in major units of `{currency}` (`19.80`), and 0 for a lead; `{sub_id}` what you put into the link; `{click_id}` an id of ours, the same for all that came of one click, which opens nothing. Values are encoded; what is not known is empty.',
		body: bodyOf('PostbackRequest', 'The postback.', PostbackRequest, {
			url: {
				text: 'An https address on port 443 and a public host name, at most 2,000 characters, with `{click_id}`, `{amount}`, `{currency}`, `{event}` and `{sub_id}` anywhere in path and query.',
				json: { example: 'https://network.example/postback?cid={sub_id}&payout={amount}&currency={currency}&type={event}' },
			},
			events:
				'For what it is called. `lead`: a visitor of yours signed up; `sale`: a sale earned you a commission; `reversed`: a refund or the program took it back, or a part; `reinstated`: it was given back.',
		}),
		answers: { 200: { description: 'The postback as it is now.', schema: answerOf(Postback, 'The postback.') } },
		errors: [
			...ADDRESS_ERRORS,
			conflict('The program does not allow postbacks', 'Its setting `partner_postbacks` is off.'),
			SWITCHED_OFF,
			conflict('Your membership has changed: reload and try again', 'You were suspended or removed at the same time.'),
		],
		examples: [
			{
				name: 'postback',
				summary: 'Sales and what becomes of them',
				body: {
					url: 'https://network.example/postback?cid={sub_id}&payout={amount}&currency={currency}&type={event}',
					events: ['sale', 'reversed'],
				},
			},
			{
				name: 'placeholder',
				summary: 'One that there is not',
				body: { url: 'https://network.example/postback?email={email}', events: ['lead'] },
				status: 400,
			},
		],
	},
	{
		method: 'get',
		atLeast: 'suspended',
		id: 'readOwnPostback',
		summary: 'Read your postback',
		description: 'Which address of yours is called, for what, and whether it is well.',
		answers: { 200: { description: 'The postback.', schema: answerOf(Postback, 'The postback.') } },
		errors: [NONE],
		examples: [{ name: 'postback', summary: 'The postback of Pat' }],
	},
	{
		method: 'post',
		path: '/test',
		atLeast: 'active',
		id: 'testOwnPostback',
		summary: 'Try your postback',
		description: 'Calls it about something that has not happened, with `test` for `{sub_id}`. It stands in the log like any other.',
		body: bodyOf('PostbackTestRequest', 'For which event.', PostbackTestRequest, { event: 'By default the first that it is called for.' }),
		answers: { 201: { description: 'It is on its way.', schema: answerOf(OwnDelivery, 'The call.') } },
		errors: [NONE, conflict('The postback is disabled: save it again first', 'It is not called.')],
		examples: [{ name: 'test', summary: 'Of a sale', body: { event: 'sale' } }],
	},
	{
		method: 'get',
		path: '/deliveries',
		atLeast: 'suspended',
		id: 'listOwnPostbackDeliveries',
		summary: 'List the calls of your postback',
		description: 'What it was called for in the last 30 days, newest first, with what was answered.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of calls.', schema: pageOf(OwnDelivery, 'Calls, newest first.') } },
		errors: [NONE],
		examples: [{ name: 'deliveries', summary: 'The last ones', query: { limit: '2' } }],
	},
]);

const PARAMS = { partnerId: 'Id of the partner.' };

export const postbackOfPartner = underProgram('Partners', '/partners/:partnerId/postback', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readPostbackOfPartner',
		summary: "Read a partner's postback",
		description: 'Which address of the partner is called, for what, and whether it is well.',
		params: PARAMS,
		answers: { 200: { description: 'The postback.', schema: answerOf(Postback, 'The postback.') } },
		errors: [NONE],
		examples: [{ name: 'postback', summary: 'The postback of Pat', params: { partnerId: 1 } }],
	},
	{
		method: 'patch',
		atLeast: 'admin',
		id: 'switchPostbackOfPartner',
		summary: "Switch a partner's postback off or on",
		description: 'Off: it is not called any more, and the partner cannot undo that. What waits for it is given up.',
		params: PARAMS,
		body: bodyOf('PostbackSwitch', 'Off or on.', PostbackSwitch, { enabled: 'Whether it is called.' }),
		answers: { 200: { description: 'The postback as it is now.', schema: answerOf(Postback, 'The postback.') } },
		errors: [NONE],
		examples: [
			{ name: 'off', summary: 'Off', params: { partnerId: 1 }, body: { enabled: false } },
			{ name: 'on', summary: 'On again', params: { partnerId: 1 }, body: { enabled: true } },
		],
	},
	{
		method: 'get',
		path: '/deliveries',
		atLeast: 'member',
		id: 'listPostbackDeliveriesOfPartner',
		summary: "List the calls of a partner's postback",
		description: 'What it was called for in the last 30 days, newest first. What was answered is for the partner.',
		params: PARAMS,
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of calls.', schema: pageOf(Delivery, 'Calls, newest first.') } },
		errors: [NONE],
		examples: [{ name: 'deliveries', summary: 'The last ones', params: { partnerId: 1 }, query: { limit: '2' } }],
	},
]);

export const endOfPostback = underPartnerProgram('/postback', [
	{
		method: 'delete',
		atLeast: 'active',
		id: 'deleteOwnPostback',
		summary: 'Delete your postback',
		description: 'Nothing is called any more, what waits is given up, and the log is gone.',
		answers: { 200: { description: 'It is deleted.', schema: nothing } },
		errors: [NONE, SWITCHED_OFF],
		examples: [{ name: 'delete', summary: 'No more calls' }],
	},
]);
