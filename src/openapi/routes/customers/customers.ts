import * as z from 'zod/mini';
import {
	CUSTOMER_COLUMNS,
	CUSTOMER_STATUSES,
	CustomerQuery,
	JourneyQuery,
	type customers as customerRoutes,
} from '../../../http/management/customers/customers.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
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
	id: is(Id, "The customer's id."),
	customer_key: is(z.nullable(Text), 'Your id of the customer; null if none was sent or it was erased.'),
	email: is(z.nullable(Text), 'Email address, if the program stores addresses in plain text.'),
	status: is(z.enum(CUSTOMER_STATUSES), '`lead`: signed up; `conversion`: bought.'),
	signup_date: is(z.nullable(Day), "Day of the sign-up, in the program's time zone."),
	first_purchase_date: is(z.nullable(Day), 'Day of the first purchase.'),
	partner: is(
		z.nullable(z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") })),
		'The partner who brought the customer; null if none.',
	),
	link: is(
		z.nullable(z.object({ id: is(Id, "The link's id."), short_link: is(Text, 'Its `aff` value.') })),
		'The link the customer came through.',
	),
	click_id: is(z.nullable(Text), 'Click id the customer is attributed to; `erased_...` after erasure.'),
	clicked_at: is(z.nullable(Instant), 'When the click happened, UTC.'),
	country: is(z.nullable(Text), 'Country of the click, ISO 3166 code, as reported by the platform.'),
	source: is(z.nullable(Text), 'Source of the click: host of the referring page.'),
	created_at: is(Instant, 'When the customer was first recorded, UTC.'),
	erased_at: is(z.nullable(Instant), "When the customer's personal data was erased, UTC; null if it was not."),
} as const;

export const Customer = named('Customer', 'A person or company that is a customer of one program.', z.object(CUSTOMER));

const Totals = z.object({
	sales: is(Count, 'Number of sales.'),
	revenue_cents: is(Cents, 'Total of the sales, in minor units.'),
	refunded_cents: is(Cents, 'Refunded amount, in minor units.'),
	commission_cents: is(Cents, 'Commissions on the sales, in minor units.'),
	deducted_cents: is(Cents, 'Commission amount deducted by refunds and rejections, in minor units.'),
});

export const JourneyStep = named(
	'JourneyStep',
	"A step of a customer's journey. Fields that do not apply to its type are null.",
	z.object({
		type: is(z.enum(['click', 'lead', 'sale', 'refund']), 'Type of the step.'),
		id: is(Id, 'Id of the event among events of its type.'),
		at: is(Instant, 'When it happened, UTC.'),
		click_id: is(z.nullable(Text), 'For clicks and leads, the click id.'),
		page_url: is(z.nullable(Text), 'For clicks, the page URL.'),
		referrer_url: is(z.nullable(Text), 'For clicks, the referring page.'),
		customer_key: is(z.nullable(Text), 'For leads, the key that was sent.'),
		sale_id: is(z.nullable(Id), 'Id of the sale or refunded sale.'),
		transaction_id: is(z.nullable(Text), "The sale's reported transaction id."),
		product_id: is(z.nullable(Text), 'For sales, the product.'),
		amount_cents: is(
			z.nullable(Cents),
			'Amount of the sale or refund, in minor units of `currency`; negative if a refund no longer counts.',
		),
		refunded_cents: is(z.nullable(Cents), 'For sales, amount refunded so far, in minor units.'),
		currency: is(z.nullable(CurrencyCode), 'ISO 4217 code.'),
		commission: is(
			z.nullable(
				z.object({
					id: is(Id, "The commission's id."),
					status: is(z.enum(['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded']), 'Status of the commission.'),
					amount_cents: is(Cents, 'Commission amount, in minor units.'),
					deducted_cents: is(Cents, 'Nominal amount deducted by refunds, in minor units.'),
				}),
			),
			"For sales, the partner's commission.",
		),
		no_commission_reason: is(z.nullable(Text), 'For sales, why there is no commission.'),
		duplicate_of_sale_id: is(
			z.nullable(Id),
			'For duplicate sales, id of the earlier sale that reported the same payment under another id. Duplicates do not count.',
		),
		refund_id: is(z.nullable(Text), "For refunds, the refund's id."),
		deduction_cents: is(
			z.nullable(Cents),
			'For refunds, the nominal amount deducted from the commission, in minor units; negative if it was reinstated.',
		),
		outcome: is(z.nullable(Text), 'For refunds, the outcome.'),
		reason: is(z.nullable(Text), 'For refunds, the reported reason.'),
	}),
);

const CustomerWithJourney = named(
	'CustomerJourney',
	'A customer with totals and journey.',
	z.object({
		...CUSTOMER,
		totals: is(z.record(CurrencyCode, Totals), 'Totals by ISO 4217 code. Amounts in different currencies are never added.'),
		journey: is(z.array(JourneyStep), 'A page of steps, newest first.'),
	}),
);

const UNKNOWN = notFound('Customer', 'The customer is not in this program.');

export const customers = underProgram('Customers', '/customers', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listCustomers',
		summary: 'List and search customers',
		description:
			'Customers, newest first. With `Accept: text/csv`, CSV with all matching customers unless `limit` is set. With `status`, a page examines up to 8,000 customers, so it may be short although more pages follow. A search is fast for any number of customers and examines at most 5,000 keys with the same beginning.',
		query: fieldsOf(CustomerQuery, {
			...PAGE_FIELDS,
			search:
				'A `customer_key` or its beginning, case-sensitive; a whole email address, even if only its keyed hash is stored; or the `click_id` the customer is attributed to.',
			status: 'Only customers with this status.',
			partner_id: 'Only customers this partner brought.',
			from: "Only customers first recorded at or after this time: a day in the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`; without an offset, in that zone).",
			to: 'Only customers first recorded at or before this time; a day is included in full.',
		}),
		answers: {
			200: {
				description: 'A page of customers.',
				schema: answerOfRoute<typeof customerRoutes, '/', '$get'>()(pageOf(Customer, 'Customers, newest first.')),
				csv: `\`${CUSTOMER_COLUMNS}\``,
			},
		},
		errors: [invalid('from must not be after to', '`from` is after `to`.')],
		examples: [
			{ name: 'search', summary: 'By key', query: { search: 'user-1' } },
			{ name: 'bought', summary: 'Buyers a partner brought', query: { status: 'conversion', partner_id: '1', limit: '2' } },
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
			'The customer, sales totals by currency, and a page of the journey, newest first: click, leads, sales with commission status, refunds. If the click is not stored yet, its page URLs are null.',
		params: { customerId: "The customer's id." },
		query: fieldsOf(JourneyQuery, NEXT_FIELDS),
		answers: {
			200: {
				description: 'The customer with a page of the journey.',
				schema: answerOfRoute<typeof customerRoutes, '/:customerId', '$get'>()(
					successful({
						data: is(CustomerWithJourney, 'The customer.'),
						meta: is(NextMeta, 'The next page of steps.'),
					}),
				),
			},
		},
		errors: [UNKNOWN],
		examples: [{ name: 'first', summary: 'Newest steps', params: { customerId: 1 }, query: { limit: '3' } }],
	},
]);
