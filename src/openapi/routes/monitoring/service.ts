import * as z from 'zod/mini';
import { SERVICE_CHECKS } from '../../../domain/monitoring/service-check.ts';
import type { service as serviceRoutes } from '../../../http/management/monitoring/service.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, Text } from '../../answers.ts';
import { forbidden } from '../../errors.ts';
import { is } from '../../json-schema.ts';
import { routesFor } from '../../under.ts';

const State = z.enum(['good', 'attention', 'bad']);
const YesNo = z.boolean();
const waiting = {
	count: is(Count, 'The number of waiting items, counted up to 10,000.'),
	since: is(z.nullable(Instant), 'Since when the oldest has waited, in UTC; null if none waits.'),
};
const Waits = z.object(waiting);

const ServiceCheck = z.object({
	name: is(z.enum(SERVICE_CHECKS), 'What is checked. `alerts`: whether alerts have a receiver and are sent.'),
	state: is(State, '`good`; `attention`: act today; `bad`: act now.'),
	next_action: is(z.nullable(Text), 'What is wrong and what to do; null if nothing is.'),
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
	id: is(Id, "The alert's id."),
	kind: is(
		z.enum(['dead_letters', 'outbox_stuck', 'processor_events_late', 'postbacks_late', 'cron_silent', 'database_full', 'processor_silent']),
		'What was wrong.',
	),
	message: is(Text, 'In plain English, as it was when the alert began.'),
	began_at: is(Instant, 'When it was first seen, in UTC.'),
	ended_at: is(z.nullable(Instant), 'When it ended, in UTC; null if it has not.'),
});

const Service = z.object({
	state: is(State, 'The worst of the checks.'),
	checks: is(z.array(ServiceCheck), 'Each part, with what to do.'),
	cron: is(
		z.object({ last_tick_at: is(z.nullable(Instant), 'When it last completed, in UTC; null if never.') }),
		'The job that runs every minute.',
	),
	database: is(
		z.object({
			bytes: is(z.nullable(Count), 'Its size; null if the platform does not report it.'),
			limit_bytes: is(Count, 'Its maximum size: `DATABASE_LIMIT_GB`.'),
			old_clicks: is(
				z.object({
					bytes: is(Count, 'Their estimated size in bytes, a lower bound.'),
					programs: is(z.array(Text), 'The names of up to five programs, largest first.'),
				}),
				'Clicks older than 90 days in programs that keep clicks for ever: what retention would free.',
			),
			rows: is(Rows, 'The row counts of growing tables, as upper limits: deleted rows may be included.'),
		}),
		'The database.',
	),
	outbox: is(Waits, 'Effects of changes: notifications and totals.'),
	dead_letters: is(Waits, 'Dead letters that wait.'),
	processor_events: is(Waits, 'Events of payment processors that are not processed yet.'),
	webhook_deliveries: is(
		z.object({ ...waiting, failed: is(Count, 'Deliveries given up in the last 24 hours, counted up to 10,000.') }),
		'Webhook deliveries that are due.',
	),
	postbacks: is(
		z.object({ since: is(z.nullable(Instant), 'Since when the oldest has been due, in UTC; null if none is.') }),
		'Postbacks that are due, except to partners whose own system fails.',
	),
	letters: is(Waits, 'Emails that are due.'),
	told_by: is(
		z.object({ webhook: is(YesNo, 'Whether `ALERT_WEBHOOK_URL` is set.'), mail: is(YesNo, 'Whether email is on.') }),
		'How the operator receives alerts.',
	),
	alerts: is(z.array(Alert), 'The newest 20 alerts, newest first.'),
});

const Sent = z.object({
	ok: is(YesNo, 'Whether every configured receiver accepted it.'),
	message: is(Text, 'The outcome, and what to do if it did not arrive.'),
	webhook: is(
		z.nullable(
			z.object({
				sent: is(YesNo, 'Whether the receiver answered 2xx within five seconds.'),
				status: is(z.nullable(z.int()), 'The status that it answered; null if there was no answer in time.'),
			}),
		),
		'The webhook; null if `ALERT_WEBHOOK_URL` is not set.',
	),
	mail: is(
		z.nullable(z.object({ sent: is(YesNo, 'Whether the email was accepted.'), to: is(Text, 'Your own address.') })),
		'The email, sent only to you; null if email is off.',
	),
});

export const service = routesFor({ tag: 'Operations', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/service',
		id: 'readService',
		summary: 'Read the state of the service',
		description:
			'Pending work, the database size and recent alerts, with advice on each. Only for owners of the first workspace, which operates the service.',
		answers: {
			200: {
				description: 'The state.',
				schema: answerOfRoute<typeof serviceRoutes, '/', '$get'>()(answerOf(Service, 'The state of the service.')),
			},
		},
		errors: [forbidden('Only an owner of the workspace that operates this service may do this', 'You do not own the first workspace.')],
		examples: [{ name: 'service', summary: 'As the first owner' }],
	},
	{
		method: 'post',
		path: '/api/v1/service/test-alert',
		id: 'sendTestAlert',
		summary: 'Send a test alert',
		description:
			'Sends a test message in the same way as alerts, and returns what the receivers answered. The webhook gets `"alert": "test"`. It is not retried. For owners of the first workspace.',
		answers: {
			200: {
				description: 'The outcome.',
				schema: answerOfRoute<typeof serviceRoutes, '/test-alert', '$post'>()(answerOf(Sent, 'What the receivers answered.')),
			},
		},
		errors: [forbidden('Only an owner of the workspace that operates this service may do this', 'You do not own the first workspace.')],
		examples: [{ name: 'test_alert', summary: 'As the first owner' }],
	},
]);
