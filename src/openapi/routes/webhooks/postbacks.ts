import * as z from 'zod/mini';
import { POSTBACK_EVENTS } from '../../../domain/webhooks/postback.ts';
import {
	PostbackRequest,
	PostbackSwitch,
	PostbackTestRequest,
	type postbackOfPartner as postbackOfPartnerRoutes,
	type ownPostback as ownPostbackRoutes,
} from '../../../http/management/webhooks/postbacks.ts';
import { STATUSES } from '../../../http/management/webhooks/webhooks.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underPartnerProgram, underProgram } from '../../under.ts';
import { NO_ADDRESS } from './webhooks.ts';

const Event = z.enum(POSTBACK_EVENTS);

const Postback = named(
	'Postback',
	"A URL at which a partner's own system receives events of their links.",
	z.object({
		url: is(Text, 'The URL to call, with its placeholders.'),
		events: is(z.array(Event), 'The events it is called for.'),
		enabled: is(z.boolean(), 'Whether the postback is called.'),
		disabled_at: is(z.nullable(Instant), 'When it was disabled, UTC.'),
		disabled_for: is(
			z.nullable(z.enum(['gone', 'failing', 'program'])),
			'Why it was disabled: `gone` (the receiver answered 410), `failing` (it failed for too long) or `program` (by the program).',
		),
		failures: is(Count, 'Failed calls since the last success.'),
		failing_since: is(z.nullable(Instant), 'When the first of these calls failed, UTC.'),
		created_at: is(Instant, 'When it was first saved, UTC.'),
	}),
);

const delivery = {
	id: is(Id, "The delivery's id."),
	event: is(Event, 'The event.'),
	test: is(z.boolean(), 'Whether it is a test.'),
	url: is(Text, 'The called URL with its values.'),
	status: is(z.enum(STATUSES), '`pending`, `delivered` (answered with 2xx) or `failed` (given up).'),
	attempts: is(Count, 'Number of attempts.'),
	next_attempt_at: is(z.nullable(Instant), 'When the next attempt is due, UTC.'),
	last_attempt_at: is(z.nullable(Instant), 'When the last attempt was made, UTC.'),
	last_status: is(z.nullable(z.int()), 'HTTP status of the last response.'),
	last_error: is(z.nullable(Text), 'What went wrong in the last attempt.'),
	created_at: is(Instant, 'When the delivery was created, UTC.'),
};

const OwnDelivery = named(
	'OwnPostbackDelivery',
	'A call of your postback, with its outcome.',
	z.object({ ...delivery, last_response: is(z.nullable(Text), 'Start of the last response, at most 1 KB.') }),
);

const Delivery = named('PostbackDelivery', "A call of a partner's postback, with its outcome.", z.object(delivery));

const NONE = notFound('Postback');
const SWITCHED_OFF = conflict('The program has disabled your postback. Contact the program', 'Only the program can enable it again.');
const ADDRESS_ERRORS = [
	...NO_ADDRESS,
	invalid(
		'url has the unknown placeholder {placeholder}: there are {click_id}, {amount}, {currency}, {event}, {sub_id}',
		'The placeholder does not exist.',
	),
	invalid('url has a { or } that does not belong to a placeholder', 'A brace is missing or extra.'),
	invalid('url must not have a #: what follows it is never sent', 'The URL has a fragment.'),
	invalid('url may have placeholders only after the host', 'A placeholder is in the scheme or host.'),
];

export const ownPostback = underPartnerProgram('/postback', [
	{
		method: 'put',
		atLeast: 'active',
		id: 'setOwnPostback',
		summary: 'Set your postback',
		description:
			'The URL is called by GET for each new event of these types. Saving a postback that was disabled for failures enables it. `{event}` is the event name; `{amount}` what you earned, or what was deducted or reinstated, in major units of `{currency}` (`19.80`), 0 for a lead; `{sub_id}` the value in your link; `{click_id}` an id of ours, the same for all events of a click, which grants no access. Values are encoded; unknown values are empty.',
		body: bodyOf('PostbackRequest', 'The postback.', PostbackRequest, {
			url: {
				text: 'An https URL on port 443 with a public host name, at most 2,000 characters. It may contain `{click_id}`, `{amount}`, `{currency}`, `{event}` and `{sub_id}` anywhere in the path or query.',
				json: { example: 'https://network.example/postback?cid={sub_id}&payout={amount}&currency={currency}&type={event}' },
			},
			events:
				'The events to call it for. `lead`: a visitor of yours signed up; `sale`: a sale earned you a commission; `reversed`: a refund or the program deducted all or part of it; `reinstated`: a deduction was reversed.',
		}),
		answers: {
			200: {
				description: 'The updated postback.',
				schema: answerOfRoute<typeof ownPostbackRoutes, '/', '$put'>()(answerOf(Postback, 'The postback.')),
			},
		},
		errors: [
			...ADDRESS_ERRORS,
			conflict('The program does not allow postbacks', 'Its setting `partner_postbacks` is off.'),
			SWITCHED_OFF,
			conflict('Your membership has changed: reload and try again', 'You were suspended or removed at the same time.'),
		],
		examples: [
			{
				name: 'postback',
				summary: 'Sales and their reversals',
				body: {
					url: 'https://network.example/postback?cid={sub_id}&payout={amount}&currency={currency}&type={event}',
					events: ['sale', 'reversed'],
				},
			},
			{
				name: 'placeholder',
				summary: 'An unknown placeholder',
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
		description: "Your postback's settings and failures.",
		answers: {
			200: {
				description: 'The postback.',
				schema: answerOfRoute<typeof ownPostbackRoutes, '/', '$get'>()(answerOf(Postback, 'The postback.')),
			},
		},
		errors: [NONE],
		examples: [{ name: 'postback', summary: "Pat's postback" }],
	},
	{
		method: 'post',
		path: '/test',
		atLeast: 'active',
		id: 'testOwnPostback',
		summary: 'Test your postback',
		description: 'Calls your postback with a test event, with `test` as `{sub_id}`. The call is logged like any other.',
		body: bodyOf('PostbackTestRequest', 'The event to test.', PostbackTestRequest, {
			event: "The event. Defaults to the postback's first event.",
		}),
		answers: {
			201: {
				description: 'The call is pending.',
				schema: answerOfRoute<typeof ownPostbackRoutes, '/test', '$post'>()(answerOf(OwnDelivery, 'The call.')),
			},
		},
		errors: [NONE, conflict('The postback is disabled: save it again first', 'The postback is disabled.')],
		examples: [{ name: 'test', summary: 'Test a sale', body: { event: 'sale' } }],
	},
	{
		method: 'get',
		path: '/deliveries',
		atLeast: 'suspended',
		id: 'listOwnPostbackDeliveries',
		summary: 'List the calls of your postback',
		description: 'Calls of the last 30 days with their responses, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of calls.',
				schema: answerOfRoute<typeof ownPostbackRoutes, '/deliveries', '$get'>()(pageOf(OwnDelivery, 'Calls, newest first.')),
			},
		},
		errors: [NONE],
		examples: [{ name: 'deliveries', summary: 'The latest calls', query: { limit: '2' } }],
	},
]);

const PARAMS = { partnerId: "The partner's id." };

export const postbackOfPartner = underProgram('Partners', '/partners/:partnerId/postback', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'readPostbackOfPartner',
		summary: "Read a partner's postback",
		description: "The settings and failures of a partner's postback.",
		params: PARAMS,
		answers: {
			200: {
				description: 'The postback.',
				schema: answerOfRoute<typeof postbackOfPartnerRoutes, '/', '$get'>()(answerOf(Postback, 'The postback.')),
			},
		},
		errors: [NONE],
		examples: [{ name: 'postback', summary: "Pat's postback", params: { partnerId: 1 } }],
	},
	{
		method: 'patch',
		atLeast: 'admin',
		id: 'switchPostbackOfPartner',
		summary: "Disable or enable a partner's postback",
		description: 'A disabled postback is no longer called, its pending calls fail, and the partner cannot enable it.',
		params: PARAMS,
		body: bodyOf('PostbackSwitch', 'Whether to enable it.', PostbackSwitch, { enabled: 'Whether the postback is called.' }),
		answers: {
			200: {
				description: 'The updated postback.',
				schema: answerOfRoute<typeof postbackOfPartnerRoutes, '/', '$patch'>()(answerOf(Postback, 'The postback.')),
			},
		},
		errors: [NONE],
		examples: [
			{ name: 'off', summary: 'Disable', params: { partnerId: 1 }, body: { enabled: false } },
			{ name: 'on', summary: 'Enable again', params: { partnerId: 1 }, body: { enabled: true } },
		],
	},
	{
		method: 'get',
		path: '/deliveries',
		atLeast: 'member',
		id: 'listPostbackDeliveriesOfPartner',
		summary: "List the calls of a partner's postback",
		description: 'Calls of the last 30 days, newest first. Only the partner sees the responses.',
		params: PARAMS,
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of calls.',
				schema: answerOfRoute<typeof postbackOfPartnerRoutes, '/deliveries', '$get'>()(pageOf(Delivery, 'Calls, newest first.')),
			},
		},
		errors: [NONE],
		examples: [{ name: 'deliveries', summary: 'The latest calls', params: { partnerId: 1 }, query: { limit: '2' } }],
	},
]);

export const endOfPostback = underPartnerProgram('/postback', [
	{
		method: 'delete',
		atLeast: 'active',
		id: 'deleteOwnPostback',
		summary: 'Delete your postback',
		description: 'Deletes your postback. Pending calls fail, and the log is no longer available.',
		answers: {
			200: { description: 'The postback was deleted.', schema: answerOfRoute<typeof ownPostbackRoutes, '/', '$delete'>()(nothing) },
		},
		errors: [NONE, SWITCHED_OFF],
		examples: [{ name: 'delete', summary: 'Delete the postback' }],
	},
]);
