import type { Answer } from './journal.ts';

const PATIENCE_MS = 10_000;

export interface Outgoing {
	readonly path: string;
	/** The Bearer token. */
	readonly token: string | undefined;
	readonly request: Record<string, unknown>;
}

/** Posts once. */
export type Send = (outgoing: Outgoing) => Promise<Answer>;

/** To a server. A connection that breaks, or an answer that breaks off, is `unknown`. */
export function sendTo(url: string): Send {
	return async ({ path, token, request }) => {
		try {
			const response = await fetch(url + path, {
				method: 'POST',
				headers: headersOf(token),
				body: JSON.stringify(request),
				signal: AbortSignal.timeout(PATIENCE_MS),
			});
			return { status: response.status, body: await response.json() };
		} catch {
			return { status: 'unknown', body: {} };
		}
	};
}

export function headersOf(token: string | undefined): Record<string, string> {
	return { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
}
