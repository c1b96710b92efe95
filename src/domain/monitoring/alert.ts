import { cronAdvice } from './clock.ts';
import { type OldClicks, oldClicksText } from './old-clicks.ts';
import { isoOf } from '../instant.ts';
import { sizeText } from './size-text.ts';
import { countText, utcText } from '../time-text.ts';

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
	readonly oldClicks?: OldClicks | undefined;
}

interface Silence {
	readonly since: number;
	readonly programId: number;
	readonly programName: string;
	readonly processor: string;
}

/** Null if the whole service is affected. */
export function programOf(trouble: Trouble): number | null {
	return trouble.kind === 'processor_silent' ? trouble.facts.programId : null;
}

/** Which problems begin and which are over, among the kinds that were checked. */
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
	cron_silent: 'Cron has stopped',
	database_full: 'Database is filling up',
	processor_silent: 'Payment processor is silent',
} as const satisfies Record<AlertKind, string>;

/** What is wrong, and what to do. */
export function troubleText({ kind, facts }: Trouble): string {
	switch (kind) {
		case 'dead_letters':
			return `${countText(facts.count, 'message')} could not be delivered, the first on ${utcText(facts.since)}. The owners of the workspaces concerned can see why under Settings > Undelivered work in the dashboard, and retry each message there.`;
		case 'outbox_stuck':
			return `Notifications and totals have been waiting since ${utcText(facts.since)}. They are retried automatically. Check that the queue affiliate-effects has its consumer, and look for effects_failed in the logs of the Worker.`;
		case 'processor_events_late':
			return `Events from payment processors have been waiting since ${utcText(facts.since)}. They are retried automatically. Check that the queue affiliate-effects has its consumer, and look for processor_event_failed in the logs of the Worker.`;
		case 'postbacks_late':
			return `Postbacks to partners have been waiting since ${utcText(facts.since)}. They are retried automatically. Check that the queue affiliate-webhooks has its consumer, and check the logs of the Worker. Postbacks that wait because a partner's own system fails are not counted.`;
		case 'cron_silent':
			return `${cronAdvice(facts.since)}.`;
		case 'database_full':
			return `The database uses ${shareOf(facts)}% of its D1 limit (${sizeText(facts.bytes)} of ${sizeText(facts.limitBytes)}). ${oldClicksText(facts.oldClicks)}The guide "Scale" explains what to move out first. If your plan has a higher limit, set DATABASE_LIMIT_GB.`;
		case 'processor_silent':
			return `${facts.programName} (program ${facts.programId}) has received no event from ${facts.processor} since ${utcText(facts.since)}, more than three times its longest pause so far. Check at ${facts.processor} that the webhook is active and its deliveries succeed. If there were simply no payments, there is nothing to do.`;
	}
}

export function overText({ kind, facts }: Trouble): string {
	switch (kind) {
		case 'dead_letters':
			return 'There are no undelivered messages any more.';
		case 'outbox_stuck':
			return 'Notifications and totals are on time again.';
		case 'processor_events_late':
			return 'Events from payment processors are processed on time again.';
		case 'postbacks_late':
			return 'Postbacks are sent on time again.';
		case 'cron_silent':
			return 'Cron runs every minute again.';
		case 'database_full':
			return `The database uses less than ${RELIEVED_PERCENT}% of its D1 limit.`;
		case 'processor_silent':
			return `${facts.programName} (program ${facts.programId}) receives events from ${facts.processor} again, or ${facts.processor} is no longer connected.`;
	}
}

/** An alert begins at the first percentage and ends below the second, so that it does not flicker. */
export const FULL_PERCENT = 80;
export const RELIEVED_PERCENT = 75;

export function shareOf({ bytes, limitBytes }: Filled): number {
	return Math.floor((bytes / limitBytes) * 100);
}

export type AlertMessage = Trouble & {
	readonly id: number;
	readonly phase: AlertPhase;
	readonly beganAt: number;
	readonly endedAt: number | null;
};

/** `text` is for Slack, `content` for Discord, the rest for programs. */
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
	message: 'This is a test. Nothing is wrong. Alerts from this service arrive here.',
} as const;

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

export interface TestedAlert {
	/** Null if ALERT_WEBHOOK_URL is not set. `status` is null if there was no response in time. */
	readonly webhook: { readonly isTaken: boolean; readonly status: number | null } | null;
	/** Null if email is off. */
	readonly mail: { readonly isTaken: boolean; readonly to: string } | null;
}

export function testedText({ webhook, mail }: TestedAlert): { readonly isOk: boolean; readonly message: string } {
	if (!webhook && !mail) return { isOk: false, message: 'Alerts have no recipient. Set the secret ALERT_WEBHOOK_URL or turn on email' };
	if (webhook && !webhook.isTaken) {
		const answered = webhook.status === null ? 'did not answer within five seconds' : `answered ${webhook.status}`;
		return { isOk: false, message: `The webhook ${answered}. Check the address in ALERT_WEBHOOK_URL` };
	}
	if (mail && !mail.isTaken)
		return { isOk: false, message: `The email to ${mail.to} was not accepted. Look for letter_not_sent in the logs of the Worker` };
	const ways = [webhook && 'to the webhook', mail && `to ${mail.to}`].filter((way) => way !== null);
	return { isOk: true, message: `The test alert was sent ${ways.join(' and ')}` };
}

function chatBody(message: string, publicUrl: string | undefined) {
	const text = `${message}${publicUrl === undefined ? '' : `\n${publicUrl}/dashboard`}`;
	return {
		// Escaped because Slack would treat names as mentions or links. Discord is set to mention nobody.
		text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
		content: text.slice(0, CONTENT_LENGTH),
		allowed_mentions: { parse: [] },
	};
}

/** Discord's limit. */
const CONTENT_LENGTH = 2_000;

export function subjectOf({ kind, phase }: Pick<AlertMessage, 'kind' | 'phase'>): string {
	return phase === 'begun' ? `Alert: ${ALERT_TITLES[kind]}` : `Resolved: ${ALERT_TITLES[kind]}`;
}

export function wordsOf(alert: AlertMessage): string {
	return alert.phase === 'begun' ? troubleText(alert) : overText(alert);
}
