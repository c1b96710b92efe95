import type Stripe from 'stripe';
// Stripe's own code, file by file: the package's entry brings its whole API client along, 33 KB gzip where these are 4.5, and
// nothing here calls the API. The package exports only that entry, hence the paths.
import { SubtleCryptoProvider } from '../../../node_modules/stripe/esm/crypto/SubtleCryptoProvider.js';
import { PlatformFunctions } from '../../../node_modules/stripe/esm/platform/PlatformFunctions.js';
import { createWebhooks } from '../../../node_modules/stripe/esm/Webhooks.js';
import { TOLERANCE_SECONDS } from '../reading/signature.ts';

const webhooks = createWebhooks(new PlatformFunctions());

/**
 * The event that Stripe signed with one of the secrets (several are in use while one is rolled), or undefined: a wrong or missing
 * signature, one older than 300 s, or a body that is no snapshot event (Stripe's "thin" events hold no object to read).
 * `payload` is the body as it came, `now` ms.
 */
export async function verifyStripeEvent(
	payload: Uint8Array | string,
	signatureHeader: string | undefined,
	secrets: readonly string[],
	now: number,
): Promise<Stripe.Event | undefined> {
	if (signatureHeader === undefined) return undefined;
	for (const secret of secrets) {
		const event = await eventSignedWith(secret, payload, signatureHeader, now);
		if (event !== undefined) return event;
	}
	return undefined;
}

async function eventSignedWith(
	secret: string,
	payload: Uint8Array | string,
	header: string,
	now: number,
): Promise<Stripe.Event | undefined> {
	try {
		const event = await webhooks.constructEventAsync(payload, header, secret, TOLERANCE_SECONDS, new SubtleCryptoProvider(), now);
		return event?.object === 'event' ? event : undefined;
	} catch {
		// Whatever is wrong, Stripe's code says it by throwing, and the answer is the same.
		return undefined;
	}
}
