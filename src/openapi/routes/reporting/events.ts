import * as z from 'zod/mini';
import { EventQuery } from '../../../http/event-query.ts';
import { EVENT_COLUMNS } from '../../../http/events.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, PageMeta, successful, Text } from '../../answers.ts';
import { type ErrorDoc, invalid, notFound, programErrors } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { type AnswerDoc, fieldsOf, type Operation } from '../../operation.ts';
import { Customer, JourneyStep } from '../customers/customers.ts';
import { SaleExplanation } from './explanations.ts';

export const Event = named(
	'Event',
	'A click, lead, sale or refund. A field is null if an event of its type has no such thing.',
	z.object({
		type: is(z.enum(['click', 'lead', 'sale', 'refund']), 'What happened.'),
		id: is(Id, 'Id of the event, unique within its type.'),
		at: is(Instant, 'When it happened, UTC.'),
		is_test: is(z.boolean(), 'Whether it is a test record.'),
		is_bot: is(z.nullable(z.boolean()), 'Clicks: whether it came from a crawler that ran the script of the page, and so is not counted.'),
		click_id: is(z.nullable(Text), 'Of a lead the one that was sent; of a sale or refund the one that its customer is attributed to.'),
		customer_key: is(z.nullable(Text), 'Your id of the customer.'),
		sale_id: is(z.nullable(Id), 'Id of the sale, or of the one that was refunded.'),
		transaction_id: is(z.nullable(Text), 'Your id of the payment.'),
		product_id: is(z.nullable(Text), 'Your id of what was bought.'),
		amount_cents: is(
			z.nullable(Cents),
			'What was paid, or refunded of it, in minor units of `currency`. Negative if a refund no longer counts.',
		),
		currency: is(z.nullable(CurrencyCode), 'ISO 4217 code.'),
		commission_id: is(z.nullable(Id), 'Id of the commission.'),
		deduction_cents: is(
			z.nullable(Cents),
			'Refunds: what it took from the commission, nominally, in minor units. Negative if it was given back.',
		),
		refund_id: is(z.nullable(Text), 'Your id of the refund.'),
		outcome: is(
			z.nullable(z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test'])),
			'Refunds: what became of it. `reinstated`: it failed at the processor, or a dispute was won.',
		),
		source: is(z.nullable(z.enum(['endpoint', 'processor'])), 'Refunds: who told of it, your backend or the payment processor.'),
		reason: is(z.nullable(Text), 'The reason of a refund.'),
		partner: is(
			z.nullable(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') })),
			'Whose event it is; null: nobody’s.',
		),
		short_link: is(z.nullable(Text), 'The link by which the customer came.'),
		country: is(z.nullable(Text), 'Clicks: two letters, as the platform says.'),
		sale_type: is(z.nullable(z.enum(['payment', 'subscription'])), 'Sales: whether it is a single payment, or one of a subscription.'),
		is_recurring: is(z.nullable(z.boolean()), 'Sales: whether it renews a subscription.'),
		subscription_id: is(z.nullable(Text), 'Sales: your id of the subscription.'),
		subscription_interval: is(z.nullable(z.enum(['monthly', 'quarterly', 'annual'])), 'Sales: how often the subscription is paid.'),
		event_type: is(
			z.optional(z.enum(['click', 'lead', 'conversion', 'refund'])),
			'For earlier clients, who ask by `eventType`, `page` or `pageSize`: the type.',
		),
		timestamp: is(z.optional(Instant), 'For earlier clients: `at`.'),
		createdAt: is(z.optional(Instant), 'For earlier clients: `at`.'),
		processor_event_id: is(z.optional(z.nullable(Text)), 'For earlier clients: `transaction_id`.'),
	}),
);

const EventPage = successful({
	data: is(z.array(Event), 'Events, newest first.'),
	meta: is(
		z.extend(PageMeta, {
			pagination: is(
				z.optional(
					z.object({
						page: is(Count, 'The number of the page.'),
						pageSize: is(Count, 'Rows of a page.'),
						pageCount: is(Count, 'How many pages there are.'),
						total: is(Count, 'How many events there are, counted up to 1,000.'),
					}),
				),
				'For earlier clients, who ask by `eventType`, `page` or `pageSize`.',
			),
		}),
		'The page that follows.',
	),
});

const query = fieldsOf(EventQuery, {
	type: {
		text: 'Only events of these types, separated by commas.',
		json: { pattern: '^\\s*(click|lead|sale|refund)\\s*(,\\s*(click|lead|sale|refund)\\s*)*$', default: 'click,lead,sale,refund' },
	},
	test: '`true`: only test records; `false`: only real ones. Left out: both.',
	partner_id:
		'Only those of this partner: what its links brought. With it, `link_id` or `country` a page goes through 5,000 events of each type: where few of many meet the filters it may be short, or empty, and still have a `next_cursor`.',
	link_id: 'Only those of this link: its clicks, and what the customers did whom it brought.',
	country: 'Only clicks from this country, two letters, and what the customers did whom they brought.',
	customer_id:
		'Only those of this customer: the click that it is attributed to, its leads, sales and refunds. Test records have no customer.',
	customer_key: 'The same by your id of the customer.',
	transaction_id: 'Only this sale and its refunds: by your id of the payment, or a further one that the payment processor has told.',
	from: "Only those of then or later: a day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), which without an offset is one of that zone.",
	to: 'Only those of then or before; a day counts as a whole.',
	dateFrom: 'Another name of `from`.',
	dateTo: 'Another name of `to`.',
	cursor: PAGE_FIELDS.cursor,
	total:
		'`true` counts the events of the range, see `total` in the answer. Not with `partner_id`, `link_id` or `country`, which no index leads to.',
	limit: 'Rows of a page, 1 to 200. CSV without it has the whole range, up to 1,000,000 events: a longer file is refused before it begins.',
	eventType:
		'Of earlier clients: `conversion` is a sale. With it, `page` or `pageSize` there are neither tests nor refunds, unless `test` or `type` asks for them.',
	page: 'Of earlier clients, in place of `cursor`: the number of the page, from 1. The newest 1,000 events can be reached so; what arrives meanwhile moves the rest on, so that an event may come twice, but none is skipped.',
	pageSize: 'Of earlier clients: rows of a page, 1 to 200, by default 10.',
});

const EventTimeline = named(
	'EventStory',
	'An event, who it is of, and what came of it.',
	z.object({
		event: is(
			z.extend(Event, {
				line_items: is(z.unknown(), 'Sales: the line items as they were sent. Null for a sale without, and of other events.'),
			}),
			'The event.',
		),
		visit: is(
			z.nullable(
				z.object({
					link_id: is(Id, 'Id of the link.'),
					page_url: is(z.nullable(Text), 'The page that was opened.'),
					page_title: is(z.nullable(Text), 'Its title.'),
					referrer_url: is(z.nullable(Text), 'The page before it.'),
					source: is(z.nullable(Text), 'The host of that, as reports count it.'),
					user_agent: is(z.nullable(Text), 'What the browser calls itself.'),
					language: is(z.nullable(Text), 'Its language.'),
					time_zone: is(z.nullable(Text), 'Its time zone.'),
					sub_id: is(z.nullable(Text), 'What the partner put into the link for itself.'),
				}),
			),
			'Clicks: what the page told. Null for other events.',
		),
		customers: is(
			z.array(Customer),
			'Whose event it is; of a click those who came by it, at most 10. None: a test, or a click that nothing followed.',
		),
		journey: is(
			z.array(JourneyStep),
			'The way of the first of them, newest step first, at most 50; more at `GET /api/v1/programs/{id}/customers/{customerId}`.',
		),
		sales: is(
			z.array(SaleExplanation),
			'From the click to the payout: the sale that it is or is a refund of; of a click or lead the newest 10 of the customers.',
		),
	}),
);

const ABOUT =
	'Every single event, newest first; as CSV with `Accept: text/csv`. Following `next_cursor` from the first page neither repeats nor skips, while events arrive. A click is listed within some seconds of its time, so who polls asks again from a little before the newest event at hand, and knows by `type` and `id` what it has.';

const answers: Readonly<Record<number, AnswerDoc>> = {
	200: { description: 'A page of events.', schema: EventPage, csv: `\`${EVENT_COLUMNS}\`` },
};

const errors: readonly ErrorDoc[] = [
	invalid('from must not be after to', 'The range is empty.'),
	invalid('Send either {name} or {other}', 'One thing is asked for under two names.'),
	invalid('page reaches only the newest {number} events. Follow next_cursor or request a shorter range', 'The page is further back.'),
];

/** The same list for people and for backends. */
export const events: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/tracking/events/:programId',
		id: 'listEvents',
		tag: 'Reports',
		summary: 'List events',
		description: ABOUT,
		caller: 'session',
		params: { programId: 'Id of the program.' },
		query,
		answers,
		errors: [...programErrors('member'), ...errors],
		examples: [
			{ name: 'sales', summary: 'The two newest sales and refunds', params: { programId: 1 }, query: { type: 'sale,refund', limit: '2' } },
			{ name: 'transaction', summary: 'A sale and its refunds', params: { programId: 1 }, query: { transaction_id: 'order-1001' } },
			{ name: 'partner', summary: 'What a partner brought', params: { programId: 1 }, query: { partner_id: '1', limit: '2' } },
			{
				name: 'csv',
				summary: 'Clicks as CSV',
				params: { programId: 1 },
				query: { type: 'click', limit: '2' },
				headers: { Accept: 'text/csv' },
			},
			{
				name: 'numbered',
				summary: 'A page as earlier clients ask for it',
				params: { programId: 1 },
				query: { eventType: 'conversion', page: '2', pageSize: '1' },
			},
		],
	},
	{
		method: 'get',
		path: '/api/tracking/events/:programId/:type/:eventId',
		id: 'readEvent',
		tag: 'Reports',
		summary: 'Read an event',
		description:
			'With its whole story: the customer and how it came, each sale with what the decision rested on, its commission, refunds, ledger entries and payout, and steps in plain English.',
		caller: 'session',
		params: {
			programId: 'Id of the program.',
			type: { text: 'What it is.', json: { type: 'string', enum: ['click', 'lead', 'sale', 'refund'] } },
			eventId: { text: 'The `id` of the event; of a click its `click_id`.', json: { type: 'string' } },
		},
		answers: { 200: { description: 'The event.', schema: answerOf(EventTimeline, 'The event with its story.') } },
		errors: [
			...programErrors('member'),
			notFound('Event', 'The program has no such event. A click is there some seconds after its time.'),
			invalid('type in the path must be click, lead, sale or refund', 'It is none of them.'),
			invalid('{name} in the path must be a positive integer', 'It is none, and the event is no click.'),
		],
		examples: [
			{ name: 'refund', summary: 'A refund of a sale that was paid', params: { programId: 1, type: 'refund', eventId: '1' } },
			{ name: 'lead', summary: 'A lead', params: { programId: 1, type: 'lead', eventId: '1' } },
		],
	},
	{
		method: 'get',
		path: '/api/v1/cli/events',
		id: 'listOwnEvents',
		tag: 'Integration',
		summary: 'List events by key',
		description: ABOUT,
		caller: 'key',
		query,
		answers,
		errors,
		examples: [{ name: 'leads', summary: 'The newest lead', query: { type: 'lead', limit: '1' } }],
	},
];
