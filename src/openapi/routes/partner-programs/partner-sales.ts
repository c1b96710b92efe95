import * as z from 'zod/mini';
import {
	UNCREDITED_COLUMNS,
	UncreditedQuery,
	type partnerSales as partnerSaleRoutes,
} from '../../../http/management/partner-programs/partner-sales.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Cents, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';

const UncreditedSale = named(
	'UnearnedSale',
	'One of your sales that earned nothing, without customer data.',
	z.object({
		id: is(Id, "The sale's id."),
		reason_code: is(
			z.enum(['window_expired', 'recurring_limit_reached', 'proration', 'no_rule', 'partner_suspended', 'duplicate']),
			'The reason as a code. `duplicate`: the same payment was recorded twice.',
		),
		reason: is(Text, 'The reason, in plain words.'),
		amount_cents: is(Cents, 'The amount paid, in minor units of `currency`.'),
		refunded_cents: is(Cents, 'The amount refunded so far, in minor units.'),
		currency: is(CurrencyCode, 'ISO 4217 code of the sale.'),
		product_id: is(z.nullable(Text), 'The product sold; null if the sale names none.'),
		sub_id: is(z.nullable(Text), 'The `sub_id` of your link that brought the customer; null if it had none.'),
		created_at: is(Instant, 'When it was recorded, UTC.'),
	}),
);

export const partnerSales = underPartnerProgram('/unearned-sales', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listUnearnedSales',
		summary: 'List your sales that earned nothing',
		description:
			'Sales to customers you brought that have no commission, and why: the attribution window had expired, the limit of renewals was reached, no rate applied, or you were suspended. Newest first. A page reads up to 8,000 sales of the program, so it may be short without being the last: follow `next_cursor`. `Accept: text/csv` returns all of them as CSV, unless a `limit` is sent. Rejected and reversed commissions are in the list of commissions.',
		query: fieldsOf(UncreditedQuery, {
			...PAGE_FIELDS,
			from: "Only sales recorded on or after this day of the program's time zone (`2026-01-31`) or time (`2026-01-31T12:00:00Z`), which without an offset is in that zone.",
			to: 'Only sales recorded on or before this day or time; a day counts as a whole.',
		}),
		answers: {
			200: {
				description: 'A page of sales.',
				schema: answerOfRoute<typeof partnerSaleRoutes, '/', '$get'>()(pageOf(UncreditedSale, 'Sales, newest first.')),
				csv: `\`${UNCREDITED_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'unearned', summary: 'All sales that earned nothing' },
			{ name: 'csv', summary: 'As CSV', query: { from: '2026-01-01' }, headers: { Accept: 'text/csv' } },
		],
	},
]);
