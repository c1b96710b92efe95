import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { countingTrips } from '../../testing/d1/metered.ts';
import { rows } from '../support/funnel.ts';
import { aStripeFunnel, receive, type Sending, type StripeFunnel } from '../support/inbox.ts';
import { signingSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api } from '../support/world.ts';

// The isolate caches a program's secrets.

const aCheckout = () => stripeStory().checkout.completed();
const stored = (event: { readonly id: string }) => rows('SELECT id FROM processor_events WHERE event_id = ?', event.id);

async function tripsTo(to: StripeFunnel, sending: Sending = {}, event: unknown = aCheckout()): Promise<[status: number, trips: number]> {
	const DB = countingTrips(env.DB);
	const { status } = await receive(to, event, { ...sending, bindings: { DB } });
	return [status, DB.trips()];
}

const connect = ({ path, owner }: StripeFunnel, body: object) => api(`${path}/stripe`, { method: 'PUT', token: owner.token, body });

describe("a program's secrets are cached, and checked for changes with each event", () => {
	test('two trips for the first event, then one each', async () => {
		const own = await aStripeFunnel();
		expect(await tripsTo(own)).toEqual([200, 2]);
		const event = aCheckout();
		expect(await tripsTo(own, {}, event)).toEqual([200, 1]);
		expect(await tripsTo(own, { secret: signingSecret() })).toEqual([400, 2]);
		expect(await tripsTo(own, {}, event)).toEqual([200, 3]);
		expect(await stored(event)).toHaveLength(1);
	});

	test('a new secret is accepted at once, and a removed one is refused', async () => {
		const own = await aStripeFunnel();
		const added = signingSecret();
		expect(await tripsTo(own)).toEqual([200, 2]);
		await connect(own, { webhook_secrets: [own.secret, added] });
		expect((await receive(own, aCheckout(), { secret: added })).status).toBe(200);
		expect(await tripsTo(own)).toEqual([200, 1]);
		await connect(own, { webhook_secret: added });
		const event = aCheckout();
		expect((await receive(own, event)).status).toBe(400);
		expect(await stored(event)).toEqual([]);
		expect(await tripsTo(own, { secret: added })).toEqual([200, 1]);
	});

	test.each<[what: string, change: (own: StripeFunnel) => Promise<unknown>]>([
		['is disconnected', ({ path, owner }) => api(`${path}/stripe`, { method: 'DELETE', token: owner.token })],
		['is inactive', ({ path, owner }) => api(path, { method: 'PATCH', token: owner.token, body: { active: false } })],
	])('events are refused once the program %s', async (_what, change) => {
		const own = await aStripeFunnel();
		expect(await tripsTo(own)).toEqual([200, 2]);
		await change(own);
		const event = aCheckout();
		expect((await receive(own, event)).status).toBe(404);
		expect(await stored(event)).toEqual([]);
	});
});
