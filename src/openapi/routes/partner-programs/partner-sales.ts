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
		product_id: is(z.nullable(Text), 'What was sold; null: the sale says nothing of it.'),
		sub_id: is(z.nullable(Text), 'The `sub_id` of your link by which the customer came; null: it had none.'),
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
			'Sales of customers whom you brought that have no commission, and why: the window had ended, a limit on renewals, no rate that applies, a suspension. Newest first. A page looks at up to 8,000 sales of the program, so it may be short and not the last: follow `next_cursor`. As CSV with `Accept: text/csv`: all of them, unless a `limit` is given. A commission that was rejected or reversed is in the list of commissions.',
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
