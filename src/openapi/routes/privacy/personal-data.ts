import * as z from 'zod/mini';
import { PersonRequest } from '../../../http/management/privacy/personal-data.ts';
import { answerOf, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { PageQuery } from '../../../http/page.ts';
import { underProgram } from '../../under.ts';

const Row = z.record(z.string(), z.unknown());
const rows = (what: string) => is(z.array(Row), `${what} Each with the columns that are stored.`);

const PersonalData = named(
	'PersonalData',
	'All that a program has stored of a person.',
	z.object({
		customers: rows('The customers that they are.'),
		clicks: rows('Their clicks, with page, referrer, session, user agent, language and time zone.'),
		leads: rows('Their sign-ups.'),
		sales: rows('What they bought, with the line items as they were reported.'),
		commissions: rows('What partners earned with that.'),
		refunds: rows('Their refunds, and why.'),
		subscriptions: rows('What a payment processor reported about the person of a subscription or checkout.'),
		refusals: rows('Calls of the program that were refused and named them, of 30 days.'),
		processor_events: rows('Payment processor events whose bodies name them, as received: the first 500, up to 8 MiB in total.'),
		dead_letters: rows('Messages that the queues gave up on and that name them.'),
		notifications: rows('Notifications of partners and members about their sales.'),
	}),
);

const Counts = named(
	'ErasureCounts',
	'How much was erased.',
	z.object({
		customers: is(Count, 'Customers that no longer identify anyone.'),
		clicks: is(Count, 'Clicks without their id, page, referrer, session, user agent, language and time zone.'),
		leads: is(Count, 'Sign-ups without their ids. Found by a search: see `GET .../customers/erasures`.'),
		sales: is(Count, 'Sales without line items, subscription and a transaction_id that identifies the buyer.'),
		refusals: is(Count, 'Calls that were refused and named them.'),
		processor_events: is(Count, 'Bodies of events of a payment processor. Found by a search.'),
		dead_letters: is(Count, 'Messages that the queues gave up on. Found by a search.'),
		notifications: is(Count, 'Notifications without the reason of a refund or rejection. Found by a search.'),
	}),
);

const Erasure = named(
	'Erasure',
	'What was erased, without the person.',
	z.object({
		id: is(Id, 'Id of the erasure.'),
		requested_at: is(Instant, 'When it was asked for, UTC.'),
		requested_by: is(z.object({ id: is(Id, 'Id of the person.'), name: is(Text, 'Their name.') }), 'Who asked for it.'),
		erased: is(Counts, 'What was found so far.'),
		next_search_at: is(z.nullable(Instant), 'When it is searched again for what queues may have held, UTC; null: nothing can be left.'),
	}),
);

const BODY = bodyOf('PersonRequest', 'One of the ids that the program has of a person.', PersonRequest, {
	customer_id: 'Number of a customer.',
	customer_key: 'Your id of the customer.',
	email: 'The address, in any letter case. Found by its keyed hash too, where it is not kept in clear.',
	click_id: 'Their click: selects everyone with this click.',
});
const ERRORS = [
	invalid('Send one of customer_id, customer_key, email and click_id', 'The body names none of them, or several.'),
	notFound('Customer', 'The program has nothing stored of that id.'),
	invalid('More than {number} customers have this id. Select one with customer_id', 'A crowd has the same address or click.'),
	invalid('More than {number} sales match. Request the customers of this id one at a time with customer_id', 'They bought more than that.'),
];

export const personalData = underProgram('Customers', '/customers', [
	{
		method: 'post',
		path: '/export',
		atLeast: 'admin',
		id: 'exportCustomer',
		summary: 'Export what is stored of a person',
		description:
			'Select the person by one of their ids in the program. A person may be several customers: those with the same email address, and those without a key that share a click. The audit log records the id of the customer. Ids are sent in the body because logs keep request addresses.',
		body: BODY,
		answers: { 200: { description: 'All of it.', schema: answerOf(PersonalData, 'By what it is.') } },
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
			'Erasures, newest first, without the persons. An erasure keeps searching for 15 days for data that queues may still have held.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of erasures.', schema: pageOf(Erasure, 'Erasures, newest first.') } },
		examples: [{ name: 'all', summary: 'The newest', query: { limit: '2' } }],
	},
	{
		method: 'post',
		path: '/erase',
		atLeast: 'admin',
		id: 'eraseCustomer',
		summary: 'Erase a person',
		description:
			"Permanently erases a person's data, selected by one of their ids in the program. No figure, commission, balance, payout or ledger entry changes: sales and clicks stay without the person. Data that must be searched for (sign-ups, event bodies, messages) is erased within a minute. For 400 days the erased ids count as unknown, so late events cannot restore the person: a lead or sale with only the key is refused with 400, a click id belongs to nobody, and an event of a subscription is not recorded. Refunds still find their sale by its transaction_id. The audit log records the id of the customer.",
		body: BODY,
		answers: {
			200: {
				description: 'What was erased at once.',
				schema: answerOf(
					z.object({ erasure_id: is(Id, 'Id of the erasure.'), erased: is(Counts, 'What was erased at once.') }),
					'The erasure.',
				),
			},
		},
		errors: ERRORS,
		examples: [{ name: 'by-email', summary: 'By address', body: { email: 'zoe@people.example' } }],
	},
]);
