import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';
import { countText, utcText } from '../time-text.ts';

// Webhooks that a program refused because of their signature.

/** `timestamp`: the secret is right, but the time is too old or in the future. `mismatch`: the secret is wrong. */
export type SignatureFailure =
	| { readonly kind: 'mismatch'; readonly offsetMs: null }
	| { readonly kind: 'timestamp'; readonly offsetMs: number };

/** Failures of one kind since the processor's last accepted event or change of secrets. Instants are ms. */
export interface CountedFailures {
	readonly kind: SignatureFailure['kind'];
	readonly failures: number;
	readonly lastAt: number;
	/** How far the signed time was ahead of our clock. Null for a mismatch. */
	readonly offsetMs: number | null;
}

export const FAILURES_MS = 7 * DAY_MS;

/** Beyond this number, only powers of two are written. */
const EXACT = 8;

/** Limits writes: a thousand forgeries cost about fifteen. */
export function isCountWritten(count: number): boolean {
	return count <= EXACT || Number.isInteger(Math.log2(count));
}

export function mismatchAdvice(title: string, { failures, lastAt }: CountedFailures): string {
	return `${eventsText(failures)} from ${title} arrived with a signature that does not match, the last on ${utcText(lastAt)}. Nothing was recorded. Save the signing secret of the endpoint that sends to this program. Test mode and live mode each have their own. If the secret is right, something changes the body on its way`;
}

export function timestampAdvice(title: string, { failures, lastAt, offsetMs }: CountedFailures): string {
	const offset = offsetMs ?? 0;
	return `${eventsText(failures)} from ${title} arrived with the right signature but a wrong timestamp, the last on ${utcText(lastAt)}. Its timestamp was ${durationText(Math.abs(offset))} ${offset < 0 ? 'behind' : 'ahead'}. Correct the clock of the sending server. If it delivers more than 5 minutes after signing, it must sign again`;
}

/** `{offset}` says by how much, and in which direction. */
export const TIMESTAMP_OFF =
	'The signature is right, but the timestamp is {offset} the time here. At most 5 minutes are allowed. Correct the clock of the sending server. If it delivers later, it must sign again';

export function timestampRefusal(offsetMs: number): string {
	return TIMESTAMP_OFF.replace('{offset}', `${durationText(Math.abs(offsetMs))} ${offsetMs < 0 ? 'behind' : 'ahead of'}`);
}

function eventsText(failures: number): string {
	return failures <= EXACT ? countText(failures, 'event') : `At least ${countText(failures, 'event')}`;
}

function durationText(ms: number): string {
	if (ms < 10 * MINUTE_MS) return countText(Math.round(ms / 1_000), 'second');
	if (ms < 2 * HOUR_MS) return countText(Math.round(ms / MINUTE_MS), 'minute');
	if (ms < 2 * DAY_MS) return countText(Math.round(ms / HOUR_MS), 'hour');
	return countText(Math.round(ms / DAY_MS), 'day');
}
