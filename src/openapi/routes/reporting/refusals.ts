import * as z from 'zod/mini';
import { REFUSAL_COLUMNS, RefusalQuery, type refusals as refusalRoutes } from '../../../http/management/reporting/refusals.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Cents, Count, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';

export const Refusal = named(
	'Refusal',
	'A refused call; repetitions within the hour increase its `count`.',
	z.object({
		id: is(Id, "The refusal's id."),
		operation: is(z.enum(['lead', 'sale', 'refund']), 'What the call should have recorded.'),
		source: is(
			z.enum(['backend', 'page', 'webhook']),
			'The caller: a `backend` with the program key, a `page` without it, or the custom `webhook`.',
		),
		status: is(z.int(), 'The HTTP status of the response.'),
		code: is(Text, 'The refusal as a code: `customer_unattributed`, `invalid_input`, ...'),
		message: is(Text, 'The `error` of the response, and what differs from the recorded data.'),
		transaction_id: is(z.nullable(Text), 'As sent; null if none was sent.'),
		click_id: is(z.nullable(Text), 'As sent; null if none was sent.'),
		customer_key: is(z.nullable(Text), 'As sent; null if none was sent.'),
		amount_cents: is(z.nullable(Cents), 'As sent, in minor units; null if none was sent.'),
		currency: is(z.nullable(Text), 'As sent; null if none was sent.'),
		routine: is(z.boolean(), 'Whether it needs no correction: no partner brought the customer, the sign-up is known, or a page sent it.'),
		count: is(Count, 'The minimum number of such calls within the hour: a flood is not counted in full.'),
		first_at: is(Instant, 'The first time, UTC.'),
		last_at: is(Instant, 'The last time within that hour, UTC.'),
	}),
);

export const refusals = underProgram('Integration', '/refusals', [
	{
		method: 'get',
		atLeast: 'member',
		id: 'listRefusals',
		summary: 'List refused calls',
		description:
			'Refused leads, sales and refunds with the responses to them, newest first: the newest 1,000 of the last 30 days. It omits calls without a valid program key, repetitions of a recorded sale (409) with the same data, tests, and payment processor events, whose outcome the inbox shows. A custom webhook event whose `webhook-id` arrived before with other data is listed as what it should have recorded. `Accept: text/csv` returns all of them as CSV, unless a `limit` is sent.',
		query: fieldsOf(RefusalQuery, {
			...PAGE_FIELDS,
			operation: 'Only refusals of this kind.',
			routine: '`false`: only refusals to correct; `true`: only the others.',
			transaction_id: 'Only refusals with this transaction id.',
			click_id: 'Only refusals with this click id.',
			customer_key: 'Only refusals with this customer key.',
		}),
		answers: {
			200: {
				description: 'A page of refusals.',
				schema: answerOfRoute<typeof refusalRoutes, '/', '$get'>()(pageOf(Refusal, 'Refusals, newest first.')),
				csv: `\`${REFUSAL_COLUMNS}\``,
			},
		},
		examples: [
			{ name: 'to_correct', summary: 'Refusals to correct', query: { routine: 'false', limit: '2' } },
			{ name: 'csv', summary: 'As CSV', query: { operation: 'refund', limit: '2' }, headers: { Accept: 'text/csv' } },
		],
	},
]);
