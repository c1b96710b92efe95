import { signatureOf } from '../testing/stripe/sign.ts';
import type { Answer } from './journal.ts';

const PATIENCE_MS = 10_000;

export interface Outgoing {
	readonly path: string;
	readonly token: string | undefined;
	readonly request: object;
	/** Signs the body as a payment processor would. */
	readonly signingSecret?: string;
	readonly method?: 'POST' | 'PUT';
}

/** Sends one request, by POST unless another method is given. */
export type Send = (outgoing: Outgoing) => Promise<Answer>;

/** If the connection or the response breaks off, the result is `unknown`. */
export function sendTo(url: string): Send {
	return async (outgoing) => {
		try {
			const response = await fetch(url + outgoing.path, { ...requestOf(outgoing), signal: AbortSignal.timeout(PATIENCE_MS) });
			return { status: response.status, body: await response.json() };
		} catch {
			return { status: 'unknown', body: {} };
		}
	};
}

/** The request, signed now if it is a processor's webhook. */
export function requestOf({ token, request, signingSecret, method = 'POST' }: Outgoing) {
	const body = JSON.stringify(request);
	return {
		method,
		headers: {
			'Content-Type': 'application/json',
			...(token !== undefined && { Authorization: `Bearer ${token}` }),
			...(signingSecret !== undefined && { 'Stripe-Signature': signatureOf(body, signingSecret, Date.now()) }),
		},
		body,
	};
}
