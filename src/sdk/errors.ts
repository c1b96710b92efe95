/**
 * Why a call failed:
 * - `invalid`: a field is wrong (400, 413); the message names it. Sending it again will not help.
 * - `customer_not_found`: neither `customer_key` nor `click_id` leads to a customer (400).
 * - `authentication`, `forbidden`: the key or session is missing, wrong or not allowed (401, 403).
 * - `not_found`: there is no such sale or program (404).
 * - `conflict`: another program of the service has used this transaction_id (409): put a prefix of your own before your ids.
 * - `rate_limited`: too many calls (429), and no more tries or too long a wait; see `retryAfterMs`.
 * - `server`: the service failed (5xx).
 * - `timeout`, `network`: no answer came, or only a part of one.
 * - `aborted`: the caller's signal ended it.
 * - `unexpected`: an answer that is none of the service's, or a redirect: is `baseUrl` right?
 */
export type TrackerErrorKind =
	| 'invalid'
	| 'customer_not_found'
	| 'authentication'
	| 'forbidden'
	| 'not_found'
	| 'conflict'
	| 'rate_limited'
	| 'server'
	| 'timeout'
	| 'network'
	| 'aborted'
	| 'unexpected';

/** Details of a failed call, besides its message. */
export interface Failure {
	readonly kind: TrackerErrorKind;
	/** The HTTP status of the last answer; undefined without one. */
	readonly status: number | undefined;
	/** How often the call was sent. */
	readonly attempts: number;
	/**
	 * True if a try got no clear answer, so that the lead, sale or refund may have been recorded: send it again later with the same ids.
	 * False if it was not recorded and never will be.
	 */
	readonly mayBeRecorded: boolean;
	/** How long the service asks to wait; undefined if it does not say. */
	readonly retryAfterMs: number | undefined;
	/** The X-Request-Id of the answer, for the operator's logs. */
	readonly requestId: string | undefined;
}

/** The only error that SDK calls reject with. `message` is the `error` of the answer; `cause` is the underlying error. */
export class TrackerError extends Error implements Failure {
	readonly kind: TrackerErrorKind;
	readonly status: number | undefined;
	readonly attempts: number;
	readonly mayBeRecorded: boolean;
	readonly retryAfterMs: number | undefined;
	readonly requestId: string | undefined;

	constructor(message: string, failure: Failure, cause?: unknown) {
		super(message, cause === undefined ? undefined : { cause });
		this.name = 'TrackerError';
		this.kind = failure.kind;
		this.status = failure.status;
		this.attempts = failure.attempts;
		this.mayBeRecorded = failure.mayBeRecorded;
		this.retryAfterMs = failure.retryAfterMs;
		this.requestId = failure.requestId;
	}
}

/** The error of a call that was never sent. */
export function unsent(kind: TrackerErrorKind, message: string, cause?: unknown): TrackerError {
	const failure = { status: undefined, attempts: 0, mayBeRecorded: false, retryAfterMs: undefined, requestId: undefined };
	return new TrackerError(message, { kind, ...failure }, cause);
}
