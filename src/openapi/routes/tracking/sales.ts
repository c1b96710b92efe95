import * as z from 'zod/mini';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { SaleRequest, TestSaleRequest } from '../../../http/tracking-requests.ts';
import type { tracking as trackingRoutes } from '../../../http/tracking.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Id, successful, TestReceipt, Text, Warnings } from '../../answers.ts';
import { rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { ADDITIONAL_DATA, CLICK_ID, CUSTOMER_KEY, ignoredUnlessText } from './tracking-fields.ts';

export const SaleAnswer = named(
	'SaleAnswer',
	'A recorded sale.',
	z.union([
		successful({
			sale_id: is(Id, "The sale event's id."),
			commission_id: is(z.nullable(Id), "The commission's id; null if none is due, for example outside the attribution window."),
			message: is(Text, 'A message for people; it says why there is no commission.'),
			warnings: Warnings,
		}),
		successful({ message: is(Text, 'A message for people.'), data: is(TestReceipt, 'In test mode.'), warnings: Warnings }),
	]),
);

const fields = {
	transaction_id: {
		text: 'Your unique id for the payment, 1 to 255 characters. It must be unique across all programs of the service: if you have two shops, prefix the order numbers of each one. Optional in test mode; the default is then `test_txn_<timestamp>`.',
	},
	amount_cents: {
		text: `The amount paid, in the smallest unit of the currency (cents): a positive integer of at most ${MAX_AMOUNT_CENTS.toLocaleString('en')}. Optional in test mode.`,
	},
	customer_key: {
		...CUSTOMER_KEY,
		text: `${CUSTOMER_KEY.text} Without a partner's \`coupon_code\`, this or \`click_id\` must identify a customer.`,
	},
	click_id: `${CLICK_ID} Use it if you have no \`customer_key\`.`,
	currency: "ISO 4217 code of the amount, in any letter case. Defaults to the program's, which is USD unless set.",
	sale_type: { text: 'The kind of payment.', json: { default: 'payment' } },
	line_items:
		'Any details to store with the sale: an object or a list. If all lines of a list have an integer `amount_cents`, and the program has `rules_by_line`, each line uses the commission rule of its own `product_id`; a line without one uses that of the sale. `amount_cents` is the price of the whole line, below 0 for a credit. The lines are scaled to the amount of the sale, so discounts and tax need no line. A sale is never refused because of its lines.',
	is_recurring: { text: 'Whether the payment renews a subscription.', json: { default: false } },
	subscription_id:
		'Your id of the subscription, 1 to 255 characters, the same for each of its payments: a renewal then belongs to the partner of the first sale, even after the attribution window.',
	subscription_interval: 'How often the subscription is paid.',
	product_id: 'Your id of the product, 1 to 255 characters: a commission rule can apply to one product.',
	coupon_code: ignoredUnlessText(
		"The code that the customer entered at checkout, in any letter case. If it is a partner's coupon, the sale belongs to that partner, unless the customer already has one or comes with a click. An unknown code changes nothing.",
	),
	additional_data: ADDITIONAL_DATA,
} as const;

export const sales: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/track/sale',
		legacyPath: '/api/tracking/sale',
		id: 'trackSale',
		tag: 'Tracking',
		summary: 'Record a sale',
		description:
			"Records a completed payment. Call it from your backend only. The customer is identified by `customer_key`, by `click_id` or by a partner's `coupon_code`; the partner earns a commission, unless the attribution window has expired, the limit of renewals is reached, no rule applies or the partner is suspended. In these cases the sale is still recorded, and `commission_id` is null.\n\nIt is safe to send a sale again after a timeout or a 5xx: a `transaction_id` is recorded once. A 409 means that it is already recorded: do not retry. A sale refused with 400 stores nothing, and its `transaction_id` stays free. After a 500 `Failed to create commission` the sale is stored; its commission follows automatically.",
		caller: 'key',
		body: {
			...bodyOf(
				'SaleRequest',
				'The sale. Fields that are not named here are ignored; a blank string counts as omitted.',
				SaleRequest,
				fields,
			),
			nullExcept: [],
			or: {
				name: 'TestSaleRequest',
				description: 'A flagged test sale: `additional_data.test_mode` is true, and nothing else is required.',
				schema: TestSaleRequest(),
				required: ['additional_data'],
				json: {
					properties: {
						additional_data: { type: 'object', required: ['test_mode'], properties: { test_mode: { const: true } } },
					},
				},
			},
		},
		answers: {
			200: { description: 'The sale is recorded.', schema: answerOfRoute<typeof trackingRoutes, '/sale', '$post'>()(SaleAnswer) },
		},
		errors: [
			rejected('sale_customer_not_found', 'Neither id identifies a customer of the program.'),
			rejected('sale_customer_elsewhere', 'The customer belongs to another program.'),
			rejected('partner_program_gone', 'The customer is attributed, but the partner is no longer a member of the program.'),
			rejected(
				'customer_unattributed',
				'No partner brought the customer, or the click is later than the payment or than the start of the subscription that it pays for.',
			),
			rejected(
				'transaction_already_recorded',
				'The `transaction_id` is already recorded. Do not retry. `message` and `statusCode` say more; if another program has used the id, `message` advises you to prefix ids.',
			),
		],
		faults: ['Sale tracking failed', 'Failed to create commission'],
		examples: [
			{
				name: 'sale',
				summary: 'A payment of 99.00 USD',
				body: { transaction_id: 'order-2001', amount_cents: 9900, customer_key: 'user-1001' },
			},
			{
				name: 'subscription',
				summary: 'The first payment of a subscription',
				body: {
					transaction_id: 'invoice-2002',
					amount_cents: 2900,
					currency: 'USD',
					customer_key: 'user-1001',
					sale_type: 'subscription',
					subscription_id: 'sub-77',
					subscription_interval: 'monthly',
					product_id: 'pro-plan',
					line_items: { plan: 'Pro', seats: 3 },
				},
			},
			{
				name: 'renewal',
				summary: 'A renewal of that subscription',
				body: {
					transaction_id: 'invoice-2003',
					amount_cents: 2900,
					customer_key: 'user-1001',
					sale_type: 'subscription',
					is_recurring: true,
					subscription_id: 'sub-77',
					subscription_interval: 'monthly',
					product_id: 'pro-plan',
				},
			},
			{
				name: 'coupon',
				summary: "A customer who never clicked enters a partner's code",
				body: { transaction_id: 'order-2005', amount_cents: 4900, customer_key: 'user-1005', coupon_code: 'Pat20' },
			},
			{ name: 'test_mode', summary: 'A flagged test sale', body: { additional_data: { test_mode: true } } },
			{
				name: 'duplicate',
				summary: 'A sale that is already recorded',
				body: { transaction_id: 'order-2001', amount_cents: 9900, customer_key: 'user-1001' },
				status: 409,
			},
			{
				name: 'unknown_customer',
				summary: 'No customer has this customer_key',
				body: { transaction_id: 'order-2004', amount_cents: 9900, customer_key: 'user-9999' },
				status: 400,
			},
			{
				name: 'no_key',
				summary: 'Without the program key',
				as: 'nobody',
				body: { transaction_id: 'order-2004', amount_cents: 9900, customer_key: 'user-1001' },
				status: 401,
			},
		],
	},
];
