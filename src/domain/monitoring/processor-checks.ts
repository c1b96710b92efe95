import { MINUTE_MS } from '../calendar.ts';
import type { IntegrationCheck } from './integration-check.ts';
import { type CountedFailures, mismatchAdvice, timestampAdvice } from './signature-failure.ts';
import { utcText } from '../time-text.ts';

/** How long work may wait, or cron may pause, before it counts as a problem. */
export const PATIENCE_MS = 5 * MINUTE_MS;

export interface EventTrouble {
	readonly id: number;
	readonly eventId: string;
	readonly type: string;
	readonly state: string;
	readonly reason: string;
	readonly settledAt: number;
}

/** Instants are ms. */
export interface ConnectedProcessor {
	readonly name: string;
	readonly title: string;
	readonly events: readonly string[];
	readonly hasEvent: boolean;
	readonly failures: readonly CountedFailures[];
	/** When its oldest unprocessed or failing event became due; null if there is none. */
	readonly dueSince: number | null;
	/** Null if it is old or concerns another program. */
	readonly trouble: EventTrouble | null;
}

export function processorChecks(processor: ConnectedProcessor, program: string, now: number): IntegrationCheck[] {
	const { name, title, events } = processor;
	const nextAction = `No event has arrived from ${title} yet. Check that its webhook is active, has the address from GET ${program}/processors/${name}, and sends the events ${events.join(', ')}`;
	return [receivedCheck(processor, nextAction), ...signatureChecks(processor), appliedCheck(processor, program, now)];
}

/** Refused signatures prove that events arrive, so the advice changes. */
export function receivedCheck(
	{ name, title, hasEvent, failures }: Pick<ConnectedProcessor, 'name' | 'title' | 'hasEvent' | 'failures'>,
	nothingCame: string,
): IntegrationCheck {
	const refused = `Events have arrived from ${title}, but all were refused because of their signature. Fix what the next checks name`;
	return { name: `${name}_events_received`, ok: hasEvent, nextAction: hasEvent ? null : failures.length > 0 ? refused : nothingCame };
}

/** Decision 56. */
export function signatureChecks({ name, title, failures }: Pick<ConnectedProcessor, 'name' | 'title' | 'failures'>): IntegrationCheck[] {
	const mismatch = failures.find(({ kind }) => kind === 'mismatch');
	const timestamp = failures.find(({ kind }) => kind === 'timestamp');
	return [
		{ name: `${name}_signatures_match`, ok: !mismatch, nextAction: mismatch ? mismatchAdvice(title, mismatch) : null },
		{ name: `${name}_timestamps_match`, ok: !timestamp, nextAction: timestamp ? timestampAdvice(title, timestamp) : null },
	];
}

export function appliedCheck(
	processor: Pick<ConnectedProcessor, 'dueSince' | 'name' | 'title' | 'trouble'>,
	program: string,
	now: number,
): IntegrationCheck {
	const nextAction = problemOf(processor, program, now);
	return { name: `${processor.name}_events_applied`, ok: nextAction === null, nextAction };
}

function problemOf({ title, dueSince, trouble }: Pick<ConnectedProcessor, 'dueSince' | 'title' | 'trouble'>, program: string, now: number) {
	if (dueSince !== null && now - dueSince > PATIENCE_MS)
		return `Events from ${title} have been waiting since ${utcText(dueSince)}. They are retried automatically. See GET ${program}/processor-events?state=received, check that the queue affiliate-effects has its consumer, and check the logs of the Worker`;
	if (!trouble) return null;
	const ended = trouble.state === 'failed' ? 'failed' : 'was refused';
	return `The ${trouble.type} ${trouble.eventId} from ${title} ${ended} on ${utcText(trouble.settledAt)}: ${trouble.reason.replace(/\.$/, '')}. Correct that and replay the event: POST ${program}/processor-events/${trouble.id}/replay. All such events: GET ${program}/processor-events?state=${trouble.state}`;
}
