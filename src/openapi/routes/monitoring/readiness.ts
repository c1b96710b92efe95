import * as z from 'zod/mini';
import { ReadinessQuery } from '../../../http/readiness.ts';
import { Count, Id, successful, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf, type Operation } from '../../operation.ts';
import { Status } from './cli.ts';

const GateName = z.enum(['profile', 'economics', 'payout', 'tracking', 'live']);

const gate = {
	status: is(z.enum(['pass', 'fail']), 'Whether all of its checks are as they should be.'),
	next_action: is(z.optional(Text), 'What to do first, in plain words; not there where the gate is passed.'),
};

/** The verdict and its gates. */
export const verdict = {
	state: is(z.enum(['incomplete', 'integration_verified']), 'The verdict in a word.'),
	integration_verified: is(z.boolean(), 'Whether every gate is passed.'),
	blocker: is(z.nullable(GateName), 'The first gate that is not passed; null: none.'),
	next_action: is(z.nullable(Text), 'What to do next; null: nothing.'),
	gates: is(
		z.object({
			profile: is(z.object(gate), 'Someone has a link that customers can come by.'),
			economics: is(z.object(gate), 'Sales earn a commission.'),
			payout: is(
				z.object({
					...gate,
					mode: is(z.enum(['stripe', 's2s']), 'Who reports sales: Stripe, or only your backend.'),
					endpoint: is(z.optional(Text), 'Where your backend tells of them.'),
				}),
				'Sales come in; where Stripe is connected, its events too.',
			),
			tracking: is(z.object(gate), 'Clicks come in.'),
			live: is(z.object(gate), 'Leads and sales come in, and nothing goes wrong.'),
		}),
		'The checks, grouped: five gates, one behind the other.',
	),
};

const Readiness = named(
	'Readiness',
	'Whether a program is ready, and what is missing.',
	successful({
		program_id: is(Id, 'Id of the program.'),
		...verdict,
		last_event_at: Status.shape.last_event_at,
		counts_24h: is(
			z.object({ clicks: is(Count, 'Clicks, without crawlers.'), leads: is(Count, 'Leads.'), sales: is(Count, 'Sales.') }),
			'Events of the last 24 hours without tests, each counted up to 1,000.',
		),
		checks: Status.shape.checks,
		poll: is(z.object({ retry_after_seconds: is(Count, 'Seconds to wait before asking again.') }), 'How often to ask.'),
	}),
);

export const readiness: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/programs/me/readiness',
		id: 'readReadiness',
		tag: 'Integration',
		summary: 'Check what is missing',
		description:
			'Whether the integration works, as five gates, with what to do next: ask until `integration_verified` is true. The checks are those of the status. Stripe may be left out, and so may origins where clicks come without a page.',
		caller: 'key',
		query: fieldsOf(ReadinessQuery, { force_recheck: 'Ignored: every answer is fresh. Earlier clients send it.' }),
		answers: { 200: { description: 'The verdict.', schema: Readiness } },
		examples: [{ name: 'readiness', summary: 'Program 1' }],
	},
];
