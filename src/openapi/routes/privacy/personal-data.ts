import * as z from 'zod/mini';
import { PersonRequest, type personalData as personalDataRoutes } from '../../../http/management/privacy/personal-data.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { PageQuery } from '../../../http/page.ts';
import { underProgram } from '../../under.ts';

const Row = z.record(z.string(), z.unknown());
const rows = (what: string) => is(z.array(Row), `${what} With all stored columns.`);

const PersonalData = named(
	'PersonalData',
	'All data that a program stores about a person.',
	z.object({
		customers: rows('The customers that are this person.'),
		clicks: rows('The clicks that brought them, with page, referrer, session, user agent, language and time zone.'),
		leads: rows('Their sign-ups.'),
		sales: rows('Their purchases, with the line items as reported.'),
		commissions: rows('The commissions on these purchases.'),
		refunds: rows('Their refunds, with the reasons.'),
		subscriptions: rows('The customers of subscriptions and checkouts, as reported by payment processors.'),
		refusals: rows('Refused calls of the last 30 days that named them.'),
		processor_events: rows('Events of payment processors whose bodies name them, as received: the first 500, up to 8 MiB in total.'),
		dead_letters: rows('Dead letters that name them.'),
		notifications: rows('Notifications to partners and members about their sales.'),
	}),
);

const Counts = named(
	'ErasureCounts',
	'The numbers of erased records.',
	z.object({
		customers: is(Count, 'Customers that can no longer be identified.'),
		clicks: is(Count, 'Clicks whose id, page, referrer, session, user agent, language and time zone were erased.'),
		leads: is(Count, 'Sign-ups whose ids were erased. Found by a search: see `GET .../customers/erasures`.'),
		sales: is(Count, 'Sales whose line items, subscription and any transaction_id that identifies the buyer were erased.'),
		refusals: is(Count, 'Refused calls that named the person.'),
		processor_events: is(Count, 'Event bodies from payment processors. Found by a search.'),
		dead_letters: is(Count, 'Dead letters. Found by a search.'),
		notifications: is(Count, 'Notifications whose reason for a refund or rejection was erased. Found by a search.'),
	}),
);

const Erasure = named(
	'Erasure',
	'What was erased about a person, without identifying them.',
	z.object({
		id: is(Id, "The erasure's id."),
		requested_at: is(Instant, 'When it was requested, in UTC.'),
		requested_by: is(z.object({ id: is(Id, "The person's id."), name: is(Text, "The person's name.") }), 'The person who requested it.'),
		erased: is(Counts, 'What has been erased so far.'),
		next_search_at: is(
			z.nullable(Instant),
			'When the next search for data that queues may have held is due, in UTC; null if nothing can be left.',
		),
	}),
);

const BODY = bodyOf('PersonRequest', 'One id that identifies a person.', PersonRequest, {
	customer_id: "A customer's id.",
	customer_key: 'Your own id of the customer.',
	email: 'The address, in any letter case. Also found by its keyed hash if it is not stored in plain text.',
	click_id: 'The click that brought them. Matches everyone with this click.',
});
const ERRORS = [
	invalid('Send one of customer_id, customer_key, email and click_id', 'The body has none of them, or several.'),
	notFound('Customer', 'The program stores nothing under this id.'),
	invalid('More than {number} customers have this id. Select one with customer_id', 'Too many customers share the address or click.'),
	invalid(
		'More than {number} sales match. Request the customers of this id one at a time with customer_id',
		'The person has more sales than that.',
	),
];

export const personalData = underProgram('Customers', '/customers', [
	{
		method: 'post',
		path: '/export',
		atLeast: 'admin',
		id: 'exportCustomer',
		summary: "Export a person's data",
		description:
			"Exports what is stored about the person with this id. A person may be several customers: those with the same email address, and those without a key with the same click. Recorded in the audit log with the customer's id. The id is sent in the body because logs keep request URLs.",
		body: BODY,
		answers: {
			200: {
				description: 'All stored data.',
				schema: answerOfRoute<typeof personalDataRoutes, '/export', '$post'>()(answerOf(PersonalData, 'The data by kind.')),
			},
		},
		errors: ERRORS,
		examples: [{ name: 'by-key', summary: 'By key', body: { customer_key: 'user-1001' } }],
	},
	{
		method: 'get',
		path: '/erasures',
		atLeast: 'admin',
		id: 'listErasures',
		summary: 'List erasures',
		description:
			'Erasures, newest first, without naming the people. For 15 days, an erasure keeps searching for data that queues may have held.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of erasures.',
				schema: answerOfRoute<typeof personalDataRoutes, '/erasures', '$get'>()(pageOf(Erasure, 'Erasures, newest first.')),
			},
		},
		examples: [{ name: 'all', summary: 'The newest erasures', query: { limit: '2' } }],
	},
	{
		method: 'post',
		path: '/erase',
		atLeast: 'admin',
		id: 'eraseCustomer',
		summary: 'Erase a person',
		description:
			"Permanently erases everything that identifies the person with this id. No figure, commission, balance, payout or ledger entry changes: sales and clicks stay, but no longer identify anyone. Data that has to be searched for (sign-ups, event bodies, messages) is erased within a minute. For 400 days, the erased ids are unknown, so that late data does not restore the person: a lead or sale with only the key gets 400, a click id belongs to nobody, and an event of a subscription is not recorded. Refunds still find their sale by its transaction_id. Recorded in the audit log with the customer's id.",
		body: BODY,
		answers: {
			200: {
				description: 'What was erased at once.',
				schema: answerOfRoute<typeof personalDataRoutes, '/erase', '$post'>()(
					answerOf(z.object({ erasure_id: is(Id, "The erasure's id."), erased: is(Counts, 'What was erased at once.') }), 'The erasure.'),
				),
			},
		},
		errors: ERRORS,
		examples: [{ name: 'by-email', summary: 'By address', body: { email: 'zoe@people.example' } }],
	},
]);
