import * as z from 'zod/mini';
import { UNCREDITED_COLUMNS, UncreditedQuery } from '../../../http/management/partner-programs/partner-sales.ts';
import { Cents, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';

const UncreditedSale = named(
	'UnearnedSale',
	'A sale of yours that earned nothing. Nothing of the customer.',
	z.object({
		id: is(Id, 'Id of the sale.'),
		reason_code: is(
			z.enum(['window_expired', 'recurring_limit_reached', 'proration', 'no_rule', 'partner_suspended', 'duplicate']),
			'Why, for programs. `duplicate`: the same payment was recorded twice.',
		),
		reason: is(Text, 'The reason, in plain English.'),
		amount_cents: is(Cents, 'What was paid, in minor units of `currency`.'),
		refunded_cents: is(Cents, 'Refunded so far, in minor units.'),
		currency: is(CurrencyCode, "ISO 4217 code, the sale's."),
		product_id: is(z.nullable(Text), 'The product; null: the sale does not name it.'),
		sub_id: is(z.nullable(Text), 'The `sub_id` of the link that the customer followed; null: none.'),
		created_at: is(Instant, 'When it was recorded, UTC.'),
	}),
);

export const partnerSales = underPartnerProgram('/unearned-sales', [
	{
		method: 'get',
		atLeast: 'ended',
		id: 'listUnearnedSales',
		summary: 'List own sales that earned nothing',
		description:
			'Sales of your customers without a commission, and the reason: the window had ended, the renewal limit, no rate that applies, or a suspension. Newest first. A page reads up to 8,000 sales of the program, so it may be short without being the last: follow `next_cursor`. With `Accept: text/csv`, a CSV of all of them, unless a `limit` is given. Rejected and reversed commissions are in the list of commissions.',
		query: fieldsOf(UncreditedQuery, {
			...PAGE_FIELDS,
			from: "Only those recorded then or later: a day of the program's time zone (`2026-01-31`) or a time (`2026-01-31T12:00:00Z`), which without an offset is one of that zone.",
			to: 'Only those recorded then or before; a day counts as a whole.',
		}),
		answers: {
			200: {
				description: 'A page of sales.',
				schema: pageOf(UncreditedSale, 'Sales, newest first.'),
				csv: `\`${UNCREDITED_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'unearned', summary: 'All of them' },
			{ name: 'csv', summary: 'As CSV', query: { from: '2026-01-01' }, headers: { Accept: 'text/csv' } },
		],
	},
]);
