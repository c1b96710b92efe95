import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar.ts';
import { countText, utcText } from '../time-text.ts';

// Webhooks of a payment processor that a program refused because of their signature.

/** `timestamp`: one of the secrets signed it, but too long ago or in the future. Whoever has no secret can only make a `mismatch`. */
export type SignatureFailure =
	| { readonly kind: 'mismatch'; readonly offsetMs: null }
	| { readonly kind: 'timestamp'; readonly offsetMs: number };

/** Those of one kind that came to one processor since it last accepted an event or changed its secrets. Instants are ms. */
export interface CountedFailures {
	readonly kind: SignatureFailure['kind'];
	readonly failures: number;
	readonly lastAt: number;
	/** How far the last signed time was ahead of ours; negative if it was behind. Null for a mismatch. */
	readonly offsetMs: number | null;
}

/** How long failures are reported after the last one. */
export const FAILURES_MS = 7 * DAY_MS;

/** Up to this number each failure is counted; from there on a flood writes only when the number has doubled. */
const EXACT = 8;

/** Whether to write the count of an isolate now. A thousand forgeries cost some fifteen writes. */
export function isCountWritten(count: number): boolean {
	return count <= EXACT || Number.isInteger(Math.log2(count));
}

/** What came with a signature that does not match, and what to do. */
export function mismatchAdvice(title: string, { failures, lastAt }: CountedFailures): string {
	return `${eventsText(failures)} from ${title} came with a signature that does not match: check the secret. The last one came on ${utcText(lastAt)}, and nothing was recorded. Save the signing secret of the endpoint that sends to this program; test and live mode have one each. If the secret is right, something on the way changes the body`;
}

/** What came with a timestamp that is off, and what to do. */
export function timestampAdvice(title: string, { failures, lastAt, offsetMs }: CountedFailures): string {
	const offset = offsetMs ?? 0;
	return `${eventsText(failures)} from ${title} came with the right signature, but the timestamp is ${durationText(Math.abs(offset))} off. The last one came on ${utcText(lastAt)}, and its timestamp was ${offset < 0 ? 'behind' : 'ahead'}. Set the clock of the server that sends; what delivers later than 5 minutes must sign again`;
}

/** What the sender of a signed event is answered whose timestamp is off; `{offset}` is by how much, and which way. */
export const TIMESTAMP_OFF =
	'The signature is right, but the timestamp is {offset} the time here; at most 5 minutes are allowed. Set the clock of the server that sends; what delivers later must sign again';

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
