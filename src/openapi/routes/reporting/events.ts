import * as z from 'zod/mini';
import type { cli as cliRoutes } from '../../../http/cli.ts';
import { EventQuery } from '../../../http/event-query.ts';
import { EVENT_COLUMNS, type events as eventRoutes } from '../../../http/events.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, PageMeta, successful, Text } from '../../answers.ts';
import { type ErrorDoc, invalid, notFound, programErrors } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { type AnswerDoc, fieldsOf, type Operation } from '../../operation.ts';
import { Customer, JourneyStep } from '../customers/customers.ts';
import { SaleExplanation } from './explanation-fields.ts';

export const Event = named(
	'Event',
	'A click, lead, sale or refund. Fields that do not apply to the type are null.',
	z.object({
		type: is(z.enum(['click', 'lead', 'sale', 'refund']), 'The type of event.'),
		id: is(Id, "The event's id, unique within its type."),
		at: is(Instant, 'When it happened, UTC.'),
		is_test: is(z.boolean(), 'Whether it is a test record.'),
		is_bot: is(z.nullable(z.boolean()), 'Clicks: whether a crawler ran the page script, so the click is not counted.'),
		click_id: is(
			z.nullable(Text),
			'For a lead, the click id that was sent; for a sale or refund, the one that its customer is attributed to.',
		),
		customer_key: is(z.nullable(Text), 'Your id of the customer.'),
		sale_id: is(z.nullable(Id), 'The id of the sale, or of the refunded sale.'),
		transaction_id: is(z.nullable(Text), 'Your id of the payment.'),
		product_id: is(z.nullable(Text), 'Your id of the product.'),
		amount_cents: is(
			z.nullable(Cents),
			'The amount paid or refunded, in minor units of `currency`. Negative if a refund no longer counts.',
		),
		currency: is(z.nullable(CurrencyCode), 'ISO 4217 code.'),
		commission_id: is(z.nullable(Id), "The commission's id."),
		deduction_cents: is(
			z.nullable(Cents),
			'Refunds: the nominal deduction from the commission, in minor units. Negative if it was reinstated.',
		),
		refund_id: is(z.nullable(Text), 'Your id of the refund.'),
		outcome: is(
			z.nullable(z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test'])),
			'Refunds: the outcome. `reinstated`: the refund failed at the processor, or a dispute was won.',
		),
		source: is(z.nullable(z.enum(['endpoint', 'processor'])), 'Refunds: who reported it, your backend or the payment processor.'),
		reason: is(z.nullable(Text), 'Refunds: the reason, as reported.'),
		partner: is(
			z.nullable(z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") })),
			'The partner of the event; null if none.',
		),
		short_link: is(z.nullable(Text), 'The link that brought the customer.'),
		country: is(z.nullable(Text), 'Clicks: two-letter country code, as detected by the platform.'),
		sale_type: is(z.nullable(z.enum(['payment', 'subscription'])), 'Sales: whether it is a single payment or part of a subscription.'),
		is_recurring: is(z.nullable(z.boolean()), 'Sales: whether it renews a subscription.'),
		subscription_id: is(z.nullable(Text), 'Sales: your id of the subscription.'),
		subscription_interval: is(z.nullable(z.enum(['monthly', 'quarterly', 'annual'])), 'Sales: how often the subscription is paid.'),
		event_type: is(
			z.optional(z.enum(['click', 'lead', 'conversion', 'refund'])),
			'For earlier clients, which send `eventType`, `page` or `pageSize`: the type.',
		),
		timestamp: is(z.optional(Instant), 'For earlier clients: the same as `at`.'),
		createdAt: is(z.optional(Instant), 'For earlier clients: the same as `at`.'),
		processor_event_id: is(z.optional(z.nullable(Text)), 'For earlier clients: the same as `transaction_id`.'),
	}),
);

const EventPage = successful({
	data: is(z.array(Event), 'Events, newest first.'),
	meta: is(
		z.extend(PageMeta, {
			clicks_retired_until: is(
				z.nullable(z.string()),
				"The last day, in the program's time zone, whose clicks are no longer kept one by one. Up to it only the clicks of customers are listed. Null if all clicks are, or if `type` excludes clicks.",
			),
			pagination: is(
				z.optional(
					z.object({
						page: is(Count, 'The number of the page.'),
						pageSize: is(Count, 'Rows of a page.'),
						pageCount: is(Count, 'The number of pages.'),
						total: is(Count, 'The number of events, counted up to 1,000.'),
					}),
				),
				'For earlier clients, which send `eventType`, `page` or `pageSize`.',
			),
		}),
		'Pagination details.',
	),
});

const query = fieldsOf(EventQuery, {
	type: {
		text: 'Only events of these types, separated by commas.',
		json: { pattern: '^\\s*(click|lead|sale|refund)\\s*(,\\s*(click|lead|sale|refund)\\s*)*$', default: 'click,lead,sale,refund' },
	},
	test: '`true`: only test records; `false`: only real ones. Defaults to both.',
	partner_id:
		"Only events that this partner's links brought. With `partner_id`, `link_id` or `country` a page reads 5,000 events of each type: if few match, it may be short or empty and still have a `next_cursor`.",
	link_id: 'Only events of this link: its clicks, and the events of the customers it brought.',
	country: 'Only clicks from this country (two letters), and the events of the customers they brought.',
	customer_id:
		'Only events of this customer: the click that it is attributed to, its leads, sales and refunds. Test records have no customer.',
	customer_key: 'Like `customer_id`, by your id of the customer.',
	transaction_id: 'Only this sale and its refunds: your id of the payment, or another that the payment processor reported.',
	from: "Only events on or after this day of the program's time zone (`2026-01-31`) or time (`2026-01-31T12:00:00Z`), which without an offset is in that zone.",
	to: 'Only events on or before this day or time; a day counts as a whole.',
	dateFrom: 'Another name for `from`.',
	dateTo: 'Another name for `to`.',
	cursor: PAGE_FIELDS.cursor,
	total:
		'`true` counts the events of the range, see `total` in the response. Not with `partner_id`, `link_id` or `country`, which have no index.',
	limit: 'Rows of a page, 1 to 200. CSV without it has the whole range, up to 1,000,000 events; a longer range is refused.',
	eventType:
		'For earlier clients: `conversion` is a sale. With `eventType`, `page` or `pageSize`, tests and refunds are excluded unless `test` or `type` includes them.',
	page: 'For earlier clients, instead of `cursor`: the page number, from 1. It reaches the newest 1,000 events; new events shift the pages, so an event may appear twice, but none is skipped.',
	pageSize: 'For earlier clients: rows of a page, 1 to 200, by default 10.',
});

const EventTimeline = named(
	'EventStory',
	'An event with its customers, its history and its results.',
	z.object({
		event: is(
			z.extend(Event, {
				line_items: is(z.unknown(), 'Sales: the line items as sent. Null for a sale without any, and for other events.'),
			}),
			'The event.',
		),
		visit: is(
			z.nullable(
				z.object({
					link_id: is(Id, "The link's id."),
					page_url: is(z.nullable(Text), 'The address of the visited page.'),
					page_title: is(z.nullable(Text), 'The title of the page.'),
					referrer_url: is(z.nullable(Text), 'The address of the previous page.'),
					source: is(z.nullable(Text), 'The host of `referrer_url`, as reports count it.'),
					user_agent: is(z.nullable(Text), 'The user agent of the browser.'),
					language: is(z.nullable(Text), 'The language of the browser.'),
					time_zone: is(z.nullable(Text), 'The time zone of the browser.'),
					sub_id: is(z.nullable(Text), "The partner's own value in the link."),
				}),
			),
			'Clicks: what the page reported. Null for other events.',
		),
		customers: is(
			z.array(Customer),
			'The customer of the event; for a click, up to 10 customers who came from it. Empty for a test, or for a click without a lead or sale.',
		),
		journey: is(
			z.array(JourneyStep),
			'The journey of the first customer, newest step first, at most 50; more at `GET /api/v1/programs/{id}/customers/{customerId}`.',
		),
		sales: is(
			z.array(SaleExplanation),
			'From the click to the payout: the sale, or the refunded sale; for a click or lead, the newest 10 sales of the customers.',
		),
	}),
);

const ABOUT =
	'Every event, newest first. `Accept: text/csv` returns CSV. Following `next_cursor` from the first page neither repeats nor skips events while new ones arrive. A click is listed some seconds after its time, so poll from a little before the newest event you have, and recognize duplicates by `type` and `id`.';

const PAGE: AnswerDoc = { description: 'A page of events.', csv: `\`${EVENT_COLUMNS}\`` };

const errors: readonly ErrorDoc[] = [
	invalid('from must not be after to', 'The range is empty.'),
	invalid('Send either {name} or {other}', 'The same parameter was sent under two names.'),
	invalid(
		'page reaches only the newest {number} events. Follow next_cursor or request a shorter range',
		'The page is beyond these events.',
	),
];

/** The list has two routes: one for people, one for backends. */
export const events: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/tracking/events/:programId',
		id: 'listEvents',
		tag: 'Reports',
		summary: 'List events',
		description: ABOUT,
		caller: 'session',
		params: { programId: "The program's id." },
		query,
		answers: { 200: { ...PAGE, schema: answerOfRoute<typeof eventRoutes, '/:programId', '$get'>()(EventPage) } },
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
				summary: 'A page for earlier clients',
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
			'One event with its history: the customer and their journey, each sale with what the decision was based on, its commission, refunds, ledger entries and payout, and steps in plain English.',
		caller: 'session',
		params: {
			programId: "The program's id.",
			type: { text: 'The type of event.', json: { type: 'string', enum: ['click', 'lead', 'sale', 'refund'] } },
			eventId: { text: 'The `id` of the event; for a click, its `click_id`.', json: { type: 'string' } },
		},
		answers: {
			200: {
				description: 'The event.',
				schema: answerOfRoute<typeof eventRoutes, '/:programId/:type/:eventId', '$get'>()(
					answerOf(EventTimeline, 'The event with its history.'),
				),
			},
		},
		errors: [
			...programErrors('member'),
			notFound('Event', 'The program has no such event. A click appears some seconds after its time.'),
			invalid('type in the path must be click, lead, sale or refund', 'It is another type.'),
			invalid('{name} in the path must be a positive integer', 'The id is not a positive integer, and the event is not a click.'),
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
		answers: { 200: { ...PAGE, schema: answerOfRoute<typeof cliRoutes, '/events', '$get'>()(EventPage) } },
		errors,
		examples: [{ name: 'leads', summary: 'The newest lead', query: { type: 'lead', limit: '1' } }],
	},
];
