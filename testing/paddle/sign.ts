import { createHmac } from 'node:crypto';

// Paddle's signatures, written down from its documentation, apart from the code that checks them.

export interface SignedBody {
	readonly body: string;
	/** Of the header `Paddle-Signature`. */
	readonly header: string;
}

/** The body of a delivery and its signature. A string is signed as it is. `now` is ms. */
export function signed(event: unknown, secret: string, now: number): SignedBody {
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	return { body, header: signatureOf(body, secret, now) };
}

/** The header `Paddle-Signature` of a body. `now` is ms. */
export function signatureOf(body: string, secret: string, now: number): string {
	const seconds = Math.floor(now / 1000);
	return `ts=${seconds};h1=${createHmac('sha256', secret).update(`${seconds}:${body}`).digest('hex')}`;
}

/** A secret key of a notification destination as Paddle makes them. */
export function signingSecret(): string {
	return `pdl_ntfset_${token()}_${token()}`;
}

function token(): string {
	return crypto.randomUUID().replaceAll('-', '').slice(0, 26);
}
