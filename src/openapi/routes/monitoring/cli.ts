import * as z from 'zod/mini';
import { StatusQuery, TestEventRequest, type cli as cliRoutes } from '../../../http/cli.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, successful, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

const Check = z.object({
	name: is(Text, 'What is checked.'),
	ok: is(z.boolean(), 'Whether the check passes.'),
	next_action: is(z.nullable(Text), 'What to do about it, in plain English; null if the check passes.'),
});

export const Status = named(
	'Status',
	'The health of an integration.',
	successful({
		program_id: is(Id, "The program's id."),
		name: is(Text, "The program's name."),
		domain: is(z.nullable(Text), 'The host name of the site.'),
		recent_events: is(
			z.object({
				clicks_24h: is(Count, 'Clicks, without crawlers.'),
				leads_24h: is(Count, 'Leads.'),
				sales_24h: is(Count, 'Sales.'),
			}),
			'Events of the last 24 hours, without tests, each counted up to 1,000.',
		),
		active_partners: is(Count, 'Active partners, counted up to 1,000.'),
		pending_commissions: is(Count, 'Commissions on hold, counted among 1,000 unpaid ones.'),
		last_event_at: is(
			z.object({
				click: is(z.nullable(Instant), 'The newest click, in UTC; null if none yet.'),
				lead: is(z.nullable(Instant), 'The newest lead.'),
				sale: is(z.nullable(Instant), 'The newest sale.'),
			}),
			'When each type of event was last received, without tests.',
		),
		stripe_connected: is(z.boolean(), 'Whether Stripe webhooks are set up.'),
		allowed_origins: is(z.array(Text), 'Origins whose pages may report clicks and leads.'),
		refused_origins: is(
			z.array(Text),
			'Origins whose clicks or leads were refused in the last 24 hours because the program does not list them, at most ten. `null` is a page without an origin.',
		),
		checks: is(z.array(Check), 'The checks of an integration, in the order of its setup.'),
	}),
);

const Verdict = z.enum(['attributed', 'unattributed', 'wrong_partner']);

const StepName = z.enum(['click', 'lead', 'sale', 'refund']);

const Step = z.union([
	z.object({
		step: is(StepName, 'The step.'),
		ok: is(z.literal(true), 'It worked.'),
		detail: is(
			z.object({
				event_id: is(Id, "The flagged event's id."),
				click_id: is(z.optional(Text), 'The test click.'),
				customer_key: is(z.optional(Text), 'The test customer.'),
				transaction_id: is(z.optional(Text), 'The test sale.'),
			}),
			'The ids of the step.',
		),
	}),
	z.object({
		step: is(StepName, 'The step.'),
		ok: is(z.literal(false), 'It did not work.'),
		error: is(Text, 'The error that a caller of the route would get, or what to do about it.'),
	}),
]);

const chainFields = {
	type: is(z.enum(['chain', 'click', 'lead', 'sale', 'refund']), 'What was tested.'),
	ok: is(z.boolean(), 'Whether every step worked.'),
	test_mode: is(z.literal(true), 'Always true.'),
	short_code: is(z.nullable(Text), 'The tested link; null if the program has none that accepts clicks.'),
	customer_key: is(Text, 'The test customer.'),
	verdict: is(
		z.object({
			click: is(z.optional(Verdict), "The click's attribution."),
			lead: is(z.optional(Verdict), "The lead's attribution, through its click."),
			sale: is(z.optional(Verdict), "The sale's attribution, through its customer's lead."),
		}),
		'The attribution of each tested event, read back from the stored events.',
	),
	attributed: is(z.boolean(), "Whether all of them are attributed to the link's partner."),
	steps: is(z.array(Step), 'Each step, in order.'),
};

export const ChainReport = named('ChainReport', 'The result of a test.', z.object(chainFields));

export const cli = routesFor({ tag: 'Integration', caller: 'key' }, [
	{
		method: 'get',
		path: '/api/v1/cli/status',
		id: 'readStatus',
		summary: 'Check an integration',
		description: 'Recent events, and what is missing or failing, each with what to do next.',
		query: fieldsOf(StatusQuery, { program_id: 'Ignored: the key identifies the program. Earlier clients send it.' }),
		answers: {
			200: { description: 'The health of the integration.', schema: answerOfRoute<typeof cliRoutes, '/status', '$get'>()(Status) },
		},
		examples: [{ name: 'status', summary: 'Program 1' }],
	},
	{
		method: 'post',
		path: '/api/v1/cli/test-event',
		id: 'runTestEvent',
		summary: 'Test an integration',
		description: 'Processes flagged events exactly like real ones and reports the result of each step. Nothing real changes.',
		body: bodyOf('TestEventRequest', 'What to test.', TestEventRequest, {
			type: '`chain` for click, lead, sale and refund in order, or one of them. A refund first creates its own sale.',
			event_type: 'One event, as earlier clients send it. Used if `type` is omitted.',
			program_id: 'Ignored: the key identifies the program. Earlier clients send it.',
		}),
		answers: {
			200: {
				description: 'The result. A failed step is not an error of this call.',
				schema: answerOfRoute<typeof cliRoutes, '/test-event', '$post'>()(
					answerOf(
						z.object({
							...chainFields,
							event_type: is(z.optional(z.enum(['click', 'lead', 'sale'])), 'The event. Only if `event_type` was used.'),
							event_id: is(z.optional(z.nullable(Id)), "The flagged event's id; null if it failed. Only if `event_type` was used."),
							received: is(z.optional(z.boolean()), 'Whether it was recorded. Only if `event_type` was used.'),
							message: is(z.optional(Text), 'The result in plain English. Only if `event_type` was used.'),
						}),
						'The result of a test.',
					),
				),
			},
		},
		examples: [
			{ name: 'chain', summary: 'The whole funnel', body: { type: 'chain' } },
			{ name: 'event', summary: 'One event, as earlier clients send it', body: { event_type: 'click' } },
			{ name: 'unknown', summary: 'An unknown type', body: { type: 'everything' }, status: 400 },
		],
	},
]);
