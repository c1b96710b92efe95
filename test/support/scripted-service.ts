import { Tracker, TrackerError, type TrackerOptions } from '../../src/sdk/index.ts';
import type { Fetch } from '../../src/sdk/platform.ts';

/** A response, a failure, or one that never ends. */
export type Reply = Response | Error | 'never ends' | 'never ends its body';

export interface Sent {
	readonly url: string;
	readonly method: string | undefined;
	readonly headers: Record<string, string>;
	/** Undefined if there is none. */
	readonly body: unknown;
	readonly redirect: string | undefined;
	readonly signal: AbortSignal | null | undefined;
}

/** Returns one scripted reply per call, and repeats the last one. */
export function scriptedFetch(...script: readonly Reply[]): { readonly fetch: Fetch; readonly sent: Sent[] } {
	const sent: Sent[] = [];
	const fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
		const { method, body, redirect, signal } = init;
		sent.push({
			url: input instanceof Request ? input.url : input.toString(),
			method,
			headers: Object.fromEntries(new Headers(init.headers)),
			body: typeof body === 'string' ? JSON.parse(body) : undefined,
			redirect,
			signal,
		});
		const reply = script[Math.min(sent.length, script.length) - 1];
		if (reply instanceof Error) throw reply;
		if (reply instanceof Response) return reply.clone();
		if (reply === 'never ends its body')
			return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) }));
		return new Promise(() => undefined);
	};
	return { fetch, sent };
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
	return Response.json(body, { status, headers });
}

export const KEY = 'prg_secret_of_the_shop';

/** Never waits. Also returns the requests that it sent. */
export function scriptedTracker(script: Reply | readonly Reply[], options: Partial<TrackerOptions> = {}) {
	const { fetch, sent } = scriptedFetch(...(Array.isArray(script) ? script : [script]));
	return { sent, tracker: new Tracker({ baseUrl: 'https://track.example', apiKey: KEY, retryDelayMs: 0, fetch, ...options }) };
}

export async function trackerErrorOf(call: Promise<unknown>): Promise<TrackerError> {
	const ended = await call.catch((error: unknown) => error);
	if (!(ended instanceof TrackerError)) throw new Error(`No TrackerError, but ${JSON.stringify(ended)}`);
	return ended;
}
