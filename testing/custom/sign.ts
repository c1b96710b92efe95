import { createHmac, randomBytes, randomUUID } from 'node:crypto';

// Standard Webhooks, written down from its specification, apart from the code that checks it.

export interface SignedWebhook {
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** A delivery and its signature. A string is signed as it is. `now` is ms. */
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

/** A signing secret as Standard Webhooks has them. */
export function webhookSecret(): string {
	return `whsec_${randomBytes(24).toString('base64')}`;
}
