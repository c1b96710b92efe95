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
		source: is(z.enum(['backend', 'page']), 'Who called: a `backend` with the program key, or a `page` without it.'),
		status: is(z.int(), 'The status that was answered.'),
		code: is(Text, 'Which refusal it is, for programs: `customer_unattributed`, `invalid_input`, ...'),
		message: is(Text, 'The `error` that was answered, and what differs from what is recorded.'),
		transaction_id: is(z.nullable(Text), 'As sent; null if there was none.'),
		click_id: is(z.nullable(Text), 'As sent; null if there was none.'),
		customer_key: is(z.nullable(Text), 'As sent; null if there was none.'),
		amount_cents: is(z.nullable(Cents), 'As it was sent, in minor units; null if there was none.'),
		currency: is(z.nullable(Text), 'As sent; null if there was none.'),
		routine: is(
			z.boolean(),
			'Whether it is nothing to correct: no partner brought the customer, or the signup is known; or a page sent it.',
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
			'Leads, sales and refunds that were refused, newest first, and what they were answered: of the last 30 days, and the newest 1,000. Not among them are calls without a valid program key, repetitions of a recorded sale (409) with the same facts, tests, and events of a payment processor, whose inbox says what became of each. An event of the custom webhook whose `webhook-id` came before with other facts is listed, as what it was to record. As CSV with `Accept: text/csv`: all of them, unless a `limit` is given.',
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
