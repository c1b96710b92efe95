import { type AlertFacts, FULL_PERCENT, shareOf, troubleText } from './alert.ts';
import { HOUR_MS, MINUTE_MS } from './calendar.ts';
import { isClockSilent } from './clock.ts';
import { isoOf } from './instant.ts';
import { PATIENCE_MS } from './processor-checks.ts';

// What whoever operates the service looks at, each part with what to do.

export type CheckState = 'good' | 'attention' | 'bad';
export const SERVICE_CHECKS = [
	'cron',
	'database',
	'outbox',
	'dead_letters',
	'processor_events',
	'webhook_deliveries',
	'letters',
	'alerts',
] as const;
export type ServiceCheckName = (typeof SERVICE_CHECKS)[number];

export interface ServiceCheck {
	readonly name: ServiceCheckName;
	readonly state: CheckState;
	/** In plain words; null where all is well. */
	readonly nextAction: string | null;
}

/** What waits, and since when the oldest of it; null: nothing. */
export interface Waiting {
	readonly count: number;
	readonly since: number | null;
}

export interface ServiceFacts {
	readonly lastTickAt: number | null;
	readonly inUseSince: number | null;
	/** Undefined where the platform does not say. */
	readonly bytes: number | undefined;
	readonly limitBytes: number;
	readonly outbox: Waiting;
	readonly deadLetters: Waiting;
	/** Events of payment processors that are due. */
	readonly processorEvents: Waiting;
	/** Deliveries to webhooks that are due, and those of the last day that were given up. */
	readonly webhookDeliveries: Waiting & { readonly failed: number };
	/** Letters that are due. */
	readonly letters: Waiting;
	readonly isTelling: boolean;
}

/** Of the database's share, from which on it is bad. */
const BAD_PERCENT = 95;
/** Letters are tried again after so long. */
const LETTER_PATIENCE_MS = 20 * MINUTE_MS;

/** In the order in which they are looked at. */
export function serviceChecks(facts: ServiceFacts, now: number): ServiceCheck[] {
	const { deadLetters, outbox, processorEvents, webhookDeliveries, letters } = facts;
	return [
		isClockSilent(facts, now) ? trouble('cron', 'bad', troubleText('cron_silent', { since: facts.lastTickAt })) : good('cron'),
		databaseCheck(facts),
		late('outbox', outbox, now, { text: troubleText('outbox_stuck', { since: outbox.since }) }),
		deadLetters.count > 0 ? trouble('dead_letters', 'attention', troubleText('dead_letters', deadLetters)) : good('dead_letters'),
		late('processor_events', processorEvents, now, {
			text: `Events of payment processors wait to be processed since ${isoOf(processorEvents.since)}. They are tried again by themselves: see that the queue affiliate-effects has its consumer, and the logs of the Worker for processor_event_failed.`,
		}),
		webhookCheck(webhookDeliveries, now),
		late('letters', letters, now, {
			patienceMs: LETTER_PATIENCE_MS,
			text: `Letters wait since ${isoOf(letters.since)}. They are tried again by themselves: see the logs of the Worker for letter_not_sent, and Cloudflare's Email Service.`,
		}),
		facts.isTelling
			? good('alerts')
			: trouble(
					'alerts',
					'attention',
					'Nobody is told of trouble: set the secret ALERT_WEBHOOK_URL, or switch mail on. The guide "Monitoring" says how.',
				),
	];
}

/** The worst of them. */
export function worstOf(checks: readonly ServiceCheck[]): CheckState {
	const states = new Set(checks.map(({ state }) => state));
	if (states.has('bad')) return 'bad';
	return states.has('attention') ? 'attention' : 'good';
}

function databaseCheck({ bytes, limitBytes }: AlertFacts): ServiceCheck {
	const percent = shareOf({ bytes, limitBytes });
	if (percent < FULL_PERCENT) return good('database');
	return trouble('database', percent < BAD_PERCENT ? 'attention' : 'bad', troubleText('database_full', { bytes, limitBytes }));
}

function webhookCheck({ failed, ...due }: ServiceFacts['webhookDeliveries'], now: number): ServiceCheck {
	const text = `Deliveries to webhooks wait since ${isoOf(due.since)}. They are sent again by themselves: see that the queue affiliate-webhooks has its consumer, and the logs of the Worker.`;
	const check = late('webhook_deliveries', due, now, { text });
	if (check.state !== 'good' || failed === 0) return check;
	const given = `Deliveries to webhooks given up in the last 24 hours: ${failed}. Their programs see why, and send them again: Settings, Webhooks.`;
	return trouble('webhook_deliveries', 'attention', given);
}

/** Attention where something waits for too long, and bad where it does for an hour. */
function late(
	name: ServiceCheckName,
	{ since }: Waiting,
	now: number,
	{ text, patienceMs = PATIENCE_MS }: { readonly text: string; readonly patienceMs?: number },
): ServiceCheck {
	const waitedMs = since === null ? 0 : now - since;
	if (waitedMs <= patienceMs) return good(name);
	return trouble(name, waitedMs > HOUR_MS ? 'bad' : 'attention', text);
}

function good(name: ServiceCheckName): ServiceCheck {
	return { name, state: 'good', nextAction: null };
}

function trouble(name: ServiceCheckName, state: CheckState, nextAction: string): ServiceCheck {
	return { name, state, nextAction };
}
