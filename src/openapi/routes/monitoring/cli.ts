import * as z from 'zod/mini';
import { StatusQuery, TestEventRequest } from '../../../http/cli.ts';
import { answerOf, Count, Id, Instant, successful, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

const Check = z.object({
	name: is(Text, 'What is checked.'),
	ok: is(z.boolean(), 'Whether it is as it should be.'),
	next_action: is(z.nullable(Text), 'What to do about it, in plain words; null if all is well.'),
});

export const Status = named(
	'Status',
	'The health of an integration.',
	successful({
		program_id: is(Id, 'Id of the program.'),
		name: is(Text, 'The name.'),
		domain: is(z.nullable(Text), 'The host name of the site.'),
		recent_events: is(
			z.object({
				clicks_24h: is(Count, 'Clicks, without crawlers.'),
				leads_24h: is(Count, 'Leads.'),
				sales_24h: is(Count, 'Sales.'),
			}),
			'Events of the last 24 hours without tests, each counted up to 1,000.',
		),
		active_partners: is(Count, 'Active partners, counted up to 1,000.'),
		pending_commissions: is(Count, 'Commissions on hold, counted among 1,000 that are not paid.'),
		last_event_at: is(
			z.object({
				click: is(z.nullable(Instant), 'The newest click, UTC; null: none yet.'),
				lead: is(z.nullable(Instant), 'The newest lead.'),
				sale: is(z.nullable(Instant), 'The newest sale.'),
			}),
			'The last event of each type, without tests.',
		),
		stripe_connected: is(z.boolean(), 'Whether Stripe webhooks are set up.'),
		allowed_origins: is(z.array(Text), 'Origins whose pages may report clicks and leads.'),
		refused_origins: is(
			z.array(Text),
			'Origins whose clicks or leads were refused in the last 24 hours because the program does not list them, at most ten; `null`: a page without an origin.',
		),
		checks: is(z.array(Check), 'What an integration needs, in the order in which it is set up.'),
	}),
);

const Verdict = z.enum(['attributed', 'unattributed', 'wrong_partner']);

const StepName = z.enum(['click', 'lead', 'sale', 'refund']);

const Step = z.union([
	z.object({
		step: is(StepName, 'Which step.'),
		ok: is(z.literal(true), 'It worked.'),
		detail: is(
			z.object({
				event_id: is(Id, 'Id of the flagged event.'),
				click_id: is(z.optional(Text), 'The test click.'),
				customer_key: is(z.optional(Text), 'The test customer.'),
				transaction_id: is(z.optional(Text), 'The test sale.'),
			}),
			'The ids of the step.',
		),
	}),
	z.object({
		step: is(StepName, 'Which step.'),
		ok: is(z.literal(false), 'It did not work.'),
		error: is(Text, 'The error of the route, or what to do about it.'),
	}),
]);

const chainFields = {
	type: is(z.enum(['chain', 'click', 'lead', 'sale', 'refund']), 'What was tried.'),
	ok: is(z.boolean(), 'Whether every step worked.'),
	test_mode: is(z.literal(true), 'Always true.'),
	short_code: is(z.nullable(Text), 'The link that was tried; null: the program has none that takes clicks.'),
	customer_key: is(Text, 'The test customer.'),
	verdict: is(
		z.object({
			click: is(z.optional(Verdict), 'Of the click.'),
			lead: is(z.optional(Verdict), 'Of the lead, by its click.'),
			sale: is(z.optional(Verdict), 'Of the sale, by the lead of its customer.'),
		}),
		'The partner that each test event would be attributed to, read from the stored records.',
	),
	attributed: is(z.boolean(), 'Whether all of them lead to the partner of the link.'),
	steps: is(z.array(Step), 'Each step, in order.'),
};

export const ChainReport = named('ChainReport', 'What was tried, and how it went.', z.object(chainFields));

export const cli = routesFor({ tag: 'Integration', caller: 'key' }, [
	{
		method: 'get',
		path: '/api/v1/cli/status',
		id: 'readStatus',
		summary: 'Check an integration',
		description: 'Recent events, and what is missing or wrong, with what to do next.',
		query: fieldsOf(StatusQuery, { program_id: 'Ignored, because the key selects the program. Earlier clients send it.' }),
		answers: { 200: { description: 'The health of the integration.', schema: Status } },
		examples: [{ name: 'status', summary: 'Program 1' }],
	},
	{
		method: 'post',
		path: '/api/v1/cli/test-event',
		id: 'runTestEvent',
		summary: 'Try an integration',
		description: 'Sends flagged events through the same code as real ones and reports the result of each step. Nothing real changes.',
		body: bodyOf('TestEventRequest', 'What to try.', TestEventRequest, {
			type: '`chain`: click, lead, sale and refund, one after the other; or one of them. A refund needs a sale of its own and makes it.',
			event_type: 'One event, as earlier clients name it; counts where there is no `type`.',
			program_id: 'For earlier clients. Ignored, because the key selects the program.',
		}),
		answers: {
			200: {
				description: 'How it went; a step that failed is no error of this call.',
				schema: answerOf(
					z.object({
						...chainFields,
						event_type: is(z.optional(z.enum(['click', 'lead', 'sale'])), 'If `event_type` was sent: the event.'),
						event_id: is(z.optional(z.nullable(Id)), 'If `event_type` was sent: the id of the flagged event; null: it failed.'),
						received: is(z.optional(z.boolean()), 'If `event_type` was sent: whether it was recorded.'),
						message: is(z.optional(Text), 'If `event_type` was sent: the result, in plain English.'),
					}),
					'What was tried, and how it went.',
				),
			},
		},
		examples: [
			{ name: 'chain', summary: 'The whole funnel', body: { type: 'chain' } },
			{ name: 'event', summary: 'One event, as earlier clients ask', body: { event_type: 'click' } },
			{ name: 'unknown', summary: 'There is no such type', body: { type: 'everything' }, status: 400 },
		],
	},
]);
