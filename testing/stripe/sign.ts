import { createHmac } from 'node:crypto';

// Signs as Stripe's documentation says, independently of the code that verifies it.

export interface SignedBody {
	readonly body: string;
	/** The value of `Stripe-Signature`. */
	readonly header: string;
}

/** The body of a delivery, and its signature. A string is signed as it is. `now` is in ms. */
export function signed(event: unknown, secret: string, now: number): SignedBody {
	// Stripe indents the bodies that it sends.
	const body = typeof event === 'string' ? event : JSON.stringify(event, undefined, 2);
	return { body, header: signatureOf(body, secret, now) };
}

/** The value of `Stripe-Signature` for a body. `now` is in ms. */
export function signatureOf(body: string, secret: string, now: number): string {
	const seconds = Math.floor(now / 1000);
	const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
	return `t=${seconds},v1=${signature}`;
}

/** A signing secret in Stripe's format. */
export function signingSecret(): string {
	return `whsec_${crypto.randomUUID().replaceAll('-', '')}`;
}
