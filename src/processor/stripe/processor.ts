import type { Processor } from '../processor.ts';
import { readStripeEvent, STRIPE_EVENT_TYPES, stripeEnvelope } from './read-event.ts';
import { signedAt, verifyStripeEvent } from './verify-signature.ts';

export const processor: Processor = {
	name: 'stripe',
	title: 'Stripe',
	signatureHeaders: ['Stripe-Signature'],
	eventTypes: STRIPE_EVENT_TYPES,
	secretForm: {
		// Stripe's secrets have 38 characters, those of its CLI have 70.
		pattern: /^whsec_[A-Za-z0-9+/=_-]{16,200}$/,
		error: 'must be a signing secret of Stripe: "whsec_" and what follows it',
		prefix: 'whsec_',
		namesMode: false,
	},
	refusals: {
		unsigned: 'The Stripe-Signature header is missing: this address takes webhooks that Stripe has signed',
		forged:
			'The Stripe-Signature does not match this body, or is older than 5 minutes. Check that the signing secret (whsec_...) of this very endpoint is set for the program (test mode and live mode have different ones), that nothing changes the body on its way, and that the clocks are right',
		unreadable: 'The body is not an event of Stripe',
	},
	// These names predate the other processors.
	audited: { connect: 'stripe.connect', disconnect: 'stripe.disconnect' },
	signedAt: (headers) => signedAt(headers['Stripe-Signature']),
	verify: async ({ payload, headers }, secrets, now) => {
		const texts = secrets.map(({ secret }) => secret);
		const signed = await verifyStripeEvent(payload, headers['Stripe-Signature'], texts, now);
		return signed && { body: signed.event, envelope: signed.event && stripeEnvelope(signed.event) };
	},
	read: (body, _envelope, basis) => readStripeEvent(body, basis),
};
