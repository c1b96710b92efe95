import type Stripe from 'stripe';
// Imported file by file, because the entry, the only official export, includes the whole API client (33 KB gzip instead of 4.5).
import { SubtleCryptoProvider } from '../../../node_modules/stripe/esm/crypto/SubtleCryptoProvider.js';
import { PlatformFunctions } from '../../../node_modules/stripe/esm/platform/PlatformFunctions.js';
import { createWebhooks } from '../../../node_modules/stripe/esm/Webhooks.js';
import { jsonIn } from '../reading/fields.ts';
import { instantOf, TOLERANCE_SECONDS } from '../reading/signature.ts';

const webhooks = createWebhooks(new PlatformFunctions());

export interface SignedBody {
	/** Undefined for "thin" events, which contain no object. */
	readonly event: Stripe.Event | undefined;
}

/** Undefined for a wrong or missing signature, or one older than 300 s. `payload` is the raw body, `now` is in ms. */
export async function verifyStripeEvent(
	payload: Uint8Array,
	signatureHeader: string | undefined,
	secrets: readonly string[],
	now: number,
): Promise<SignedBody | undefined> {
	if (signatureHeader === undefined) return undefined;
	for (const secret of secrets) {
		if (!(await isSignedWith(secret, payload, signatureHeader, now))) continue;
		const body = jsonIn(payload);
		return { event: isEvent(body) ? body : undefined };
	}
	return undefined;
}

/** In ms. */
export function signedAt(header: string | undefined): number | undefined {
	return instantOf(/(?:^|,)t=(\d+)(?:,|$)/.exec(header ?? '')?.[1]);
}

async function isSignedWith(secret: string, payload: Uint8Array, header: string, now: number): Promise<boolean> {
	try {
		return (
			(await webhooks.signature?.verifyHeaderAsync(payload, header, secret, TOLERANCE_SECONDS, new SubtleCryptoProvider(), now)) ?? false
		);
	} catch {
		// Stripe's code throws for every problem, and all get the same answer.
		return false;
	}
}

function isEvent(body: unknown): body is Stripe.Event {
	return typeof body === 'object' && body !== null && 'object' in body && body.object === 'event';
}
