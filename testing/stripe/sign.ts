import { createHmac } from 'node:crypto';

// Follows Stripe's documentation, independently of the code that verifies it.

export interface SignedBody {
	readonly body: string;
	/** `Stripe-Signature`. */
	readonly header: string;
}

/** Signs a string as it is. `now` is in ms. */
export function signed(event: unknown, secret: string, now: number): SignedBody {
	// Stripe indents the bodies that it sends.
	const body = typeof event === 'string' ? event : JSON.stringify(event, undefined, 2);
	return { body, header: signatureOf(body, secret, now) };
}

/** `now` is in ms. */
export function signatureOf(body: string, secret: string, now: number): string {
	const seconds = Math.floor(now / 1000);
	const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
	return `t=${seconds},v1=${signature}`;
}

/** A signing secret in Stripe's format. */
export function signingSecret(): string {
	return `whsec_${crypto.randomUUID().replaceAll('-', '')}`;
}
