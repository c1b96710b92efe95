import { signed, signingSecret } from '../../testing/paddle/sign.ts';
import { paddleStory, type Story, type StoryOptions } from '../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../testing/paddle/wire.ts';
import { aFunnel, aLead, type Funnel } from './funnel.ts';
import { outcomeOf as outcomeIn, post, type Received, type Sending, work } from './inbox.ts';
import { api } from './world.ts';

// A program with Paddle and its sandbox.

export interface PaddleFunnel extends Funnel {
	readonly secret: string;
	readonly testSecret: string;
	/** The program's path in the management API. */
	readonly path: string;
}

export async function aPaddleFunnel(overrides: Record<string, unknown> = {}, setup: Record<string, unknown> = {}): Promise<PaddleFunnel> {
	const funnel = await aFunnel(overrides);
	const [secret, testSecret] = [signingSecret(), signingSecret()];
	const { status, text } = await api(`/api/v1/programs/${funnel.id}/processors/paddle`, {
		method: 'PUT',
		token: funnel.owner.token,
		body: { webhook_secret: secret, test_webhook_secrets: [testSecret], ...setup },
	});
	if (status !== 200) throw new Error(`Connecting Paddle answered ${status}: ${text}`);
	return { ...funnel, secret, testSecret, path: `/api/v1/programs/${funnel.id}` };
}

export async function aPaddleStory(funnel: PaddleFunnel, options: StoryOptions = {}): Promise<Story> {
	return paddleStory({ customData: { tracker_customer_key: await aLead(funnel) }, ...options });
}

/** Signed as by Paddle. Does not process the event. */
export async function receiveFromPaddle(to: PaddleFunnel, event: unknown, sending: Sending = {}): Promise<Received> {
	const { body, header } = signed(event, sending.secret ?? to.secret, sending.signedAt ?? Date.now());
	return post(`/webhooks/paddle/${to.id}`, sending.alter ? sending.alter(body) : body, {
		bindings: sending.bindings,
		headers: { 'Paddle-Signature': header, ...sending.headers },
	});
}

/** Processes each event before the next one arrives. */
export async function sendFromPaddle(to: PaddleFunnel, events: readonly PaddleEvent[], secret: string = to.secret): Promise<void> {
	for (const event of events) {
		const { status, body, messages } = await receiveFromPaddle(to, event, { secret });
		if (status !== 200) throw new Error(`The webhook answered ${status}: ${JSON.stringify(body)}`);
		await work(messages);
	}
}

export function outcomeOf(funnel: PaddleFunnel, event: PaddleEvent): Promise<string> {
	return outcomeIn(funnel, { id: event.event_id });
}
