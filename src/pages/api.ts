import { type ClientResponse, hc } from 'hono/client';
import type { App } from '../http/app.ts';
import { fetchWithBookmark } from './bookmark.ts';

/** The service's routes, with the types of what each takes and answers. The browser adds the session's cookie. */
export const { api } = hc<App>('/', { fetch: fetchWithBookmark });

/** What the service refused, in its own words. `status` is 0 where no answer came. */
export class ApiError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}

	/** Whether the same may be answered another time. */
	get isPassing(): boolean {
		return this.status === 0 || this.status >= 500;
	}
}

/** What a route answers as JSON; some answer CSV to who asks for it. */
export type AnswerOf<Response> = Response extends ClientResponse<infer Answer, number, 'json'> ? Answer : never;

/** What a route answered. Throws an ApiError for every other end. */
export async function answerOf<Response extends Answered>(sent: Promise<Response>): Promise<AnswerOf<Response>>;
export async function answerOf(sent: Promise<Answered>): Promise<unknown> {
	return (await responseOf(sent)).json().catch((error: unknown) => {
		if (isAbort(error)) throw error;
		throw new ApiError(0, 'The answer did not arrive whole.');
	});
}

/** For a query of what may not be there. */
export function noneWhereNotFound(error: unknown): null {
	if (error instanceof ApiError && error.status === 404) return null;
	throw error;
}

export type Answered = Pick<ClientResponse<unknown>, 'ok' | 'status' | 'headers' | 'text' | 'json'>;

/** An answer that is no error. Throws an ApiError for every other. */
export async function responseOf<Response extends Answered>(sent: Promise<Response>): Promise<Response> {
	const response = await sent.catch((error: unknown) => {
		if (isAbort(error)) throw error;
		throw new ApiError(0, navigator.onLine ? 'The service cannot be reached.' : 'You are offline.');
	});
	if (!response.ok) throw new ApiError(response.status, messageOf(await response.text().catch(() => ''), response.status));
	return response;
}

function isAbort(error: unknown): boolean {
	return error instanceof DOMException && error.name === 'AbortError';
}

/** Every error is `{"error": string}`, unless something before the service answered. */
function messageOf(body: string, status: number): string {
	try {
		const answer: unknown = JSON.parse(body);
		if (typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string') return answer.error;
	} catch {
		// Not the service's own answer.
	}
	return `The service answered ${status}.`;
}
