import { clockAdvice } from './clock.ts';
import { isoOf } from './instant.ts';

// What the operator of the service is told of, once when it begins and once when it is over.

export type AlertKind = 'dead_letters' | 'outbox_stuck' | 'cron_silent' | 'database_full' | 'processor_silent';
export type AlertPhase = 'begun' | 'over';

/** What was seen when it began. Which of these there are depends on its kind; instants are ms. */
export interface AlertFacts {
	/** Messages that wait. */
	readonly count?: number | undefined;
	readonly since?: number | null | undefined;
	readonly bytes?: number | undefined;
	readonly limitBytes?: number | undefined;
	readonly programId?: number | undefined;
	readonly programName?: string | undefined;
	/** As its integrators know the processor. */
	readonly processor?: string | undefined;
}

/** Something that is wrong. */
export interface Trouble {
	readonly kind: AlertKind;
	/** The same for the same trouble, however often it is seen. */
	readonly key: string;
	readonly facts: AlertFacts;
}

/** An alert that is not over. */
export interface OpenAlert {
	readonly kind: AlertKind;
	readonly key: string;
}

/** What begins and what is over, of the kinds that were looked at. */
export function planAlerts<Open extends OpenAlert>(
	open: readonly Open[],
	troubles: readonly Trouble[],
	isLookedAt: (alert: Open) => boolean = () => true,
): { readonly begun: readonly Trouble[]; readonly over: readonly Open[] } {
	const [known, seen] = [new Set(open.map(({ key }) => key)), new Set(troubles.map(({ key }) => key))];
	return {
		begun: troubles.filter(({ key }) => !known.has(key)),
		over: open.filter((alert) => isLookedAt(alert) && !seen.has(alert.key)),
	};
}

export const ALERT_TITLES = {
	dead_letters: 'Undelivered work',
	outbox_stuck: 'Work that follows waits',
	cron_silent: 'Cron stands still',
	database_full: 'Database is filling up',
	processor_silent: 'Payment processor is silent',
} as const satisfies Record<AlertKind, string>;

/** What is wrong, and what to do. */
export function troubleText(kind: AlertKind, facts: AlertFacts): string {
	const since = isoOf(facts.since ?? null);
	switch (kind) {
		case 'dead_letters':
			return `Messages that could not be delivered: ${facts.count ?? 0}, the first at ${since}. Dashboard, Settings, Undelivered work says why, and sends each again.`;
		case 'outbox_stuck':
			return `Notifications and totals wait since ${since}. They are tried again by themselves: see that the queue affiliate-effects has its consumer, and the logs of the Worker for effects_failed.`;
		case 'cron_silent':
			return `${clockAdvice(facts.since ?? null)}.`;
		case 'database_full':
			return `The database has ${shareOf(facts)} % of what D1 lets it have (${gigabytes(facts.bytes)} of ${gigabytes(facts.limitBytes)} GB). The guide "Scale" says what to move out first; if your plan gives more, set DATABASE_LIMIT_GB.`;
		case 'processor_silent':
			return `No event of ${facts.processor} has come for ${facts.programName} (program ${facts.programId}) since ${since}, more than three times as long as its longest pause before. See at the processor that the webhook is active and its deliveries succeed; if there were just no payments, there is nothing to do.`;
	}
}

/** What is right again. */
export function overText(kind: AlertKind, facts: AlertFacts): string {
	switch (kind) {
		case 'dead_letters':
			return 'No undelivered message waits any more.';
		case 'outbox_stuck':
			return 'Nothing waits for its effects any more.';
		case 'cron_silent':
			return 'The work of every minute is done again.';
		case 'database_full':
			return 'The database is below 80 % of what D1 lets it have.';
		case 'processor_silent':
			return `Events of ${facts.processor} come for ${facts.programName} (program ${facts.programId}) again, or it is no longer connected.`;
	}
}

/** Of what D1 lets the database have. */
export function shareOf({ bytes = 0, limitBytes = 1 }: Pick<AlertFacts, 'bytes' | 'limitBytes'>): number {
	return Math.floor((bytes / limitBytes) * 100);
}

/** From this share on the operator is told. */
export const FULL_PERCENT = 80;

function gigabytes(bytes = 0): string {
	return (bytes / 1e9).toFixed(2);
}

export interface AlertMessage {
	readonly id: number;
	readonly kind: AlertKind;
	readonly phase: AlertPhase;
	readonly facts: AlertFacts;
	readonly beganAt: number;
	readonly endedAt: number | null;
}

/** What is posted to the webhook: `text` is what Slack shows, `content` what Discord does, the rest is for programs. */
export function alertBody(alert: AlertMessage, publicUrl: string | undefined) {
	const { id, kind, phase, facts, beganAt, endedAt } = alert;
	const said = `${subjectOf(alert)}\n${wordsOf(alert)}${publicUrl === undefined ? '' : `\n${publicUrl}/dashboard`}`;
	return {
		// Slack reads what a name may hold as a mention or link; Discord is told to mention nobody.
		text: said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
		content: said.slice(0, CONTENT_LENGTH),
		allowed_mentions: { parse: [] },
		id: `alert_${id}_${phase}`,
		alert: kind,
		phase,
		message: wordsOf(alert),
		began_at: isoOf(beganAt),
		ended_at: isoOf(endedAt),
		program_id: facts.programId ?? null,
	};
}

/** What Discord takes. */
const CONTENT_LENGTH = 2_000;

export function subjectOf({ kind, phase }: Pick<AlertMessage, 'kind' | 'phase'>): string {
	return phase === 'begun' ? `Alert: ${ALERT_TITLES[kind]}` : `Over: ${ALERT_TITLES[kind]}`;
}

export function wordsOf({ kind, phase, facts }: Pick<AlertMessage, 'kind' | 'phase' | 'facts'>): string {
	return phase === 'begun' ? troubleText(kind, facts) : overText(kind, facts);
}
