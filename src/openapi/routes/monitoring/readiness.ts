import * as z from 'zod/mini';
import { ReadinessQuery, type readiness as readinessRoutes } from '../../../http/readiness.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Count, Id, successful, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf, type Operation } from '../../operation.ts';
import { Status } from './cli.ts';

const GateName = z.enum(['profile', 'economics', 'payout', 'tracking', 'live']);

const gate = {
	status: is(z.enum(['pass', 'fail']), 'Whether all of its checks pass.'),
	next_action: is(z.optional(Text), 'What to do first, in plain English; omitted if the gate passes.'),
};

export const verdict = {
	state: is(z.enum(['incomplete', 'integration_verified']), 'The verdict.'),
	integration_verified: is(z.boolean(), 'Whether every gate passes.'),
	blocker: is(z.nullable(GateName), 'The first gate that fails; null if none does.'),
	next_action: is(z.nullable(Text), 'What to do next; null if nothing.'),
	gates: is(
		z.object({
			profile: is(z.object(gate), 'A partner has a link that customers can use.'),
			economics: is(z.object(gate), 'Sales earn a commission.'),
			payout: is(
				z.object({
					...gate,
					mode: is(z.enum(['stripe', 's2s']), 'Who reports sales: Stripe, or only your backend.'),
					endpoint: is(z.optional(Text), 'The path to which your backend reports sales.'),
				}),
				'Sales are received; if Stripe is connected, its events too.',
			),
			tracking: is(z.object(gate), 'Clicks are received.'),
			live: is(z.object(gate), 'Leads and sales are received, and nothing fails.'),
		}),
		'The checks, grouped into five successive gates.',
	),
};

const Readiness = named(
	'Readiness',
	'Whether a program is ready, and what is missing.',
	successful({
		program_id: is(Id, "The program's id."),
		...verdict,
		last_event_at: Status.shape.last_event_at,
		counts_24h: is(
			z.object({ clicks: is(Count, 'Clicks, without crawlers.'), leads: is(Count, 'Leads.'), sales: is(Count, 'Sales.') }),
			'Events of the last 24 hours, without tests, each counted up to 1,000.',
		),
		checks: Status.shape.checks,
		poll: is(z.object({ retry_after_seconds: is(Count, 'Seconds to wait before the next call.') }), 'When to call again.'),
	}),
);

export const readiness: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/programs/me/readiness',
		id: 'readReadiness',
		tag: 'Integration',
		summary: 'Check readiness',
		description:
			'Whether the integration works, as five gates, with what to do next. Poll until `integration_verified` is true. The checks are those of the status. Stripe is optional, and so are origins if clicks arrive without a page.',
		caller: 'key',
		query: fieldsOf(ReadinessQuery, { force_recheck: 'Ignored: every answer is fresh. Earlier clients send it.' }),
		answers: { 200: { description: 'The verdict.', schema: answerOfRoute<typeof readinessRoutes, '/', '$get'>()(Readiness) } },
		examples: [{ name: 'readiness', summary: 'Program 1' }],
	},
];
