import type { Context } from '../context.ts';
import { addressProblem } from '../domain/webhooks/webhook-address.ts';
import type { WebhookError } from '../domain/webhooks/webhook-outcome.ts';
import { ANSWER_LIMIT_MS, retryAfterOf } from '../domain/webhooks/webhook-schedule.ts';

/** Stored bytes of a response. */
const RESPONSE_BYTES = 1024;

export interface OutgoingRequest {
	readonly url: string;
	readonly method: 'GET' | 'POST';
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** Accepted if `error` is undefined. */
export interface Attempt {
	readonly error: WebhookError | undefined;
	readonly status: number | null;
	/** The start of the body. */
	readonly response: string | null;
	readonly retryAfterMs: number;
	readonly durationMs: number;
}

/**
 * Programs and partners enter these URLs. Each is checked again, because rules may have changed. No redirect is followed, because it could
 * lead to a forbidden URL. Never throws.
 */
export async function attempt(ctx: Context, { url, ...request }: OutgoingRequest): Promise<Attempt> {
	const nothing = { status: null, response: null, retryAfterMs: 0 };
	if (addressProblem(url, ctx.settings.takesAnyWebhookAddress) !== undefined) return { ...nothing, error: 'address', durationMs: 0 };
	const since = Date.now();
	const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
	try {
		const response = await ctx.fetch(url, { ...request, redirect: 'manual', signal });
		const durationMs = Date.now() - since;
		const { status } = response;
		const retryAfterMs = retryAfterOf(response.headers.get('Retry-After'), ctx.now);
		return { error: errorOf(status), status, response: await beginningOf(response), retryAfterMs, durationMs };
	} catch {
		return { ...nothing, error: signal.aborted ? 'timeout' : 'unreachable', durationMs: Date.now() - since };
	}
}

function errorOf(status: number): WebhookError | undefined {
	if (status >= 200 && status < 300) return undefined;
	return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** The status decides, so a partial body is enough. */
async function beginningOf({ body }: Response): Promise<string | null> {
	if (!body) return null;
	const reader = body.getReader();
	const bytes = new Uint8Array(RESPONSE_BYTES);
	let length = 0;
	try {
		while (length < RESPONSE_BYTES) {
			const { done, value } = await reader.read();
			if (done) break;
			const chunk = value.subarray(0, RESPONSE_BYTES - length);
			bytes.set(chunk, length);
			length += chunk.length;
		}
		await reader.cancel();
	} catch {
		// The connection broke.
	}
	return new TextDecoder().decode(bytes.subarray(0, length)).replaceAll('\u0000', '');
}
