import { isErrorAnswer } from './answers.ts';
import type { TrackerErrorKind } from './errors.ts';
import type { Fetch, Signal } from './platform.ts';
import { parseRetryAfter } from './retry.ts';

/** The same for every attempt. */
export interface Message {
	readonly url: string;
	readonly method: 'GET' | 'POST';
	readonly headers: Readonly<Record<string, string>>;
	/** JSON; undefined without a body. */
	readonly body: string | undefined;
}

export type Outcome<Body> =
	| { readonly kind: 'accepted'; readonly body: Body }
	/** The service did nothing, and would refuse the call again. */
	| Refusal
	/** No clear response, so another attempt may succeed. */
	| Miss;

export interface Refusal extends Trouble {
	readonly kind: 'refused';
	/** The `message` next to `error`. */
	readonly detail: string | undefined;
	/** The `differs` next to `error`, or empty. */
	readonly differs: readonly string[];
}

export interface Miss extends Trouble {
	readonly kind: 'missed';
	/** The service may have carried out the call, or may still do so. */
	readonly mayHaveWorked: boolean;
}

interface Trouble {
	readonly why: TrackerErrorKind;
	readonly message: string;
	readonly status: number | undefined;
	readonly retryAfterMs: number | undefined;
	readonly requestId: string | undefined;
	readonly cause: unknown;
}

/** Sends the message once. Never throws. */
export async function exchange<Body>(
	fetch: Fetch,
	message: Message,
	isBody: (body: unknown) => body is Body,
	{ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: Signal | undefined },
): Promise<Outcome<Body>> {
	const controller = new AbortController();
	const expired = new DOMException(`No answer within ${timeoutMs} ms`, 'TimeoutError');
	const timer = setTimeout(() => controller.abort(expired), timeoutMs);
	const abort = () => controller.abort(signal?.reason);
	signal?.addEventListener('abort', abort);
	try {
		// Ends the attempt even if the given fetch ignores the signal.
		return await Promise.race([converse(fetch, message, isBody, controller.signal), endOf(controller.signal)]);
	} catch (error) {
		const nothing = { kind: 'missed', status: undefined, retryAfterMs: undefined, requestId: undefined, mayHaveWorked: true } as const;
		if (!controller.signal.aborted) return { ...nothing, why: 'network', message: `No answer: ${textOf(error)}`, cause: error };
		const cause: unknown = controller.signal.reason;
		if (cause === expired) return { ...nothing, why: 'timeout', message: expired.message, cause };
		return { ...nothing, why: 'aborted', message: 'The call was aborted', cause };
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener('abort', abort);
	}
}

async function converse<Body>(
	fetch: Fetch,
	{ url, method, headers, body }: Message,
	isBody: (body: unknown) => body is Body,
	signal: AbortSignal,
): Promise<Outcome<Body>> {
	// Following a redirect could turn a POST into a GET, or send the key to another host.
	const response = await fetch(url, {
		method,
		headers: { ...headers },
		...(body === undefined ? {} : { body }),
		signal,
		redirect: 'manual',
	});
	return outcomeOf(response.status, response.headers, parseJson(await response.text()), isBody);
}

function outcomeOf<Body>(status: number, headers: Headers, body: unknown, isBody: (body: unknown) => body is Body): Outcome<Body> {
	const isGood = status >= 200 && status < 300;
	if (isGood && isBody(body)) return { kind: 'accepted', body };
	const error = isErrorAnswer(body) ? body : undefined;
	const trouble = {
		message: error?.error ?? `The answer with status ${status} is not from the service. Check baseUrl`,
		status,
		retryAfterMs: parseRetryAfter(headers.get('Retry-After'), Date.now()),
		requestId: headers.get('X-Request-Id') ?? undefined,
		cause: undefined,
	};
	if (status === 429) return { ...trouble, kind: 'missed', why: 'rate_limited', mayHaveWorked: false };
	if (status >= 500 || status === 408) {
		return { ...trouble, kind: 'missed', why: 'server', message: error?.error ?? `The service answered ${status}`, mayHaveWorked: true };
	}
	if (isGood) return { ...trouble, kind: 'missed', why: 'unexpected', mayHaveWorked: true };
	const detail = typeof error?.message === 'string' ? error.message : undefined;
	const differs = Array.isArray(error?.differs) ? error.differs.filter((field) => typeof field === 'string') : [];
	return { ...trouble, kind: 'refused', why: error ? kindOf(status, error.error) : 'unexpected', detail, differs };
}

function kindOf(status: number, error: string): TrackerErrorKind {
	switch (status) {
		case 401:
			return 'authentication';
		case 403:
			return 'forbidden';
		case 404:
			// This message means that the route does not exist. A missing sale has another one.
			return error.startsWith('No such path') ? 'unexpected' : 'not_found';
		case 409:
			return 'conflict';
		case 400:
		case 413:
			return error.startsWith('Customer not found') ? 'customer_not_found' : 'invalid';
		default:
			return 'unexpected';
	}
}

/** Undefined if the text is not JSON, for example a proxy's page or a truncated response. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function endOf(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason));
	});
}

/** Includes the cause, because Node's message is just "fetch failed". */
function textOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error && error.cause.message !== '' ? `${error.message} (${error.cause.message})` : error.message;
}
