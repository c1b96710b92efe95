import { setTimeout } from 'node:timers/promises';
import { signed } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { call } from '../demo/api.ts';
import { type DemoWorld, signIn } from '../demo/world.ts';
import { Failure } from '../../testing/failure.ts';

const PATIENCE_MS = 15_000;

/** Plays Stripe's part: the customer pays in the session that the guide's code has made, and the invoice becomes a sale. */
export async function payIn(session: Record<string, unknown>, world: DemoWorld, secret: string): Promise<void> {
	const metadata = metadataOf(session['metadata']);
	const ofSubscription = metadataOf(Object(session['subscription_data'])['metadata']);
	if (metadata['tracker_customer_key'] === undefined || !/^cust_\d+_\d+$/.test(metadata['tracker_click_id'] ?? '')) {
		throw new Failure(`the session has the metadata ${JSON.stringify(metadata)}`);
	}
	if (JSON.stringify(metadata) !== JSON.stringify(ofSubscription))
		throw new Failure(`the subscription has ${JSON.stringify(ofSubscription)}`);
	const events = stripeStory({ mode: 'subscription', amount: 11_900, tax: 1_900, metadata, at: Date.now() }).first.events();
	for (const event of events) {
		const { body, header } = signed(event, secret, Date.now());
		const answer = await fetch(`${world.url}/webhooks/stripe/${world.programId}`, {
			method: 'POST',
			headers: { 'Stripe-Signature': header },
			body,
		});
		if (answer.status !== 200) throw new Failure(`${event.type} was answered with ${answer.status}: ${await answer.text()}`);
	}
	const paid = events.find(({ type }) => type.startsWith('invoice.'));
	await becomesSale(world, paid?.id ?? '');
}

async function becomesSale(world: DemoWorld, eventId: string): Promise<void> {
	const token = await signIn(world);
	const end = Date.now() + PATIENCE_MS;
	for (;;) {
		const { body } = await call(world.url, `/api/v1/programs/${world.programId}/processor-events?event_id=${eventId}`, { token });
		const text = JSON.stringify(body);
		if (text.includes('"state":"applied"')) return;
		if (Date.now() > end || /"state":"(refused|expired|failed|ignored)"/.test(text))
			throw new Failure(`the invoice became no sale: ${text}`);
		await setTimeout(100);
	}
}

function metadataOf(value: unknown): Record<string, string> {
	return Object.fromEntries(Object.entries(Object(value)).map(([key, text]) => [key, String(text)]));
}
