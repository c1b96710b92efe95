import { createHmac } from 'node:crypto';

/** The header `Stripe-Signature` of a body: written down from Stripe's documentation, apart from the code that checks it. */
export function signatureOf(body: string, secret: string, at: number): string {
	const seconds = Math.floor(at / 1000);
	const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
	return `t=${seconds},v1=${signature}`;
}
