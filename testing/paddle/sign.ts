import { createHmac } from 'node:crypto';

// Signs as Paddle's documentation says, independently of the code that verifies it.

export interface SignedBody {
	readonly body: string;
	/** The value of `Paddle-Signature`. */
	readonly header: string;
}

/** The body of a delivery, and its signature. A string is signed as it is. `now` is in ms. */
export function signed(event: unknown, secret: string, now: number): SignedBody {
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	return { body, header: signatureOf(body, secret, now) };
}

/** The value of `Paddle-Signature` for a body. `now` is in ms. */
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
