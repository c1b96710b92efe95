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
		is_bot: is(z.nullable(z.boolean()), "Clicks: whether a crawler that ran the page's script made it, so that it is not counted."),
		click_id: is(
			z.nullable(Text),
			'For a lead, the click id that was sent; for a sale or refund, the one that its customer is attributed to.',
		),
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
			'Refunds: the nominal deduction from the commission, in minor units. Negative for a reinstatement.',
		),
		refund_id: is(z.nullable(Text), 'Your id of the refund.'),
		outcome: is(
			z.nullable(z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test'])),
			'Refunds: the outcome. `reinstated`: the refund failed at the processor, or the dispute was won.',
		),
		source: is(z.nullable(z.enum(['endpoint', 'processor'])), 'Refunds: who reported it, your backend or the payment processor.'),
		reason: is(z.nullable(Text), 'The reason of a refund.'),
		partner: is(
			z.nullable(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') })),
			'The partner of the event; null: none.',
		),
		short_link: is(z.nullable(Text), 'The link that the customer followed.'),
		country: is(z.nullable(Text), 'Clicks: two letters, reported by the platform.'),
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
		"Only events of this partner's links. With this, `link_id` or `country`, a page reads 5,000 events of each type: if few match, it may be short or empty and still have a `next_cursor`.",
	link_id: 'Only events of this link: its clicks, and the events of their customers.',
	country: 'Only clicks from this country, two letters, and the events of their customers.',
	customer_id:
		'Only those of this customer: the click that it is attributed to, its leads, sales and refunds. Test records have no customer.',
	customer_key: 'The same by your id of the customer.',
	transaction_id: 'Only this sale and its refunds, by your id of the payment or another one that the payment processor reported.',
	from: "Only at or after this: a day in the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`). A time without an offset is in that time zone.",
	to: 'Only at or before this. A day is included as a whole.',
	dateFrom: 'Another name of `from`.',
	dateTo: 'Another name of `to`.',
	cursor: PAGE_FIELDS.cursor,
	total:
		'`true` counts the events of the range, see `total` in the response. Not with `partner_id`, `link_id` or `country`, which have no index.',
	limit: 'Rows of a page, 1 to 200. CSV without it has the whole range, up to 1,000,000 events: a longer file is refused before it begins.',
	eventType:
		'For earlier clients: `conversion` is a sale. With this, `page` or `pageSize`, tests and refunds are left out unless `test` or `type` selects them.',
	page: 'For earlier clients, instead of `cursor`: the page number, from 1. It reaches the newest 1,000 events. New events shift the pages, so an event may appear twice, but none is skipped.',
	pageSize: 'For earlier clients: rows per page, 1 to 200, by default 10.',
});

const EventTimeline = named(
	'EventStory',
	'An event, its customer and partner, and what followed.',
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
			'Clicks: what the page reported. Null for other events.',
		),
		customers: is(
			z.array(Customer),
			'The customer of the event; for a click its customers, at most 10. Empty for a test, or a click without a lead or sale.',
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
	'Every event, newest first; a CSV with `Accept: text/csv`. Following `next_cursor` from the first page neither repeats nor skips events, even while new ones arrive. A click is listed some seconds after its time. To poll, request again from a little before your newest event, and skip known ones by `type` and `id`.';

const answers: Readonly<Record<number, AnswerDoc>> = {
	200: { description: 'A page of events.', schema: EventPage, csv: `\`${EVENT_COLUMNS}\`` },
};

const errors: readonly ErrorDoc[] = [
	invalid('from must not be after to', 'The range is empty.'),
	invalid('Send either {name} or {other}', 'The same filter was sent under two names.'),
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
			'The event with its timeline: the customer and their click, each sale with the facts of its decision, its commission, refunds, ledger entries and payout, and steps in plain English.',
		caller: 'session',
		params: {
			programId: 'Id of the program.',
			type: { text: 'What it is.', json: { type: 'string', enum: ['click', 'lead', 'sale', 'refund'] } },
			eventId: { text: 'The `id` of the event; of a click its `click_id`.', json: { type: 'string' } },
		},
		answers: { 200: { description: 'The event.', schema: answerOf(EventTimeline, 'The event with its story.') } },
		errors: [
			...programErrors('member'),
			notFound('Event', 'The event does not exist in this program. A click is available some seconds after its time.'),
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
