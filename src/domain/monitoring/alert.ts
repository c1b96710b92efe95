import { cronAdvice } from './clock.ts';
import { isoOf } from '../instant.ts';
import { utcText } from '../time-text.ts';

// Operators are notified of each problem twice: when it begins and when it is over.

/** A problem, with the facts observed when it began. Instants are ms. */
export type Trouble =
	| { readonly kind: 'dead_letters'; readonly facts: { readonly count: number; readonly since: number } }
	| { readonly kind: 'outbox_stuck'; readonly facts: { readonly since: number } }
	| { readonly kind: 'processor_events_late'; readonly facts: { readonly since: number } }
	| { readonly kind: 'postbacks_late'; readonly facts: { readonly since: number } }
	| { readonly kind: 'cron_silent'; readonly facts: { readonly since: number | null } }
	| { readonly kind: 'database_full'; readonly facts: Filled }
	| { readonly kind: 'processor_silent'; readonly facts: Silence };

export type AlertKind = Trouble['kind'];
export type AlertPhase = 'begun' | 'over';

interface Filled {
	readonly bytes: number;
	readonly limitBytes: number;
}

interface Silence {
	readonly since: number;
	readonly programId: number;
	readonly programName: string;
	/** The processor's public name. */
	readonly processor: string;
}

/** The affected program; null if the whole service is affected. */
export function programOf(trouble: Trouble): number | null {
	return trouble.kind === 'processor_silent' ? trouble.facts.programId : null;
}

/** Which problems begin and which are over, among the kinds that were checked. A problem always has the same key. */
export function planAlerts<Open extends { readonly key: string }, Seen extends { readonly key: string }>(
	open: readonly Open[],
	troubles: readonly Seen[],
	isLookedAt: (alert: Open) => boolean = () => true,
): { readonly begun: readonly Seen[]; readonly over: readonly Open[] } {
	const [known, seen] = [new Set(open.map(({ key }) => key)), new Set(troubles.map(({ key }) => key))];
	return {
		begun: troubles.filter(({ key }) => !known.has(key)),
		over: open.filter((alert) => isLookedAt(alert) && !seen.has(alert.key)),
	};
}

export const ALERT_TITLES = {
	dead_letters: 'Undelivered work',
	outbox_stuck: 'Notifications and totals are late',
	processor_events_late: 'Payment events are late',
	postbacks_late: 'Postbacks are late',
	cron_silent: 'Cron stands still',
	database_full: 'Database is filling up',
	processor_silent: 'Payment processor is silent',
} as const satisfies Record<AlertKind, string>;

/** What is wrong, and what to do. */
export function troubleText({ kind, facts }: Trouble): string {
	switch (kind) {
		case 'dead_letters':
			return `Messages that could not be delivered: ${facts.count}, the first on ${utcText(facts.since)}. The owners of the workspaces that they are of see why in the dashboard, Settings, Undelivered work, and send each again.`;
		case 'outbox_stuck':
			return `Notifications and totals wait since ${utcText(facts.since)}. They are tried again by themselves: see that the queue affiliate-effects has its consumer, and the logs of the Worker for effects_failed.`;
		case 'processor_events_late':
			return `Events of payment processors have waited to be processed since ${utcText(facts.since)}. They are retried automatically: check that the queue affiliate-effects has its consumer, and look for processor_event_failed in the logs of the Worker.`;
		case 'postbacks_late':
			return `Calls of partners' postbacks have waited to be sent since ${utcText(facts.since)}. They are retried automatically: check that the queue affiliate-webhooks has its consumer, and the logs of the Worker. Partners whose own system fails are not counted here.`;
		case 'cron_silent':
			return `${cronAdvice(facts.since)}.`;
		case 'database_full':
			return `The database has ${shareOf(facts)} % of what D1 lets it have (${sizeText(facts.bytes)} of ${sizeText(facts.limitBytes)}). The guide "Scale" says what to move out first; if your plan gives more, set DATABASE_LIMIT_GB.`;
		case 'processor_silent':
			return `No event of ${facts.processor} has come for ${facts.programName} (program ${facts.programId}) since ${utcText(facts.since)}, more than three times as long as its longest pause before. See at the processor that the webhook is active and its deliveries succeed; if there were just no payments, there is nothing to do.`;
	}
}

export function overText({ kind, facts }: Trouble): string {
	switch (kind) {
		case 'dead_letters':
			return 'No undelivered message waits any more.';
		case 'outbox_stuck':
			return 'No notification or total is late any more.';
		case 'processor_events_late':
			return 'No event of a payment processor is late any more.';
		case 'postbacks_late':
			return 'No postback is late any more.';
		case 'cron_silent':
			return 'The work of every minute is done again.';
		case 'database_full':
			return `The database is below ${RELIEVED_PERCENT} % of what D1 lets it have.`;
		case 'processor_silent':
			return `Events of ${facts.processor} come for ${facts.programName} (program ${facts.programId}) again, or it is no longer connected.`;
	}
}

/** The alert begins at this share and ends only below a lower one, so that it does not flicker. */
export const FULL_PERCENT = 80;
export const RELIEVED_PERCENT = 75;

/** The used share of D1's limit, in percent. */
export function shareOf({ bytes, limitBytes }: Filled): number {
	return Math.floor((bytes / limitBytes) * 100);
}

function sizeText(bytes: number): string {
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

export type AlertMessage = Trouble & {
	readonly id: number;
	readonly phase: AlertPhase;
	readonly beganAt: number;
	readonly endedAt: number | null;
};

/** The webhook's body: `text` for Slack, `content` for Discord, the rest for programs. */
export function alertBody(alert: AlertMessage, publicUrl: string | undefined) {
	const { id, kind, phase, beganAt, endedAt } = alert;
	return {
		...chatBody(`${subjectOf(alert)}\n${wordsOf(alert)}`, publicUrl),
		id: `alert_${id}_${phase}`,
		alert: kind,
		phase,
		message: wordsOf(alert),
		began_at: isoOf(beganAt),
		ended_at: isoOf(endedAt),
		program_id: programOf(alert),
	};
}

export const TEST_ALERT = {
	subject: 'Test alert',
	message: 'This is a test: nothing is wrong. Alerts of this service arrive here.',
} as const;

/** A test message in the format of an alert. */
export function testAlertBody(publicUrl: string | undefined, now: number) {
	const { subject, message } = TEST_ALERT;
	return {
		...chatBody(`${subject}\n${message}`, publicUrl),
		id: `alert_test_${now}`,
		alert: 'test',
		phase: 'begun',
		message,
		began_at: isoOf(now),
		ended_at: isoOf(now),
		program_id: null,
	};
}

/** How the receivers of a test alert answered. */
export interface TestedAlert {
	/** Null if ALERT_WEBHOOK_URL is not set. `status` is null if no answer arrived in time. */
	readonly webhook: { readonly isTaken: boolean; readonly status: number | null } | null;
	/** Null if email is off. */
	readonly mail: { readonly isTaken: boolean; readonly to: string } | null;
}

/** Whether the test alert was accepted and, if not, what to do. */
export function testedText({ webhook, mail }: TestedAlert): { readonly isOk: boolean; readonly message: string } {
	if (!webhook && !mail)
		return { isOk: false, message: 'No alert would reach anybody: set the secret ALERT_WEBHOOK_URL, or switch mail on' };
	if (webhook && !webhook.isTaken) {
		const answered = webhook.status === null ? 'did not answer within five seconds' : `answered ${webhook.status}`;
		return { isOk: false, message: `The webhook ${answered}: check the address in ALERT_WEBHOOK_URL` };
	}
	if (mail && !mail.isTaken)
		return { isOk: false, message: `The mail to ${mail.to} was not accepted: look for letter_not_sent in the logs of the Worker` };
	const ways = [webhook && 'to the webhook', mail && `to ${mail.to}`].filter((way) => way !== null);
	return { isOk: true, message: `The test alert was sent ${ways.join(' and ')}` };
}

function chatBody(said: string, publicUrl: string | undefined) {
	const text = `${said}${publicUrl === undefined ? '' : `\n${publicUrl}/dashboard`}`;
	return {
		// Escaped because Slack would read names as mentions or links. Discord is set to mention nobody.
		text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
		content: text.slice(0, CONTENT_LENGTH),
		allowed_mentions: { parse: [] },
	};
}

/** Discord's limit. */
const CONTENT_LENGTH = 2_000;

export function subjectOf({ kind, phase }: Pick<AlertMessage, 'kind' | 'phase'>): string {
	return phase === 'begun' ? `Alert: ${ALERT_TITLES[kind]}` : `Over: ${ALERT_TITLES[kind]}`;
}

export function wordsOf(alert: AlertMessage): string {
	return alert.phase === 'begun' ? troubleText(alert) : overText(alert);
}
