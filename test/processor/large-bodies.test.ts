import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { countingTrips } from '../../testing/d1/metered.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { rows } from '../support/funnel.ts';
import { aStripeFunnel, post, receive, type StripeFunnel } from '../support/inbox.ts';

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
});

const stored = (event: { readonly id: string }) => rows('SELECT * FROM processor_events WHERE event_id = ? ORDER BY id', event.id);
const address = () => `/webhooks/stripe/${funnel.id}`;

const ofSize = (bytes: number) => {
	const event = { ...stripeStory().checkout.completed(), padding: '' };
	return { ...event, padding: 'x'.repeat(bytes - JSON.stringify(event, undefined, 2).length) };
};

describe('a body of more than 1 MiB', () => {
	test('is refused, exact to the byte', async () => {
		const largest = ofSize(1024 * 1024);
		expect((await receive(funnel, largest)).status).toBe(200);
		expect(await rows('SELECT length(payload) AS bytes FROM processor_events WHERE event_id = ?', largest.id)).toEqual([
			{ bytes: 1024 * 1024 },
		]);
		const larger = ofSize(1024 * 1024 + 1);
		const { status, body } = await receive(funnel, larger);
		expect([status, body]).toEqual([413, { error: 'Request body is larger than 1 MiB.' }]);
		expect(await stored(larger)).toEqual([]);
	});

	test('is refused without a declared length, before any trip', async () => {
		const DB = countingTrips(env.DB);
		const pages = 2 * 64;
		let sent = 0;
		const body = new ReadableStream({
			pull(controller) {
				sent += 1;
				controller.enqueue(new Uint8Array(16 * 1024).fill(32));
				if (sent === pages) controller.close();
			},
		});
		expect((await post(address(), body, { headers: { 'Stripe-Signature': 't=1,v1=a' }, bindings: { DB } })).status).toBe(413);
		expect([sent, DB.trips()]).toEqual([pages, 0]);
	});
});
