import { TrackerError, unsent } from './errors.ts';
import { exchange, type Message, type Miss, type Refusal } from './exchange.ts';
import type { Fetch, Signal } from './platform.ts';
import { backoffMs, MAX_RETRY_AFTER_MS, pause } from './retry.ts';

export interface Transport {
	/** Without a trailing slash. */
	readonly baseUrl: string;
	readonly timeoutMs: number;
	/** The most retries. */
	readonly retries: number;
	readonly retryDelayMs: number;
	readonly fetch: Fetch;
}

export interface Call<Body> {
	readonly method: 'GET' | 'POST';
	/** Includes the query. */
	readonly path: string;
	readonly token: string;
	/** Sent as JSON. */
	readonly body?: object;
	readonly isBody: (body: unknown) => body is Body;
	/** Whether it is safe to carry out the call twice. */
	readonly isRepeatable: boolean;
	readonly signal: Signal | undefined;
}

/** A clear response. */
export interface Answer<Body> {
	readonly outcome: { readonly kind: 'accepted'; readonly body: Body } | Refusal;
	readonly attempts: number;
	/** Whether an earlier attempt got no clear response but may have been carried out. */
	readonly retried: boolean;
}

/**
 * Sends the call until there is a clear response. Retries only if nothing was done (429), or if the call may be carried out twice. Rejects
 * with a TrackerError after the last attempt, or if the signal is aborted.
 */
export async function ask<Body>(transport: Transport, call: Call<Body>): Promise<Answer<Body>> {
	const message = messageOf(transport, call);
	const { signal } = call;
	let retried = false;
	for (let attempts = 1; ; attempts += 1) {
		if (signal?.aborted) throw errorOf(abortedBy(signal), call, attempts - 1, retried);
		const outcome = await exchange(transport.fetch, message, call.isBody, { timeoutMs: transport.timeoutMs, signal });
		if (outcome.kind !== 'missed') return { outcome, attempts, retried };
		retried ||= outcome.mayHaveWorked;
		if (attempts > transport.retries || !mayRepeat(outcome, call)) throw errorOf(outcome, call, attempts, retried);
		await pause(backoffMs(attempts, transport.retryDelayMs, outcome.retryAfterMs), signal);
	}
}

export function refusalError<Body>(refusal: Refusal, call: Pick<Call<Body>, 'method'>, answer: Pick<Answer<Body>, 'attempts' | 'retried'>) {
	return errorOf(refusal, call, answer.attempts, answer.retried);
}

function mayRepeat(miss: Miss, { isRepeatable }: { readonly isRepeatable: boolean }): boolean {
	if (miss.why === 'aborted' || (miss.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
	return isRepeatable || !miss.mayHaveWorked;
}

function messageOf<Body>({ baseUrl }: Transport, { method, path, token, body }: Call<Body>): Message {
	const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
	const url = `${baseUrl}${path}`;
	if (body === undefined) return { url, method, headers, body: undefined };
	return { url, method, headers: { ...headers, 'Content-Type': 'application/json' }, body: jsonOf(body) };
}

function jsonOf(body: object): string {
	try {
		return JSON.stringify(body);
	} catch (cause) {
		throw unsent('invalid', 'The request cannot be written as JSON', cause);
	}
}

function abortedBy(signal: Signal) {
	const nothing = { status: undefined, retryAfterMs: undefined, requestId: undefined };
	return { ...nothing, why: 'aborted', message: 'The call was aborted', cause: signal.reason } as const;
}

function errorOf(
	{ why, message, status, retryAfterMs, requestId, cause }: Omit<Refusal, 'kind' | 'detail' | 'differs'>,
	{ method }: { readonly method: string },
	attempts: number,
	mayHaveWorked: boolean,
): TrackerError {
	const mayBeRecorded = method === 'POST' && mayHaveWorked;
	return new TrackerError(message, { kind: why, status, attempts, mayBeRecorded, retryAfterMs, requestId }, cause);
}
