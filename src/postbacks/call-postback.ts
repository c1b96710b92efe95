import type { Context } from '../context.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/calendar.ts';
import { postbackProblem } from '../domain/postback.ts';
import type { WebhookError } from '../domain/webhook-outcome.ts';
import { ANSWER_LIMIT_MS, retryAfterOf } from '../domain/webhook-schedule.ts';
import { addressOf, type DueDelivery } from './delivery.ts';

/** What became of a call. Final: it is not called again for this. */
export type Outcome = { readonly lastStatus?: number; readonly lastResponse?: string; readonly lastError?: WebhookError } & (
	| { readonly kind: 'delivered' }
	| { readonly kind: 'put_off'; readonly until: number }
	| { readonly kind: 'failed'; readonly isFinal: boolean; readonly retryAfterMs: number }
);

/** What is kept of an answer. */
const RESPONSE_CHARACTERS = 1_000;
/** For how long a call waits for the row of its click, which is on its way, so that it has the sub_id; and how often that is looked for. */
const CLICK_WAIT_MS = 10 * MINUTE_MS;
const CLICK_LOOK_MS = 10 * SECOND_MS;

/** Calls an address once, where it may be called. Never rejects. */
export async function callPostback(ctx: Context, delivery: DueDelivery): Promise<Outcome> {
	if (delivery.isOff) return failedBy('disabled', true);
	if (postbackProblem(delivery.template, ctx.settings.takesAnyWebhookAddress) !== undefined) return failedBy('address', true);
	if (delivery.waitsForClick && ctx.now < delivery.createdAt + CLICK_WAIT_MS) return { kind: 'put_off', until: ctx.now + CLICK_LOOK_MS };
	try {
		const response = await ctx.fetch(await addressOf(ctx, delivery), {
			redirect: 'manual',
			headers: { 'User-Agent': 'affiliate-tracker postback', Accept: '*/*' },
			signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
		});
		return outcomeOf(ctx, response, await beginningOf(response));
	} catch (error) {
		return failedBy(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable', false);
	}
}

function outcomeOf({ now }: Context, { status, headers }: Response, lastResponse: string): Outcome {
	const told = { lastStatus: status, lastResponse };
	if (status >= 200 && status < 300) return { kind: 'delivered', ...told };
	const lastError = status >= 300 && status < 400 ? 'redirect' : 'status';
	const retryAfterMs = retryAfterOf(headers.get('Retry-After'), now);
	return { kind: 'failed', isFinal: status === 410, retryAfterMs, lastError, ...told };
}

function failedBy(lastError: WebhookError, isFinal: boolean): Outcome {
	return { kind: 'failed', isFinal, retryAfterMs: 0, lastError };
}

/** However much is sent, and however long that lasts, no more of it is read. */
async function beginningOf({ body }: Response): Promise<string> {
	if (!body) return '';
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = '';
	while (text.length < RESPONSE_CHARACTERS) {
		const { done, value } = await reader.read();
		if (done) break;
		text += decoder.decode(value, { stream: true });
	}
	await reader.cancel();
	return text.slice(0, RESPONSE_CHARACTERS).replaceAll('\u0000', '').toWellFormed();
}
