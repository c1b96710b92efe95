import * as z from 'zod/mini';
import { REFUSAL_COLUMNS, RefusalQuery } from '../../../http/management/reporting/refusals.ts';
import { Cents, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const Refusal = named(
	'Refusal',
	'A call that was refused; the same again within the hour counts one up.',
	z.object({
		id: is(Id, 'Id of the refusal.'),
		operation: is(z.enum(['lead', 'sale', 'refund']), 'What was to be recorded.'),
		source: is(z.enum(['backend', 'page']), 'The caller: a `backend` with the program key, or a `page` without it.'),
		status: is(z.int(), 'The status that was answered.'),
		code: is(Text, 'Which refusal it is, for programs: `customer_unattributed`, `invalid_input`, ...'),
		message: is(Text, 'The `error` of the response, and what differs from the recorded sale.'),
		transaction_id: is(z.nullable(Text), 'As sent; null if there was none.'),
		click_id: is(z.nullable(Text), 'As sent; null if there was none.'),
		customer_key: is(z.nullable(Text), 'As sent; null if there was none.'),
		amount_cents: is(z.nullable(Cents), 'As it was sent, in minor units; null if there was none.'),
		currency: is(z.nullable(Text), 'As sent; null if there was none.'),
		routine: is(
			z.boolean(),
			'Whether nothing needs correcting: no partner referred the customer, the sign-up is known, or a page sent it.',
		),
		count: is(Count, 'How often within the hour, at least: a flood is not counted to its end.'),
		first_at: is(Instant, 'When first, UTC.'),
		last_at: is(Instant, 'When last within that hour, UTC.'),
	}),
);

export const refusals = underProgram('Integration', '/refusals', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listRefusals',
		summary: 'List refused calls',
		description:
			'Refused leads, sales and refunds with the error of the response, newest first: the newest 1,000 of the last 30 days. Not included are calls without a valid program key, repetitions of a recorded sale (409) with the same facts, tests, and payment processor events, which have their inbox. A custom webhook event that reuses a `webhook-id` with other facts is included. With `Accept: text/csv`, a CSV of all of them, unless a `limit` is given.',
		query: fieldsOf(RefusalQuery, {
			...PAGE_FIELDS,
			operation: 'Only these.',
			routine: '`false`: only what is to be corrected; `true`: only the rest.',
			transaction_id: 'Only of this one.',
			click_id: 'Only of this one.',
			customer_key: 'Only of this one.',
		}),
		answers: {
			200: {
				description: 'A page of refusals.',
				schema: pageOf(Refusal, 'Refusals, newest first.'),
				csv: `\`${REFUSAL_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'to_correct', summary: 'What is to be corrected', query: { routine: 'false', limit: '2' } },
			{ name: 'csv', summary: 'As CSV', query: { operation: 'refund', limit: '2' }, headers: { Accept: 'text/csv' } },
		],
	},
]);
