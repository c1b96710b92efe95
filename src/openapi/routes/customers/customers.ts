import * as z from 'zod/mini';
import { CUSTOMER_COLUMNS, CUSTOMER_STATUSES, CustomerQuery, JourneyQuery } from '../../../http/management/customers/customers.ts';
import {
	Cents,
	Count,
	CurrencyCode,
	Day,
	Id,
	Instant,
	NEXT_FIELDS,
	NextMeta,
	PAGE_FIELDS,
	pageOf,
	successful,
	Text,
} from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

const CUSTOMER = {
	id: is(Id, 'Id of the customer.'),
	customer_key: is(z.nullable(Text), 'Your id of the customer; null: none was sent yet, or it was erased.'),
	email: is(z.nullable(Text), 'The address, where the program keeps e-mail addresses in clear.'),
	status: is(z.enum(CUSTOMER_STATUSES), '`lead`: signed up; `conversion`: has bought.'),
	signup_date: is(z.nullable(Day), "Day of the sign-up, of the program's time zone."),
	first_purchase_date: is(z.nullable(Day), 'Day of the first purchase.'),
	partner: is(
		z.nullable(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') })),
		'Who brought the customer; null: nobody.',
	),
	link: is(
		z.nullable(z.object({ id: is(Id, 'Id of the link.'), short_link: is(Text, 'Its `aff` value.') })),
		'The link that the customer came by.',
	),
	click_id: is(z.nullable(Text), 'The click that the customer is attributed to; `erased_...` once it was erased.'),
	clicked_at: is(z.nullable(Instant), 'When that was, UTC.'),
	country: is(z.nullable(Text), 'Of that click: ISO 3166 code, as the platform tells it.'),
	source: is(z.nullable(Text), 'Of that click: the host of the page it came from.'),
	created_at: is(Instant, 'When the customer became known, UTC.'),
	erased_at: is(z.nullable(Instant), 'When all that tells who the customer is was erased, UTC; null: it was not.'),
} as const;

export const Customer = named('Customer', 'A person or company of one program.', z.object(CUSTOMER));

const Totals = z.object({
	sales: is(Count, 'How many sales.'),
	revenue_cents: is(Cents, 'What they came to, in minor units.'),
	refunded_cents: is(Cents, 'What of it was given back, in minor units.'),
	commission_cents: is(Cents, 'What partners earned with them, in minor units.'),
	deducted_cents: is(Cents, 'What refunds and rejections took back of that, in minor units.'),
});

export const JourneyStep = named(
	'JourneyStep',
	'What happened with a customer. Null: a step of this type has no such thing.',
	z.object({
		type: is(z.enum(['click', 'lead', 'sale', 'refund']), 'What it was.'),
		id: is(Id, 'Id of the event, by its type.'),
		at: is(Instant, 'When it was, UTC.'),
		click_id: is(z.nullable(Text), 'Clicks and leads: the click id.'),
		page_url: is(z.nullable(Text), 'Clicks: the page.'),
		referrer_url: is(z.nullable(Text), 'Clicks: the page before it.'),
		customer_key: is(z.nullable(Text), 'Leads: the key that was sent.'),
		sale_id: is(z.nullable(Id), 'Of the sale, or of the one that was refunded.'),
		transaction_id: is(z.nullable(Text), 'As the sale was reported.'),
		product_id: is(z.nullable(Text), 'Sales: the product.'),
		amount_cents: is(
			z.nullable(Cents),
			'In minor units of `currency`: of the sale, or what was given back; negative if a refund no longer counts.',
		),
		refunded_cents: is(z.nullable(Cents), 'Sales: what of it was given back so far, in minor units.'),
		currency: is(z.nullable(CurrencyCode), 'ISO 4217 code.'),
		commission: is(
			z.nullable(
				z.object({
					id: is(Id, 'Id of the commission.'),
					status: is(z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded']), 'Its state.'),
					amount_cents: is(Cents, 'Amount earned, in minor units.'),
					deducted_cents: is(Cents, 'Nominal deductions by refunds, in minor units.'),
				}),
			),
			'Sales: what the partner earned.',
		),
		no_commission_reason: is(z.nullable(Text), 'Sales: why there is no commission.'),
		duplicate_of_sale_id: is(z.nullable(Id), 'Sales: the earlier sale whose payment this was, under another id. It counts nothing.'),
		refund_id: is(z.nullable(Text), 'Refunds: the id of the refund.'),
		deduction_cents: is(
			z.nullable(Cents),
			'Refunds: what it took from the commission, nominally, in minor units; negative if it was given back.',
		),
		outcome: is(z.nullable(Text), 'Refunds: what became of it.'),
		reason: is(z.nullable(Text), 'Refunds: as it was reported.'),
	}),
);

const CustomerWithJourney = named(
	'CustomerJourney',
	'A customer, what it came to, and its way.',
	z.object({
		...CUSTOMER,
		totals: is(z.record(CurrencyCode, Totals), 'By ISO 4217 code. Amounts of different currencies are never added up.'),
		journey: is(z.array(JourneyStep), 'A page of its steps, newest first.'),
	}),
);

const UNKNOWN = notFound('Customer', 'The program has no such customer.');

export const customers = underProgram('Customers', '/customers', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listCustomers',
		summary: 'List and search customers',
		description:
			'Newest first; as CSV with `Accept: text/csv`: all that the filters leave, unless a `limit` is given. With `status` a page looks at up to 8,000 customers: if few of them have it, the page may be short and the next one continues. A search is a look-up, however many customers there are; of keys that begin so it looks at 5,000.',
		query: fieldsOf(CustomerQuery, {
			...PAGE_FIELDS,
			search:
				'A `customer_key` or how it begins, in its very letter case; a whole e-mail address, also where only its keyed hash is kept; or the `click_id` that the customer is attributed to.',
			status: 'Only those in this state.',
			partner_id: 'Only those whom this partner brought.',
			from: "Only those that became known then or later: a day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), which without an offset is one of that zone.",
			to: 'Only those that became known then or before; a day counts as a whole.',
		}),
		answers: {
			200: {
				description: 'A page of customers.',
				schema: pageOf(Customer, 'Customers, newest first.'),
				csv: `\`${CUSTOMER_COLUMNS}\``,
			},
		},
		errors: [invalid('from must not be after to', 'The range ends before it begins.')],
		examples: [
			{ name: 'search', summary: 'By key', query: { search: 'user-1' } },
			{ name: 'bought', summary: 'Who bought by a partner', query: { status: 'conversion', partner_id: '1', limit: '2' } },
			{ name: 'csv', summary: 'As CSV', query: { limit: '2' }, headers: { Accept: 'text/csv' } },
		],
	},
	{
		method: 'get',
		path: '/:customerId',
		atLeast: 'member',
		id: 'readCustomer',
		summary: "Read a customer's journey",
		description:
			'The customer, what its sales came to by currency, and what happened: click, leads, sales with the state of their commissions, refunds. Newest first, in pages. A click whose row is not stored yet has no pages.',
		params: { customerId: 'Id of the customer.' },
		query: fieldsOf(JourneyQuery, NEXT_FIELDS),
		answers: {
			200: {
				description: 'The customer, with a page of its journey.',
				schema: successful({
					data: is(CustomerWithJourney, 'The customer.'),
					meta: is(NextMeta, 'The steps that follow.'),
				}),
			},
		},
		errors: [UNKNOWN],
		examples: [{ name: 'first', summary: 'The newest steps', params: { customerId: 1 }, query: { limit: '3' } }],
	},
]);
