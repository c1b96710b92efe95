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
		clicks: rows('The clicks that they came by, with page, referrer, session, user agent, language and time zone.'),
		leads: rows('Their sign-ups.'),
		sales: rows('What they bought, with the line items as they were reported.'),
		commissions: rows('What partners earned with that.'),
		refunds: rows('What was given back to them, and why.'),
		subscriptions: rows('What a payment processor told of who stands behind a subscription or a checkout.'),
		refusals: rows('Calls of the program that were refused and named them, of 30 days.'),
		processor_events: rows('Events of a payment processor whose bodies name them, as they came: the first 500, of 8 MiB in all.'),
		dead_letters: rows('Messages that the queues gave up on and that name them.'),
		notifications: rows('What partners and members were told of their sales.'),
	}),
);

const Counts = named(
	'ErasureCounts',
	'How much was erased.',
	z.object({
		customers: is(Count, 'Customers that nobody can be told by any more.'),
		clicks: is(Count, 'Clicks without their id, page, referrer, session, user agent, language and time zone.'),
		leads: is(Count, 'Sign-ups without their ids. Found by a search: see `GET .../customers/erasures`.'),
		sales: is(Count, 'Sales without line items and subscription, and without a transaction_id that tells who bought.'),
		refusals: is(Count, 'Calls that were refused and named them.'),
		processor_events: is(Count, 'Bodies of events of a payment processor. Found by a search.'),
		dead_letters: is(Count, 'Messages that the queues gave up on. Found by a search.'),
		notifications: is(Count, 'Notifications without the reason of a refund or rejection. Found by a search.'),
	}),
);

const Erasure = named(
	'Erasure',
	'What was erased of a person; not of whom.',
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
	click_id: 'The click that they came by: of everybody who came by it.',
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
			'By one of the ids that the program has of them. A person may be several customers: those of the same e-mail address, and those without a key of the same click. In the audit log by the number of the customer. The ids are in the body, as addresses of requests are kept in logs.',
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
			'What was erased of people, newest first, never of whom. An erasure searches once more for what queues may still have held, for 15 days.',
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
			'All that tells who they are, by one of the ids that the program has of them; for good. No figure, commission, balance, payout or entry of the ledger changes: sales and clicks stay, without whom they are of. What a search has to find (sign-ups, bodies of events, messages) goes within a minute. For 400 days the erased ids count as unknown, so that what comes late brings nobody back: a lead or sale that comes by the key alone is answered 400, a click id is of nobody, and an event of a subscription is not recorded. Refunds still find their sale by its transaction_id. In the audit log by the number of the customer.',
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
