import { type ClientResponse, hc } from 'hono/client';
import type { App } from '../http/app.ts';
import { fetchWithBookmark } from './bookmark.ts';

/** The browser adds the session cookie. */
export const { api } = hc<App>('/', { fetch: fetchWithBookmark });

/** The service refused the request, or did not answer (`status` is 0). */
export class ApiError extends Error {
	readonly status: number;
	/** The body, if it is JSON. Some refusals have more than a message. */
	readonly answer: unknown;

	constructor(status: number, message: string, answer?: unknown) {
		super(message);
		this.status = status;
		this.answer = answer;
	}

	/** Whether a retry may succeed. */
	get isPassing(): boolean {
		return this.status === 0 || this.status >= 500;
	}
}

/** Excludes the CSV that some routes return on request. */
export type AnswerOf<Response> = Response extends ClientResponse<infer Answer, number, 'json'> ? Answer : never;

/** Throws an ApiError if the route refuses. */
export async function answerOf<Response extends Answered>(sent: Promise<Response>): Promise<AnswerOf<Response>>;
export async function answerOf(sent: Promise<Answered>): Promise<unknown> {
	return (await responseOf(sent)).json().catch((error: unknown) => {
		if (isAbort(error)) throw error;
		throw new ApiError(0, 'The answer was incomplete.');
	});
}

/** Null on a 404, for queries of something that may not exist. */
export function noneWhereNotFound(error: unknown): null {
	if (error instanceof ApiError && error.status === 404) return null;
	throw error;
}

export type Answered = Pick<ClientResponse<unknown>, 'ok' | 'status' | 'headers' | 'text' | 'json'>;

/** Throws an ApiError if the route refuses. */
export async function responseOf<Response extends Answered>(sent: Promise<Response>): Promise<Response> {
	const response = await sent.catch((error: unknown) => {
		if (isAbort(error)) throw error;
		throw new ApiError(0, navigator.onLine ? 'The service cannot be reached.' : 'You are offline.');
	});
	if (!response.ok) {
		const answer = parsed(await response.text().catch(() => ''));
		throw new ApiError(response.status, messageOf(answer, response.status), answer);
	}
	return response;
}

function isAbort(error: unknown): boolean {
	return error instanceof DOMException && error.name === 'AbortError';
}

/** Every error is `{"error": string}`, unless something in front of the service answered. */
function messageOf(answer: unknown, status: number): string {
	if (typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string') return answer.error;
	return `The service answered ${status}.`;
}

function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		// The service itself did not send this.
		return undefined;
	}
}
