import { createHmac, randomBytes, randomUUID } from 'node:crypto';

// Follows the Standard Webhooks specification, independently of the code that verifies it.

export interface SignedWebhook {
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Signs a string as it is. `now` is in ms. */
export function signedWebhook(event: unknown, secret: string, now: number, id: string = webhookId()): SignedWebhook {
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	const seconds = Math.floor(now / 1000);
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
	return { body, headers: { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': `v1,${mac}` } };
}

export function webhookId(): string {
	return `msg_${randomUUID()}`;
}

export function webhookSecret(): string {
	return `whsec_${randomBytes(24).toString('base64')}`;
}
