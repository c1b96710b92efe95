import { signedWebhook, webhookId } from '../../testing/custom/sign.ts';
import { aFunnel, type Funnel } from './funnel.ts';
import { inboxOf, post, type Received, type StripeFunnel, work } from './inbox.ts';
import { api } from './world.ts';

// A program with the custom webhook. Queue messages wait until the test delivers them.

export type CustomFunnel = StripeFunnel;

export async function aCustomFunnel(overrides: Record<string, unknown> = {}, basis: 'net' | 'gross' = 'net'): Promise<CustomFunnel> {
	return connected(await aFunnel(overrides), basis);
}

export async function connected(funnel: Funnel, basis: 'net' | 'gross' = 'net'): Promise<CustomFunnel> {
	const path = `/api/v1/programs/${funnel.id}`;
	const { token } = funnel.owner;
	const made = await api<{ webhook_secret: string }>(`${path}/processors/custom/secret`, { method: 'POST', token });
	if (made.status !== 201) throw new Error(`Making a secret answered ${made.status}: ${made.text}`);
	const secret = made.body.data.webhook_secret;
	if (basis !== 'net')
		await api(`${path}/processors/custom`, { method: 'PUT', token, body: { webhook_secret: secret, amount_basis: basis } });
	return { ...funnel, secret, path };
}

/** Sending it again repeats the same event. */
export interface CustomEvent {
	readonly id: string;
	readonly body: unknown;
}

export interface Happening {
	readonly at?: number;
	readonly test?: boolean;
}

export function customEvent(type: string, data: Record<string, unknown>, { at = Date.now(), test }: Happening = {}): CustomEvent {
	const body = { type, timestamp: new Date(at).toISOString(), ...(test === undefined ? {} : { test }), data };
	return { id: webhookId(), body };
}

export interface CustomSending {
	readonly secret?: string;
	/** In ms. */
	readonly signedAt?: number;
	readonly headers?: Record<string, string>;
	readonly alter?: (body: string) => string;
}

/** Receives one signed delivery without processing it. */
export async function receiveCustom(to: CustomFunnel, { id, body }: CustomEvent, sending: CustomSending = {}): Promise<Received> {
	const { secret = to.secret, signedAt = Date.now(), headers = {}, alter = (same) => same } = sending;
	const sent = signedWebhook(body, secret, signedAt, id);
	return post(`/webhooks/custom/${to.id}`, alter(sent.body), { headers: { ...sent.headers, ...headers } });
}

/** Processes each event before the next one arrives. */
export async function sendCustom(to: CustomFunnel, ...events: readonly CustomEvent[]): Promise<void> {
	for (const event of events) {
		const { status, body, messages } = await receiveCustom(to, event);
		if (status !== 200) throw new Error(`The webhook answered ${status}: ${JSON.stringify(body)}`);
		await work(messages);
	}
}

/** State and reason of each inbox event, by its webhook-id. */
export async function outcomes(of: CustomFunnel): Promise<ReadonlyMap<string, string>> {
	return new Map((await inboxOf(of, '?limit=200')).map(({ event_id, state, reason }) => [event_id, `${state}: ${reason}`]));
}
