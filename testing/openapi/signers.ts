import { createHash } from 'node:crypto';
import type { ProcessorName } from '../../src/processor/processors.ts';
import { signedWebhook } from '../custom/sign.ts';
import { signatureOf as ofPaddle } from '../paddle/sign.ts';
import { signatureOf as ofStripe } from '../stripe/sign.ts';

interface Signer {
	readonly secret: string;
	/** The headers of a body that is sent now. */
	readonly headersOf: (body: string, secret: string) => Record<string, string>;
}

export const SIGNERS: Readonly<Record<ProcessorName, Signer>> = {
	stripe: {
		secret: 'whsec_0123456789abcdef0123456789abcdef',
		headersOf: (body, secret) => ({ 'Stripe-Signature': ofStripe(body, secret, Date.now()) }),
	},
	paddle: {
		secret: 'pdl_ntfset_0123456789abcdef_0123456789abcdef',
		headersOf: (body, secret) => ({ 'Paddle-Signature': ofPaddle(body, secret, Date.now()) }),
	},
	custom: {
		secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
		// The same body gets the same event id, so that every build produces the same document.
		headersOf: (body, secret) => ({ ...signedWebhook(body, secret, Date.now(), `msg_${digestOf(body)}`).headers }),
	},
};

function digestOf(body: string): string {
	return createHash('sha256').update(body).digest('hex').slice(0, 24);
}

export function signedBy(processor: ProcessorName, body: string): Record<string, string> {
	const { secret, headersOf } = SIGNERS[processor];
	return headersOf(body, secret);
}
