import type { Answer } from './journal.ts';

const PATIENCE_MS = 10_000;

/** Posts once. A connection that breaks, or an answer that breaks off, is `unknown`. */
export async function send(
	url: string,
	{ path, token, request }: { path: string; token: string | undefined; request: Record<string, unknown> },
): Promise<Answer> {
	try {
		const response = await fetch(url + path, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
			body: JSON.stringify(request),
			signal: AbortSignal.timeout(PATIENCE_MS),
		});
		const body = (await response.json()) as Record<string, unknown>;
		return { status: response.status, body };
	} catch {
		return { status: 'unknown', body: {} };
	}
}
