import { SubtleCryptoProvider } from '../../node_modules/stripe/esm/crypto/SubtleCryptoProvider.js';
import { PlatformFunctions } from '../../node_modules/stripe/esm/platform/PlatformFunctions.js';
import { createWebhooks } from '../../node_modules/stripe/esm/Webhooks.js';

const webhooks = createWebhooks(new PlatformFunctions());

export interface SignedBody {
	readonly body: string;
	/** Of the header `Stripe-Signature`. */
	readonly header: string;
}

/** The body of a delivery and its signature, made by Stripe's own code. A string is signed as it is. `now` is ms. */
export async function signed(event: unknown, secret: string, now: number): Promise<SignedBody> {
	// Stripe indents the bodies that it sends.
	const body = typeof event === 'string' ? event : JSON.stringify(event, undefined, 2);
	const header = await webhooks.generateTestHeaderStringAsync({
		payload: body,
		secret,
		timestamp: Math.floor(now / 1000),
		cryptoProvider: new SubtleCryptoProvider(),
	});
	return { body, header };
}

/** A signing secret as Stripe makes them. */
export function signingSecret(): string {
	return `whsec_${crypto.randomUUID().replaceAll('-', '')}`;
}
