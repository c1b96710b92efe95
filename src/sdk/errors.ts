/**
 * Why a call failed:
 * - `invalid`: a field is wrong (400, 413); the message names it. Retrying does not help.
 * - `customer_not_found`: neither `customer_key` nor `click_id` identifies a customer (400).
 * - `authentication`, `forbidden`: the key or session is missing, wrong or not allowed (401, 403).
 * - `not_found`: there is no such sale or program (404).
 * - `conflict`: another program of the service has used this transaction_id (409). Add a prefix to your ids.
 * - `rate_limited`: too many calls (429), and no retries are left or the wait is too long; see `retryAfterMs`.
 * - `server`: the service failed (5xx).
 * - `timeout`, `network`: no response, or only part of one.
 * - `aborted`: the caller's signal ended the call.
 * - `unexpected`: a redirect, or a response that is not from the service. Check `baseUrl`.
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

export interface Failure {
	readonly kind: TrackerErrorKind;
	/** The last response's HTTP status; undefined without a response. */
	readonly status: number | undefined;
	/** How many times the call was sent. */
	readonly attempts: number;
	/**
	 * True if an attempt got no clear response, so the lead, sale or refund may have been recorded: send it again later with the same ids.
	 * False if it was not recorded and never will be.
	 */
	readonly mayBeRecorded: boolean;
	/** How long to wait, in ms; undefined if the service does not say. */
	readonly retryAfterMs: number | undefined;
	/** The response's X-Request-Id, which the operator can find in the logs. */
	readonly requestId: string | undefined;
}

/** The only error of SDK calls. `message` is the `error` of the response; `cause` is the underlying error. */
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

/** The call was never sent. */
export function unsent(kind: TrackerErrorKind, message: string, cause?: unknown): TrackerError {
	const failure = { status: undefined, attempts: 0, mayBeRecorded: false, retryAfterMs: undefined, requestId: undefined };
	return new TrackerError(message, { kind, ...failure }, cause);
}
