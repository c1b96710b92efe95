import type { Processor } from '../processor.ts';
import { jsonIn } from '../reading/fields.ts';
import { PADDLE_EVENT_TYPES, paddleEnvelope, readPaddleEvent } from './read-event.ts';
import { signedAt, signerOf } from './verify-signature.ts';

export const processor: Processor = {
	name: 'paddle',
	title: 'Paddle',
	signatureHeaders: ['Paddle-Signature'],
	eventTypes: PADDLE_EVENT_TYPES,
	secretForm: {
		pattern: /^pdl_ntfset_[A-Za-z0-9+/=_-]{16,200}$/,
		error: 'must be the secret key of a notification destination of Paddle: "pdl_ntfset_" and what follows it',
		prefix: 'pdl_ntfset_',
		// The sandbox is a separate account, but its events look the same, so each secret names its mode.
		namesMode: true,
	},
	refusals: {
		unsigned: 'The Paddle-Signature header is missing: this address takes webhooks that Paddle has signed',
		forged:
			'The Paddle-Signature does not match this body, or is more than 5 minutes from the time here. Check that the secret key (pdl_ntfset_...) of this very destination is set for the program (for the sandbox, as a test-mode secret), that nothing changes the body on its way, and that the clocks are right',
		unreadable: 'The body is not a Paddle Billing event',
	},
	signedAt: (headers) => signedAt(headers['Paddle-Signature']),
	verify: async ({ payload, headers }, secrets, now) => {
		const signer = await signerOf(payload, headers['Paddle-Signature'], secrets, now);
		if (!signer) return undefined;
		const body = jsonIn(payload);
		const envelope = paddleEnvelope(body);
		return { body, envelope: envelope && { ...envelope, isTest: signer.isTest ?? false } };
	},
	read: readPaddleEvent,
};
