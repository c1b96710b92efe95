import { createHmac } from 'node:crypto';

// Follows Paddle's documentation, independently of the code that verifies it.

export interface SignedBody {
	readonly body: string;
	/** `Paddle-Signature`. */
	readonly header: string;
}

/** Signs a string as it is. `now` is in ms. */
export function signed(event: unknown, secret: string, now: number): SignedBody {
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	return { body, header: signatureOf(body, secret, now) };
}

/** `now` is in ms. */
export function signatureOf(body: string, secret: string, now: number): string {
	const seconds = Math.floor(now / 1000);
	return `ts=${seconds};h1=${createHmac('sha256', secret).update(`${seconds}:${body}`).digest('hex')}`;
}

/** A secret key of a notification destination, in Paddle's format. */
export function signingSecret(): string {
	return `pdl_ntfset_${token()}_${token()}`;
}

function token(): string {
	return crypto.randomUUID().replaceAll('-', '').slice(0, 26);
}
