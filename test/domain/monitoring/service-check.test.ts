import { expect, test } from 'vitest';
import { SERVICE_CHECKS, type ServiceFacts, serviceChecks, worstOf } from '../../../src/domain/monitoring/service-check.ts';

const MINUTE_MS = 60_000;
const now = Date.UTC(2026, 10, 23, 14, 5);
const nothing = { count: 0, since: null };
const well: ServiceFacts = {
	lastTickAt: now - MINUTE_MS,
	inUseSince: 0,
	bytes: 1e9,
	limitBytes: 10e9,
	outbox: nothing,
	deadLetters: nothing,
	processorEvents: nothing,
	webhookDeliveries: { ...nothing, failed: 0 },
	postbacks: { since: null },
	emails: nothing,
	isReporting: true,
	unsentSince: null,
};
const since = (minutes: number) => ({ count: 3, since: now - minutes * MINUTE_MS });

test('each part is checked, in the order in which it is shown', () => {
	const checks = serviceChecks(well, now);
	expect(checks).toEqual(SERVICE_CHECKS.map((name) => ({ name, state: 'good', nextAction: null })));
	expect(worstOf(checks)).toBe('good');
});

test.each<[what: string, facts: Partial<ServiceFacts>, name: string, state: string, says: RegExp]>([
	['a stopped cron job', { lastTickAt: now - 6 * MINUTE_MS }, 'cron', 'bad', /last ran on 23 November 2026, 13:59 UTC/],
	['a database at 80 %', { bytes: 8e9 }, 'database', 'attention', /80%/],
	['a database at 95 %', { bytes: 9.5e9 }, 'database', 'bad', /95%/],
	['waiting effects', { outbox: since(6) }, 'outbox', 'attention', /since 23 November 2026, 13:59 UTC/],
	['effects waiting for more than an hour', { outbox: since(61) }, 'outbox', 'bad', /13:04 UTC/],
	['a dead letter', { deadLetters: since(0) }, 'dead_letters', 'attention', /^3 messages could not be delivered/],
	['waiting events', { processorEvents: since(6) }, 'processor_events', 'attention', /processor_event_failed/],
	['waiting deliveries', { webhookDeliveries: { ...since(6), failed: 0 } }, 'webhook_deliveries', 'attention', /have been waiting since/],
	[
		'failed deliveries',
		{ webhookDeliveries: { ...nothing, failed: 4 } },
		'webhook_deliveries',
		'attention',
		/^4 webhook deliveries failed /,
	],
	['waiting postbacks', { postbacks: since(6) }, 'postbacks', 'attention', /affiliate-webhooks has its consumer/],
	['waiting emails', { emails: since(21) }, 'letters', 'attention', /letter_not_sent/],
	['no receiver of alerts', { isReporting: false }, 'alerts', 'attention', /ALERT_WEBHOOK_URL/],
	['an unsent alert', { unsentSince: since(6).since }, 'alerts', 'attention', /has not been sent since 23 November 2026, 13:59/],
])('%s', (_what, facts, name, state, says) => {
	const checks = serviceChecks({ ...well, ...facts }, now);
	expect(checks.filter((check) => check.state !== 'good')).toEqual([{ name, state, nextAction: expect.stringMatching(says) }]);
	expect(worstOf(checks)).toBe(state);
});

test.each<[what: string, facts: Partial<ServiceFacts>]>([
	['effects waiting for five minutes', { outbox: since(5) }],
	['emails waiting for 20 minutes, because retries take that long', { emails: since(20) }],
	['a database just below 80 %', { bytes: 7_999_999_999 }],
	['a database of unknown size', { bytes: undefined }],
	['a cron job before the first sign-up', { lastTickAt: null, inUseSince: null }],
])('%s is not a problem', (_what, facts) => {
	expect(worstOf(serviceChecks({ ...well, ...facts }, now))).toBe('good');
});
