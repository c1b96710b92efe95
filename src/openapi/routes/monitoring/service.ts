import * as z from 'zod/mini';
import { SERVICE_CHECKS } from '../../../domain/monitoring/service-check.ts';
import { answerOf, Count, Id, Instant, Text } from '../../answers.ts';
import { forbidden } from '../../errors.ts';
import { is } from '../../json-schema.ts';
import { routesFor } from '../../under.ts';

const State = z.enum(['good', 'attention', 'bad']);
const YesNo = z.boolean();
const waiting = {
	count: is(Count, 'How many wait, counted up to 10,000.'),
	since: is(z.nullable(Instant), 'Since when the oldest does, UTC; null: none waits.'),
};
const Waits = z.object(waiting);

const ServiceCheck = z.object({
	name: is(z.enum(SERVICE_CHECKS), 'What is checked. `alerts`: whether alerts have a recipient.'),
	state: is(State, '`good`; `attention`: look at it today; `bad`: look at it now.'),
	next_action: is(z.nullable(Text), 'What is wrong and what to do; null if all is well.'),
});

const Rows = z.object({
	clicks: is(Count, 'Clicks.'),
	customers: is(Count, 'Customers.'),
	leads: is(Count, 'Leads.'),
	sales: is(Count, 'Sales.'),
	refunds: is(Count, 'Refunds.'),
	commissions: is(Count, 'Commissions.'),
	ledger_entries: is(Count, 'Ledger entries.'),
	processor_events: is(Count, 'Events of payment processors.'),
	webhook_deliveries: is(Count, 'Deliveries to webhooks.'),
	notifications: is(Count, 'Notifications.'),
});

const Alert = z.object({
	id: is(Id, 'Id of the alert.'),
	kind: is(
		z.enum(['dead_letters', 'outbox_stuck', 'processor_events_late', 'postbacks_late', 'cron_silent', 'database_full', 'processor_silent']),
		'What was wrong.',
	),
	message: is(Text, 'In plain words, as it was when it began.'),
	began_at: is(Instant, 'When it was first seen, UTC.'),
	ended_at: is(z.nullable(Instant), 'When it was over, UTC; null: it is not.'),
});

const Service = z.object({
	state: is(State, 'The worst of the checks.'),
	checks: is(z.array(ServiceCheck), 'Each part, with what to do.'),
	cron: is(z.object({ last_tick_at: is(z.nullable(Instant), 'When it last completed, UTC; null: never.') }), 'The work of every minute.'),
	database: is(
		z.object({
			bytes: is(z.nullable(Count), 'How large it is; null if the platform does not say.'),
			limit_bytes: is(Count, 'How large it may become: `DATABASE_LIMIT_GB`.'),
			rows: is(Rows, 'How many rows there are of what grows, at most: some may have been deleted.'),
		}),
		'The database.',
	),
	outbox: is(Waits, 'What follows changes: notifications and totals.'),
	dead_letters: is(Waits, 'Messages that the queues gave up on, and nobody sent again.'),
	processor_events: is(Waits, 'Events of payment processors that nobody has looked at.'),
	webhook_deliveries: is(
		z.object({ ...waiting, failed: is(Count, 'How many were given up in the last 24 hours, counted up to 10,000.') }),
		'Deliveries to webhooks that are due.',
	),
	postbacks: is(
		z.object({ since: is(z.nullable(Instant), 'Since when the oldest is due, UTC; null: none is.') }),
		'Postbacks that are due. Partners whose own system fails do not count.',
	),
	letters: is(Waits, 'Letters that are due.'),
	told_by: is(
		z.object({ webhook: is(YesNo, 'Whether `ALERT_WEBHOOK_URL` is set.'), mail: is(YesNo, 'Whether mail is on.') }),
		'How the operator receives alerts.',
	),
	alerts: is(z.array(Alert), 'The newest 20 alerts, newest first.'),
});

const Sent = z.object({
	ok: is(YesNo, 'Whether everybody who is set up accepted it.'),
	message: is(Text, 'The result, and what to do if it did not arrive.'),
	webhook: is(
		z.nullable(
			z.object({
				sent: is(YesNo, 'Whether the receiver answered 2xx within five seconds.'),
				status: is(z.nullable(z.int()), 'What it answered; null: nothing in time.'),
			}),
		),
		'Through `ALERT_WEBHOOK_URL`; null: not set.',
	),
	mail: is(
		z.nullable(z.object({ sent: is(YesNo, 'Whether the mail was accepted.'), to: is(Text, 'Your own address.') })),
		'By email, only to you; null: email is off.',
	),
});

export const service = routesFor({ tag: 'Operations', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/service',
		id: 'readService',
		summary: 'How the installation is',
		description:
			'What waits, how large the database is, and which alerts there were, each with what to do. Of the first workspace of the installation, which operates it. For owners.',
		answers: { 200: { description: 'How it is.', schema: answerOf(Service, 'The installation.') } },
		errors: [
			forbidden('Only an owner of the workspace that operates this service may do this', 'You are no owner of the first workspace.'),
		],
		examples: [{ name: 'service', summary: 'As the first owner' }],
	},
	{
		method: 'post',
		path: '/api/v1/service/test-alert',
		id: 'sendTestAlert',
		summary: 'Send a test alert',
		description:
			'Sends a test message through the channels of real alerts, and returns the receivers\' responses. The webhook gets `"alert": "test"`. It is not retried. For owners of the first workspace.',
		answers: { 200: { description: 'The outcome.', schema: answerOf(Sent, 'What the receivers answered.') } },
		errors: [
			forbidden('Only an owner of the workspace that operates this service may do this', 'You are no owner of the first workspace.'),
		],
		examples: [{ name: 'test_alert', summary: 'As the first owner' }],
	},
]);
