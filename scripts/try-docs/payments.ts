import { setTimeout } from 'node:timers/promises';
import { signed as signedByPaddle } from '../../testing/paddle/sign.ts';
import { paddleStory } from '../../testing/paddle/story.ts';
import { signed } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { call } from '../demo/api.ts';
import { type DemoWorld, signIn } from '../demo/world.ts';
import { Failure } from '../../testing/failure.ts';
import type { ClientCall } from './project.ts';

const PATIENCE_MS = 120_000;
/** The amounts of a subscription, in minor units. */
const TERMS = { mode: 'subscription', amount: 11_900, tax: 1_900 } as const;

/** The signing secret of each processor. */
export type Secrets = Readonly<Record<ClientCall['of'], string>>;

/** Plays the processor: the customer pays in the checkout that the guide's code created, and the payment becomes a sale. */
export async function payIn({ of, params }: ClientCall, world: DemoWorld, secrets: Secrets): Promise<void> {
	const paid = of === 'stripe' ? await payAtStripe(params, world, secrets.stripe) : await payAtPaddle(params, world, secrets.paddle);
	await becomesSale(world, paid);
}

/** Returns the id of the event that records the sale. */
async function payAtStripe(session: Record<string, unknown>, world: DemoWorld, secret: string): Promise<string> {
	const metadata = keysOf(session['metadata']);
	const ofSubscription = textsOf(Object(session['subscription_data'])['metadata']);
	if (JSON.stringify(metadata) !== JSON.stringify(ofSubscription))
		throw new Failure(`the subscription has ${JSON.stringify(ofSubscription)}`);
	const events = stripeStory({ ...TERMS, metadata, at: Date.now() }).first.events();
	for (const event of events) {
		const { body, header } = signed(event, secret, Date.now());
		await deliver(world, { processor: 'stripe', body, headers: { 'Stripe-Signature': header } });
	}
	return events.find(({ type }) => type.startsWith('invoice.'))?.id ?? '';
}

async function payAtPaddle(transaction: Record<string, unknown>, world: DemoWorld, secret: string): Promise<string> {
	const { first, subscription } = paddleStory({ ...TERMS, customData: keysOf(transaction['customData']), at: Date.now() });
	const completed = first.completed();
	for (const event of [first.paid(), subscription.created(), completed]) {
		const { body, header } = signedByPaddle(event, secret, Date.now());
		await deliver(world, { processor: 'paddle', body, headers: { 'Paddle-Signature': header } });
	}
	return completed.event_id;
}

interface Webhook {
	readonly processor: ClientCall['of'];
	readonly body: string;
	readonly headers: Record<string, string>;
}

async function deliver(world: DemoWorld, { processor, body, headers }: Webhook): Promise<void> {
	const answer = await fetch(`${world.url}/webhooks/${processor}/${world.programId}`, { method: 'POST', headers, body });
	if (answer.status !== 200) throw new Failure(`the response was ${answer.status}: ${await answer.text()}, to ${body.slice(0, 200)}`);
}

async function becomesSale(world: DemoWorld, eventId: string): Promise<void> {
	const token = await signIn(world);
	const end = Date.now() + PATIENCE_MS;
	for (;;) {
		const { body } = await call(world.url, `/api/v1/programs/${world.programId}/processor-events?event_id=${eventId}`, { token });
		const text = JSON.stringify(body);
		if (text.includes('"state":"applied"')) return;
		if (Date.now() > end || /"state":"(refused|expired|failed|ignored)"/.test(text))
			throw new Failure(`the payment was not recorded as a sale: ${text}`);
		await setTimeout(100);
	}
}

/** The metadata keys that the guide's code attached. */
function keysOf(value: unknown): Record<string, string> {
	const keys = textsOf(value);
	if (keys['tracker_customer_key'] === undefined || !/^cust_\d+_\d+$/.test(keys['tracker_click_id'] ?? ''))
		throw new Failure(`the checkout has the keys ${JSON.stringify(keys)}`);
	return keys;
}

function textsOf(value: unknown): Record<string, string> {
	return Object.fromEntries(Object.entries(Object(value)).map(([key, text]) => [key, String(text)]));
}
