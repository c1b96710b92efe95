import { Failure } from '../../testing/failure.ts';

export interface Answer {
	readonly status: number;
	readonly body: Readonly<Record<string, unknown>>;
}

export interface Call {
	readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
	/** A session token or a program key. */
	readonly token?: string | undefined;
	readonly body?: unknown;
}

const TIMEOUT_MS = 20_000;

/** Calls the service's API. Fails if there is no response. */
export async function call(url: string, path: string, { method, token, body }: Call = {}): Promise<Answer> {
	const headers = new Headers();
	if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
	if (body !== undefined) headers.set('Content-Type', 'application/json');
	const response = await fetch(`${url}${path}`, {
		method: method ?? (body === undefined ? 'GET' : 'POST'),
		headers,
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch((error: unknown) => {
		throw new Failure(`No response from ${url} (${causeOf(error)}).\nStart the service first, in another terminal: npm run dev`);
	});
	return { status: response.status, body: asObject(await response.text()) };
}

/** Returns the response's `data`; fails on an error status. */
export async function dataOf(url: string, path: string, request: Call = {}): Promise<unknown> {
	const answer = await call(url, path, request);
	if (answer.status >= 300) throw new Failure(`${path} responded with ${answer.status}: ${JSON.stringify(answer.body)}`);
	return answer.body['data'];
}

function asObject(text: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null) return { ...value };
	} catch {
		// The response did not come from the service, so it is shown as text.
	}
	return { text };
}

function causeOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
