import { FULL_PERCENT, shareOf, troubleText } from './alert.ts';
import { HOUR_MS, MINUTE_MS } from '../calendar.ts';
import { type ClockFacts, isClockSilent } from './clock.ts';
import type { OldClicks } from './old-clicks.ts';
import { PATIENCE_MS } from './processor-checks.ts';
import { utcText } from '../time-text.ts';

// The checks on the operators' page, each with advice.

export type CheckState = 'good' | 'attention' | 'bad';
export const SERVICE_CHECKS = [
	'cron',
	'database',
	'outbox',
	'dead_letters',
	'processor_events',
	'webhook_deliveries',
	'postbacks',
	'letters',
	'alerts',
] as const;
export type ServiceCheckName = (typeof SERVICE_CHECKS)[number];

export interface ServiceCheck {
	readonly name: ServiceCheckName;
	readonly state: CheckState;
	readonly nextAction: string | null;
}

/** `since` is when the oldest item began to wait. */
export interface Waiting {
	readonly count: number;
	readonly since: number | null;
}

export interface ServiceFacts extends ClockFacts {
	/** Undefined if the platform does not report it. */
	readonly bytes: number | undefined;
	readonly limitBytes: number;
	readonly oldClicks?: OldClicks | undefined;
	readonly outbox: Waiting;
	readonly deadLetters: Waiting;
	readonly processorEvents: Waiting;
	/** `failed` counts deliveries abandoned in the last day. */
	readonly webhookDeliveries: Waiting & { readonly failed: number };
	/** Ignores failing receivers. */
	readonly postbacks: Pick<Waiting, 'since'>;
	readonly emails: Waiting;
	readonly isReporting: boolean;
	readonly unsentSince: number | null;
}

const BAD_PERCENT = 95;
/** Longer than the lease of an email, after which it is retried. */
const EMAIL_PATIENCE_MS = 20 * MINUTE_MS;

export function serviceChecks(facts: ServiceFacts, now: number): ServiceCheck[] {
	return [
		isClockSilent(facts, now)
			? trouble('cron', 'bad', troubleText({ kind: 'cron_silent', facts: { since: facts.lastTickAt } }))
			: good('cron'),
		databaseCheck(facts),
		late('outbox', facts.outbox, now, { text: (since) => troubleText({ kind: 'outbox_stuck', facts: { since } }) }),
		deadLettersCheck(facts.deadLetters),
		late('processor_events', facts.processorEvents, now, {
			text: (since) => troubleText({ kind: 'processor_events_late', facts: { since } }),
		}),
		webhookCheck(facts.webhookDeliveries, now),
		late('postbacks', facts.postbacks, now, { text: (since) => troubleText({ kind: 'postbacks_late', facts: { since } }) }),
		late('letters', facts.emails, now, {
			patienceMs: EMAIL_PATIENCE_MS,
			text: (since) =>
				`Emails have been waiting since ${utcText(since)}. They are retried automatically. Look for letter_not_sent in the logs of the Worker, and check Cloudflare's Email Service.`,
		}),
		alertsCheck(facts, now),
	];
}

export function worstOf(checks: readonly ServiceCheck[]): CheckState {
	const states = new Set(checks.map(({ state }) => state));
	if (states.has('bad')) return 'bad';
	return states.has('attention') ? 'attention' : 'good';
}

function databaseCheck({ bytes, limitBytes, oldClicks }: ServiceFacts): ServiceCheck {
	const percent = bytes === undefined ? 0 : shareOf({ bytes, limitBytes });
	if (bytes === undefined || percent < FULL_PERCENT) return good('database');
	const text = troubleText({ kind: 'database_full', facts: { bytes, limitBytes, oldClicks } });
	return trouble('database', percent < BAD_PERCENT ? 'attention' : 'bad', text);
}

function deadLettersCheck({ count, since }: Waiting): ServiceCheck {
	if (since === null) return good('dead_letters');
	return trouble('dead_letters', 'attention', troubleText({ kind: 'dead_letters', facts: { count, since } }));
}

function webhookCheck({ failed, ...due }: ServiceFacts['webhookDeliveries'], now: number): ServiceCheck {
	const check = late('webhook_deliveries', due, now, {
		text: (since) =>
			`Webhook deliveries have been waiting since ${utcText(since)}. They are retried automatically. Check that the queue affiliate-webhooks has its consumer, and check the logs of the Worker.`,
	});
	if (check.state !== 'good' || failed === 0) return check;
	const text = `${failed} webhook deliver${failed === 1 ? 'y' : 'ies'} failed for good in the last 24 hours. Members of the programs can see why and send them again under Settings > Webhooks.`;
	return trouble('webhook_deliveries', 'attention', text);
}

function alertsCheck({ isReporting, unsentSince }: ServiceFacts, now: number): ServiceCheck {
	const silent = 'Alerts have no recipient. Set the secret ALERT_WEBHOOK_URL or turn on email. The guide "Monitoring" explains how.';
	if (!isReporting) return trouble('alerts', 'attention', silent);
	return late('alerts', { since: unsentSince }, now, {
		text: (since) =>
			`An alert has not been sent since ${utcText(since)}. It is retried automatically. Check that the address in ALERT_WEBHOOK_URL still accepts messages, and look for alert_not_sent and letter_not_sent in the logs of the Worker.`,
	});
}

/** `attention` if something waits too long; `bad` after an hour. */
function late(
	name: ServiceCheckName,
	{ since }: Pick<Waiting, 'since'>,
	now: number,
	{ text, patienceMs = PATIENCE_MS }: { readonly text: (since: number) => string; readonly patienceMs?: number },
): ServiceCheck {
	if (since === null || now - since <= patienceMs) return good(name);
	return trouble(name, now - since > HOUR_MS ? 'bad' : 'attention', text(since));
}

function good(name: ServiceCheckName): ServiceCheck {
	return { name, state: 'good', nextAction: null };
}

function trouble(name: ServiceCheckName, state: CheckState, nextAction: string): ServiceCheck {
	return { name, state, nextAction };
}
